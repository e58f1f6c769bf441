//! Waiting for the network, and giving up on it.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::FutureExt;
use futures_util::StreamExt;
use gloo_timers::future::TimeoutFuture;
#[cfg(feature = "console")]
use web_sys::RequestCache;
use web_sys::{AbortController, AbortSignal, EventTarget};

use super::listener::Listener;

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

/// Ends after this time.
pub async fn wait(time: Duration) {
    timer(time).await;
}

/// What comes of this, if it comes within this time.
pub fn within<T>(time: Duration, work: impl Future<Output = T>) -> impl Future<Output = Option<T>> {
    // Neither `async` nor `select`: each of its many callers would weigh a hundred bytes more.
    let (mut work, mut timer) = (Box::pin(work), timer(time));
    poll_fn(move |context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => timer.poll_unpin(context).map(|()| None),
    })
}

fn timer(time: Duration) -> TimeoutFuture {
    TimeoutFuture::new(u32::try_from(time.as_millis()).unwrap_or(u32::MAX))
}

/// Ends after this time, or as soon as the browser is online again.
#[cfg(feature = "recorder")]
pub async fn wait_or_online(time: Duration) {
    wait_or(time, [Event::online()]).await;
}

/// Likewise, or as soon as the person comes back to the page.
#[cfg(feature = "console")]
pub async fn wait_or_back(time: Duration) {
    wait_or(time, [Event::online(), Event::seen()]).await;
}

/// Neither asks the browser's cache nor fills it.
#[cfg(feature = "console")]
pub const UNCACHED: RequestCache = RequestCache::NoStore;

/// Whether nobody sees the page.
pub fn is_hidden() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.hidden())
}

/// Whether the browser knows that there is no network.
pub fn is_offline() -> bool {
    web_sys::window().is_some_and(|window| !window.navigator().on_line())
}

/// Waits until the browser knows that there is no network.
#[cfg(feature = "console")]
pub async fn offline() {
    any([Event::offline()]).await;
}

/// Calls this whenever the browser loses the network or has it back, for as long as the page lives.
#[cfg(feature = "recorder")]
pub fn on_connection(hear: impl Fn() + Clone + 'static) {
    for event in [Event::online(), Event::offline()] {
        if let Some(target) = event.target {
            let hear = hear.clone();
            std::mem::forget(Listener::new(&target, event.name, move |_| hear()));
        }
    }
}

/// Calls this whenever the page is put aside, perhaps for good, for as long as it lives.
#[cfg(feature = "recorder")]
pub fn on_hidden(hear: impl Fn() + 'static) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(document) = document {
        let listening = Listener::new(&document, "visibilitychange", move |_| {
            if is_hidden() {
                hear();
            }
        });
        std::mem::forget(listening);
    }
}

/// Something that ends a wait.
struct Event {
    target: Option<EventTarget>,
    name: &'static str,
    counts: fn() -> bool,
}

impl Event {
    fn online() -> Self {
        Self {
            target: web_sys::window().map(EventTarget::from),
            name: "online",
            counts: || true,
        }
    }

    fn offline() -> Self {
        Self {
            name: "offline",
            ..Self::online()
        }
    }

    #[cfg(feature = "console")]
    fn seen() -> Self {
        let document = web_sys::window().and_then(|window| window.document());
        Self {
            target: document.map(EventTarget::from),
            name: "visibilitychange",
            counts: || !is_hidden(),
        }
    }
}

async fn wait_or<const N: usize>(time: Duration, events: [Event; N]) {
    within(time, any(events)).await;
}

async fn any<const N: usize>(events: [Event; N]) {
    let (tell, mut told): (_, UnboundedReceiver<()>) = unbounded();
    let _listening = events.map(|event| {
        let tell = tell.clone();
        event.target.map(|target| {
            Listener::new(&target, event.name, move |_| {
                if (event.counts)() {
                    // Nobody waits any more only when this is about to be removed.
                    let _ = tell.unbounded_send(());
                }
            })
        })
    });
    told.next().await;
}

/// A random number from 0 to 1, for spreading retries.
pub fn jitter() -> f64 {
    js_sys::Math::random()
}
