//! A recording that a `<video>` element can play.

use js_sys::Uint8Array;
use web_sys::{HtmlVideoElement, Url};

use super::{Piece, mp4_duration};

/// A `blob:` URL of a whole recording, revoked when dropped.
#[derive(Debug)]
pub struct Clip {
    url: String,
}

impl Clip {
    /// Joins the pieces of a recording. `None`: there are no bytes, or the browser is out of memory.
    ///
    /// `duration_ms`, if known, is written into the head of an MP4 that has no duration.
    pub async fn new(mut pieces: Vec<Piece>, duration_ms: Option<u32>) -> Option<Self> {
        if let (Some(first), Some(duration_ms)) = (pieces.first(), duration_ms)
            && first.media_type().starts_with("video/mp4")
            && let Some(rewritten) = write_duration(first, duration_ms).await
        {
            pieces.splice(..1, rewritten);
        }
        let blob = Piece::concat(&pieces).filter(|it| it.size() > 0.0)?;
        let url = Url::create_object_url_with_blob(&blob).ok()?;
        Some(Self { url })
    }

    /// The URL, for a `src` attribute.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// Replaces the first piece by its rewritten head and the rest.
async fn write_duration(first: &Piece, duration_ms: u32) -> Option<[Piece; 2]> {
    let (head, rest) = first.split_at(mp4_duration::MAX_HEAD_BYTES)?;
    let bytes = Uint8Array::new(&head.read().await?);
    let mut rewritten = bytes.to_vec();
    mp4_duration::write(&mut rewritten, duration_ms);
    bytes.copy_from(&rewritten);
    Some([Piece::from_bytes(&bytes, &first.media_type())?, rest])
}

impl Drop for Clip {
    fn drop(&mut self) {
        // Fails only for a URL that this page didn't create.
        let _ = Url::revoke_object_url(&self.url);
    }
}

/// Makes the browser determine the duration of a WebM that has none, by a seek far behind its end.
///
/// Browsers record WebM without a duration, and until they know it they neither show it nor seek.
pub fn probe_duration(video: &HtmlVideoElement) {
    const BEHIND_ANY_END: f64 = 1e9;
    if video.duration().is_infinite() {
        video.set_current_time(BEHIND_ANY_END);
    }
}

/// Shows the first frame, also after [`probe_duration`].
pub fn show_first_frame(video: &HtmlVideoElement) {
    /// Not 0: on iOS a video is black until something has been sought or played.
    const FIRST_FRAME: f64 = 0.001;
    if video.duration().is_finite() && video.paused() {
        video.set_current_time(FIRST_FRAME);
    }
}

/// Whether the browser knows the frames of a video whose metadata are loaded.
/// It plays the sound of a file whose video it can't decode, beside black.
pub fn has_frames(video: &HtmlVideoElement) -> bool {
    video.video_width() > 0
}

/// Pauses the video.
pub fn pause(video: &HtmlVideoElement) {
    // Fails only for what isn't a media element.
    let _ = video.pause();
}
