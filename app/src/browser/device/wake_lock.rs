//! The Screen Wake Lock API: keeps the screen on.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;

use crate::browser::js::{call_method, get_field};
use crate::browser::listener::Listener;
use crate::browser::network::is_hidden;

/// Keeps the screen on until it is dropped. Without effect where the browser has no such API.
pub struct WakeLock {
    sentinel: Sentinel,
    _visibility: Option<Listener>,
}

/// The `WakeLockSentinel`.
/// `None`: not granted yet, or released: the browser releases it whenever the page is hidden.
type Sentinel = Rc<RefCell<Option<JsValue>>>;

impl WakeLock {
    /// Requests the lock now, and again whenever the page becomes visible.
    pub fn new() -> Self {
        let sentinel = Sentinel::default();
        request(sentinel.clone());
        let document = web_sys::window().and_then(|window| window.document());
        let requested = sentinel.clone();
        let visibility = document.map(|document| {
            Listener::new(&document, "visibilitychange", move |_| {
                if !is_hidden() {
                    request(requested.clone());
                }
            })
        });
        Self {
            sentinel,
            _visibility: visibility,
        }
    }
}

impl Drop for WakeLock {
    fn drop(&mut self) {
        if let Some(sentinel) = self.sentinel.take() {
            spawn_local(async move {
                call_method(&sentinel, "release", &Array::new()).await;
            });
        }
    }
}

fn request(sentinel: Sentinel) {
    let Some(window) = web_sys::window() else {
        return;
    };
    spawn_local(async move {
        let wake_lock = get_field(&window.navigator(), "wakeLock");
        let granted = call_method(&wake_lock, "request", &Array::of1(&"screen".into())).await;
        // The `WakeLock` may have been dropped meanwhile.
        if Rc::strong_count(&sentinel) > 1 {
            sentinel.replace(granted);
        } else if let Some(granted) = granted {
            call_method(&granted, "release", &Array::new()).await;
        }
    });
}
