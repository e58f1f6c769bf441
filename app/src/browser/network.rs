//! Timeouts, waits that an event can end, and the events of connection and visibility.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::FutureExt;
use futures_util::StreamExt;
#[cfg(feature = "recorder")]
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
#[cfg(feature = "console")]
use web_sys::RequestCache;
use web_sys::{AbortController, AbortSignal};

#[cfg(feature = "recorder")]
use super::js::get_field;
use super::listener::Listener;

/// Aborts a request when dropped. It has to outlive the reading of the response's body.
pub struct AbortGuard(Option<AbortController>);

impl AbortGuard {
    /// A guard for one request.
    pub fn new() -> Self {
        Self(AbortController::new().ok())
    }

    /// The signal to pass to the request.
    pub fn signal(&self) -> Option<AbortSignal> {
        self.0.as_ref().map(AbortController::signal)
    }
}

impl Drop for AbortGuard {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

/// By then the page has usually drawn what a press has changed. To begin a request takes some phones longer than a frame
/// lasts.
#[cfg(feature = "recorder")]
pub const DRAWN: Duration = Duration::from_millis(100);

/// Waits.
pub async fn sleep(time: Duration) {
    timer(time).await;
}

/// Goes on in a task of its own, so that events that wait may come first.
#[cfg(feature = "recorder")]
pub async fn next_task() {
    timer(Duration::ZERO).await;
}

/// Awaits a future for at most this time. `None`: the time ran out.
pub fn timeout<T>(
    time: Duration,
    work: impl Future<Output = T>,
) -> impl Future<Output = Option<T>> {
    // With `async` or `select` each of the many callers would add a hundred bytes to the WASM.
    let (mut work, mut timer) = (Box::pin(work), timer(time));
    poll_fn(move |context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => timer.poll_unpin(context).map(|()| None),
    })
}

/// Calls back after this time.
#[cfg(feature = "recorder")]
pub fn after(time: Duration, callback: impl FnOnce() + 'static) {
    // Boxed here: the rest is compiled once, and not for each callback.
    call_after(time, Box::new(callback));
}

#[cfg(feature = "recorder")]
fn call_after(time: Duration, callback: Box<dyn FnOnce()>) {
    Timeout::new(milliseconds(time), callback).forget();
}

fn timer(time: Duration) -> TimeoutFuture {
    TimeoutFuture::new(milliseconds(time))
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

/// Waits, at most until the browser is online again, the page is shown or hidden, or the person presses something.
#[cfg(feature = "recorder")]
pub async fn sleep_or_wake(time: Duration) {
    timeout(time, any(["online", "click", "visibilitychange"])).await;
}

/// Waits, at most until the browser is online again or the page is shown or hidden.
#[cfg(feature = "console")]
pub async fn sleep_or_return(time: Duration) {
    timeout(time, any(["online", "visibilitychange"])).await;
}

/// A request that neither reads nor fills the browser's cache.
#[cfg(feature = "console")]
pub const NO_STORE: RequestCache = RequestCache::NoStore;

/// Whether the page is hidden: in a background tab, or behind another app.
pub fn is_hidden() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.hidden())
}

/// Whether the browser knows that there is no network.
pub fn is_offline() -> bool {
    web_sys::window().is_some_and(|window| !window.navigator().on_line())
}

/// The downlink in bits per second, as the browser estimates it. Most browsers don't.
#[cfg(feature = "recorder")]
pub fn downlink_estimate() -> Option<f64> {
    const MEGABIT: f64 = 1e6;
    let connection = get_field(&web_sys::window()?.navigator(), "connection");
    get_field(&connection, "downlink")
        .as_f64()
        .map(|it| it * MEGABIT)
}

/// Waits until the browser knows that there is no network.
#[cfg(feature = "console")]
pub async fn wait_until_offline() {
    any(["offline"]).await;
}

/// Calls back whenever the browser goes offline or online, for the lifetime of the page.
#[cfg(feature = "recorder")]
pub fn on_connection_change(callback: impl Fn() + Clone + 'static) {
    for name in ["online", "offline"] {
        std::mem::forget(on(name, callback.clone()));
    }
}

/// Calls back whenever the page is hidden, for the lifetime of the page.
/// It may never become visible again.
#[cfg(feature = "recorder")]
pub fn on_hidden(callback: impl Fn() + 'static) {
    std::mem::forget(on("visibilitychange", move || {
        if is_hidden() {
            callback();
        }
    }));
}

/// Listens to an event of the window, or one that comes up to it.
fn on(name: &'static str, callback: impl Fn() + 'static) -> Option<Listener> {
    let window = web_sys::window()?;
    Some(Listener::new(&window, name, move |_| callback()))
}

/// Waits for one of these events.
async fn any<const N: usize>(names: [&'static str; N]) {
    let (sender, mut receiver): (_, UnboundedReceiver<()>) = unbounded();
    // The receiver is dropped only together with these listeners.
    let _listeners = names.map(|name| {
        let sender = sender.clone();
        on(name, move || drop(sender.unbounded_send(())))
    });
    receiver.next().await;
}

/// A random number from 0 to 1, to spread retries.
pub fn jitter() -> f64 {
    js_sys::Math::random()
}
