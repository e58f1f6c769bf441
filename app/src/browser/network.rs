//! Waiting for the network, and giving up on it.

use std::time::Duration;

use futures_channel::mpsc;
use futures_util::StreamExt;
use futures_util::future::select;
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{AbortController, AbortSignal};

/// Aborts a request when it is dropped.
pub struct Abort(Option<AbortController>);

impl Abort {
    /// For one request.
    pub fn new() -> Self {
        Self(AbortController::new().ok())
    }

    /// For the request to listen to.
    pub fn signal(&self) -> Option<AbortSignal> {
        self.0.as_ref().map(AbortController::signal)
    }
}

impl Drop for Abort {
    fn drop(&mut self) {
        // Whoever reads an answer's body has to do so before this goes.
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

/// Ends after this time, or as soon as the browser is online again.
pub async fn wait_or_online(time: Duration) {
    let (tell, mut online) = mpsc::unbounded();
    let _listening = Online::listen(move || {
        // Nobody waits any more only when this is about to be removed.
        let _ = tell.unbounded_send(());
    });
    let millis = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
    select(TimeoutFuture::new(millis), online.next()).await;
}

/// Listens for the network's return until it is dropped.
struct Online(Closure<dyn FnMut()>);

impl Online {
    fn listen(hear: impl FnMut() + 'static) -> Self {
        let listener = Closure::new(hear);
        if let Some(window) = web_sys::window() {
            let function = listener.as_ref().unchecked_ref();
            // Fails for no event that there is.
            let _ = window.add_event_listener_with_callback("online", function);
        }
        Self(listener)
    }
}

impl Drop for Online {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            let function = self.0.as_ref().unchecked_ref();
            let _ = window.remove_event_listener_with_callback("online", function);
        }
    }
}

/// A random number from 0 to 1, for spreading retries.
pub fn jitter() -> f64 {
    js_sys::Math::random()
}
