//! A recording as a `<video>` element plays it.

use web_sys::{HtmlVideoElement, Url};

use super::Piece;

/// A recording under an address that only this page knows. Freed when dropped.
#[derive(Debug)]
pub struct Clip {
    url: String,
}

impl Clip {
    /// `None`: the browser is out of memory.
    pub fn new<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Option<Self> {
        let file = Piece::file(pieces)?;
        let url = Url::create_object_url_with_blob(&file).ok()?;
        Some(Self { url })
    }

    /// For `src`.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Clip {
    fn drop(&mut self) {
        // Fails for addresses that aren't ours only.
        let _ = Url::revoke_object_url(&self.url);
    }
}

/// Browsers record WebM without a duration, and then can't show one or seek. Jumping far behind the end
/// makes them look for it.
pub fn learn_duration(video: &HtmlVideoElement) {
    const BEHIND_EVERY_END: f64 = 1e9;
    if video.duration().is_infinite() {
        video.set_current_time(BEHIND_EVERY_END);
    }
}

/// Silences it.
pub fn pause(video: &HtmlVideoElement) {
    // Fails for what isn't a media element.
    let _ = video.pause();
}

/// Back from that jump, once it has served.
pub fn rewind(video: &HtmlVideoElement) {
    if video.duration().is_finite() && video.paused() {
        video.set_current_time(0.0);
    }
}
