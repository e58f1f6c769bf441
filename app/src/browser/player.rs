//! The player: a `<video>` in a frame of its own, whose requests a service worker answers (`watch.js`).
//!
//! A worker serves pages, not addresses: it stands between a page and everything that this page asks for.
//! So the player has a page to itself, and no recording ever goes through the worker.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    HtmlVideoElement, MessageEvent, MessagePort, RegistrationOptions, ServiceWorkerContainer,
    ServiceWorkerUpdateViaCache, Window,
};

use super::blob_url::BlobUrl;
use super::listener::Listener;
use super::{HtmlIFrameElement, wait};

const WORKER: &str = "/watch.js";

/// A worker that isn't there by then won't come.
const PATIENCE: Duration = Duration::from_secs(6);

/// The element in the frame. Cheap to clone.
#[derive(Clone)]
pub struct Player(Rc<Inner>);

struct Inner {
    window: Window,
    video: HtmlVideoElement,
    /// What answers the worker, and with it the token, lives exactly as long as the player.
    answering: RefCell<Option<Listener>>,
    failing: RefCell<Option<Listener>>,
    whole: RefCell<Option<BlobUrl>>,
    /// Where the video begins on the player's clock, in seconds. WebM may count from when the camera was switched
    /// on. Firefox takes that away; Chromium doesn't (HTML, section 4.8.11.6, "Offsets into the media resource").
    /// `None`: not known yet.
    begin: Rc<Cell<Option<f64>>>,
    _loading: Listener,
}

impl Player {
    /// The page for the frame; also the scope of its worker.
    pub const PAGE: &str = "/watch/";

    /// The one in this frame, once its page is loaded.
    pub fn in_frame(frame: &HtmlIFrameElement) -> Option<Self> {
        let window = frame.content_window()?;
        let video = window.document()?.query_selector("video").ok()??;
        // Another frame's elements are of another frame's class: a checked cast would say no.
        let video: HtmlVideoElement = video.unchecked_into();
        let begin = Rc::new(Cell::new(None));
        let (element, known) = (video.clone(), begin.clone());
        let loading = Listener::new(&video, "loadeddata", move |_| {
            if known.get().is_none() {
                known.set(Some(element.current_time()));
            }
        });
        Some(Self(Rc::new(Inner {
            window,
            video,
            begin,
            _loading: loading,
            answering: RefCell::default(),
            failing: RefCell::default(),
            whole: RefCell::default(),
        })))
    }

    /// Calls this whenever the video can't be played, or not on.
    pub fn on_error(&self, hear: impl Fn() + 'static) {
        let failing = Listener::new(&self.0.video, "error", move |_| hear());
        self.0.failing.replace(Some(failing));
    }

    /// Plays a video as it comes, and seeks in what isn't here yet. `false`: this browser has no workers,
    /// or they are switched off.
    pub async fn stream(&self, video: &str, token: &str) -> bool {
        let Some(workers) = workers(&self.0.window) else {
            return false;
        };
        self.answer(&workers, video, token);
        let ready = std::pin::pin!(ready(&workers));
        let patience = std::pin::pin!(wait(PATIENCE));
        let ready = match select(ready, patience).await {
            Either::Left((ready, _)) => ready.is_ok(),
            Either::Right(_) => false,
        };
        if ready {
            self.0.video.set_src(&format!("{}{video}", Self::PAGE));
        }
        ready
    }

    /// Plays a video that is here already.
    pub fn play_whole(&self, video: BlobUrl) {
        self.0.video.set_src(video.as_str());
        self.0.whole.replace(Some(video));
    }

    /// Goes to a moment, counted from the first frame.
    pub fn seek(&self, at_ms: u64) {
        // Exact up to 2⁵³.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let seconds = at_ms as f64 / 1000.0;
        let begin = self.0.begin.get().unwrap_or(0.0);
        // Where it is from now on isn't its beginning.
        self.0.begin.set(Some(begin));
        self.0.video.set_current_time(begin + seconds);
    }

    /// Tells the worker the token, whenever it asks.
    fn answer(&self, workers: &ServiceWorkerContainer, video: &str, token: &str) {
        let (video, token) = (video.to_owned(), JsValue::from_str(token));
        let answering = Listener::new(workers, "message", move |event| {
            let event: MessageEvent = event.unchecked_into();
            let port: MessagePort = event.ports().get(0).unchecked_into();
            if event.data().as_string().as_ref() == Some(&video) {
                // Fails for no text.
                let _ = port.post_message(&token);
            }
        });
        self.0.answering.replace(Some(answering));
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // What plays on in a frame that is about to go would be heard a moment longer.
        let _ = self.video.pause();
    }
}

/// `None`: not in this browser, not in this mode of it, or not on a page that isn't secure.
fn workers(window: &Window) -> Option<ServiceWorkerContainer> {
    let workers = window.navigator().service_worker();
    // Whatever its type says.
    (!workers.is_undefined()).then_some(workers)
}

/// Ends when the worker serves the frame.
async fn ready(workers: &ServiceWorkerContainer) -> Result<(), JsValue> {
    let options = RegistrationOptions::new();
    options.set_scope(Player::PAGE);
    options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
    JsFuture::from(workers.register_with_options(WORKER, &options)).await?;
    JsFuture::from(workers.ready()?).await?;
    // A frame that was loaded before the worker is claimed by it a moment later.
    let (tell, claimed) = oneshot::channel();
    let mut tell = Some(tell);
    let _listening = Listener::new(workers, "controllerchange", move |_| {
        if let Some(tell) = tell.take() {
            let _ = tell.send(());
        }
    });
    if workers.controller().is_none() {
        let _ = claimed.await;
    }
    Ok(())
}
