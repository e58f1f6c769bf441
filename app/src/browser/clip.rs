//! A recording as a `<video>` element plays it.

use js_sys::Uint8Array;
use web_sys::{HtmlVideoElement, Url};

use super::{Piece, mp4_length};

/// A recording under an address that only this page knows. Freed when dropped.
#[derive(Debug)]
pub struct Clip {
    url: String,
}

impl Clip {
    /// Of all these pieces. `length_ms` goes into the head of an MP4 that lacks it; `None`: not known. No clip: there
    /// are no bytes, or the browser is out of memory.
    pub async fn new(mut pieces: Vec<Piece>, length_ms: Option<u32>) -> Option<Self> {
        if let (Some(first), Some(length_ms)) = (pieces.first(), length_ms)
            && first.media_type().starts_with("video/mp4")
            && let Some(told) = tell_length(first, length_ms).await
        {
            pieces.splice(..1, told);
        }
        let file = Piece::file(&pieces).filter(|it| it.size() > 0.0)?;
        let url = Url::create_object_url_with_blob(&file).ok()?;
        Some(Self { url })
    }

    /// For `src`.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// The first piece, in two parts.
async fn tell_length(first: &Piece, length_ms: u32) -> Option<[Piece; 2]> {
    let (head, rest) = first.split_at(mp4_length::LONGEST_HEAD)?;
    let bytes = Uint8Array::new(&head.bytes().await?);
    let mut written = bytes.to_vec();
    mp4_length::write(&mut written, length_ms);
    bytes.copy_from(&written);
    Some([Piece::of_bytes(&bytes, &first.media_type())?, rest])
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
