//! The player: a `<video>` in an iframe, whose requests go through a service worker (`watch.js`).
//!
//! A service worker controls pages, not URLs: it intercepts every request of the pages in its scope. The player
//! therefore has a page of its own, and recordings never go through the worker.

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

use super::blob::BlobUrl;
use super::listener::Listener;
use super::{HtmlIFrameElement, sleep};

const WORKER: &str = "/watch.js";

/// How long the worker may take to control the iframe.
const WORKER_TIMEOUT: Duration = Duration::from_secs(20);

/// The `<video>` in the iframe. Clones share it.
#[derive(Clone)]
pub struct Player(Rc<Inner>);

struct Inner {
    window: Window,
    video: HtmlVideoElement,
    /// Answers the worker with the token, which is therefore available exactly as long as the player exists.
    token_listener: RefCell<Option<Listener>>,
    error_listener: RefCell<Option<Listener>>,
    time_listener: RefCell<Option<Listener>>,
    blob_url: RefCell<Option<BlobUrl>>,
    /// Where the video begins on the player's timeline, in seconds; `None`: not known yet.
    ///
    /// The timestamps of a WebM may count from when the camera was opened. Firefox subtracts that offset; Chromium
    /// doesn't (HTML, section 4.8.11.6, "Offsets into the media resource").
    start_time: Rc<Cell<Option<f64>>>,
    _load_listener: Listener,
}

impl Player {
    /// The page of the iframe, and the scope of its worker.
    pub const PAGE: &str = "/watch/";

    /// Where the worker answers with a video: to the player, or to be saved.
    pub fn url(video: &str) -> String {
        format!("{}{video}", Self::PAGE)
    }

    /// The player in this iframe, once its page is loaded.
    pub fn from_frame(frame: &HtmlIFrameElement) -> Option<Self> {
        let window = frame.content_window()?;
        let video = window.document()?.query_selector("video").ok()??;
        // The iframe has classes of its own, so a checked cast would fail.
        let video: HtmlVideoElement = video.unchecked_into();
        let start_time = Rc::new(Cell::new(None));
        let (element, known) = (video.clone(), start_time.clone());
        let load_listener = Listener::new(&video, "loadeddata", move |_| {
            if known.get().is_none() {
                known.set(Some(element.current_time()));
            }
            // Chromium plays the sound alone of a video that it can't decode, without an error: this is one.
            if element.video_width() == 0 {
                element.set_src("");
            }
        });
        Some(Self(Rc::new(Inner {
            window,
            video,
            start_time,
            _load_listener: load_listener,
            token_listener: RefCell::default(),
            error_listener: RefCell::default(),
            time_listener: RefCell::default(),
            blob_url: RefCell::default(),
        })))
    }

    /// Calls back whenever the video can't be played, or playback fails.
    pub fn on_error(&self, callback: impl Fn() + 'static) {
        let listener = Listener::new(&self.0.video, "error", move |_| callback());
        self.0.error_listener.replace(Some(listener));
    }

    /// Calls back with the time that is shown, in seconds from the first frame: while it plays about four times a second,
    /// and after a seek.
    pub fn on_time(&self, callback: impl Fn(f64) + 'static) {
        let (video, start_time) = (self.0.video.clone(), self.0.start_time.clone());
        let listener = Listener::new(&self.0.video, "timeupdate", move |_| {
            callback(video.current_time() - start_time.get().unwrap_or(0.0));
        });
        self.0.time_listener.replace(Some(listener));
    }

    /// Streams a video through the worker, with seeking.
    /// `false`: this browser has no service workers, or they are disabled.
    pub async fn stream(&self, video: &str, token: &str) -> bool {
        let Some(workers) = service_workers(&self.0.window) else {
            return false;
        };
        self.answer_token_requests(&workers, video, token);
        let ready = std::pin::pin!(wait_until_controlled(&workers));
        let timer = std::pin::pin!(sleep(WORKER_TIMEOUT));
        let ready = match select(ready, timer).await {
            Either::Left((ready, _)) => ready.is_ok(),
            Either::Right(_) => false,
        };
        if ready {
            self.0.video.set_src(&Self::url(video));
        }
        ready
    }

    /// Shows the captions at this URL, in place of others.
    pub fn show_captions(&self, url: &str) {
        let track = ["<track kind=captions default src='", url, "'>"].concat();
        self.0.video.set_inner_html(&track);
    }

    /// Plays a video that was downloaded.
    pub fn play_blob(&self, video: BlobUrl) {
        self.0.video.set_src(video.as_str());
        self.0.blob_url.replace(Some(video));
    }

    /// The time that is shown, in milliseconds from the first frame.
    pub fn position_ms(&self) -> u64 {
        let start_time = self.0.start_time.get().unwrap_or(0.0);
        let millis = (self.0.video.current_time() - start_time) * 1000.0;
        // Not negative, and far below 2⁵³.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let whole = millis.max(0.0) as u64;
        whole
    }

    /// Seeks to a time that counts from the first frame.
    pub fn seek(&self, at_ms: u64) {
        // Exact up to 2⁵³.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let seconds = at_ms as f64 / 1000.0;
        let start_time = self.0.start_time.get().unwrap_or(0.0);
        // After a seek, `loadeddata` would report the position and not the start.
        self.0.start_time.set(Some(start_time));
        self.0.video.set_current_time(start_time + seconds);
    }

    fn answer_token_requests(&self, workers: &ServiceWorkerContainer, video: &str, token: &str) {
        let (video, token) = (video.to_owned(), JsValue::from_str(token));
        let listener = Listener::new(workers, "message", move |event| {
            let event: MessageEvent = event.unchecked_into();
            let port: MessagePort = event.ports().get(0).unchecked_into();
            if event.data().as_string().as_ref() == Some(&video) {
                // It fails for no text.
                let _ = port.post_message(&token);
            }
        });
        self.0.token_listener.replace(Some(listener));
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // A video in an iframe that is being removed would be heard a moment longer.
        let _ = self.video.pause();
    }
}

/// `None`: the browser, its private mode, or an insecure context has none.
fn service_workers(window: &Window) -> Option<ServiceWorkerContainer> {
    let workers = window.navigator().service_worker();
    // It may be undefined, although its type doesn't allow that.
    (!workers.is_undefined()).then_some(workers)
}

/// Registers the worker and waits until it controls the iframe.
async fn wait_until_controlled(workers: &ServiceWorkerContainer) -> Result<(), JsValue> {
    let options = RegistrationOptions::new();
    options.set_scope(Player::PAGE);
    options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
    JsFuture::from(workers.register_with_options(WORKER, &options)).await?;
    JsFuture::from(workers.ready()?).await?;
    // An iframe that was loaded before the worker is claimed by it a moment later.
    let (sender, claimed) = oneshot::channel();
    let mut sender = Some(sender);
    let _listener = Listener::new(workers, "controllerchange", move |_| {
        if let Some(sender) = sender.take() {
            let _ = sender.send(());
        }
    });
    if workers.controller().is_none() {
        let _ = claimed.await;
    }
    Ok(())
}
