//! How large stills may be, and what memory they take.

use super::{MAX_STILLS_BYTES, STILL_SIDE, ffmpeg};
use media::VideoTrack;

/// How large stills may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Maximum length of the longer side, in pixels; at most that of [`Size::FULL`]. Nothing is enlarged.
    pub side: u32,
    /// Maximum size of all of them together, in bytes.
    pub bytes: usize,
}

impl Size {
    /// Of the stills that every video has.
    pub const STILLS: Self = Self {
        side: STILL_SIDE,
        bytes: MAX_STILLS_BYTES,
    };

    /// Of a picture in the resolution in which it was recorded, up to 4K.
    pub const FULL: Self = Self {
        side: 4096,
        bytes: 3 << 20,
    };
}

impl Size {
    /// At most as large as the container declares the video: the coded frames may be larger.
    #[must_use]
    pub fn within(self, video: &VideoTrack) -> Self {
        let declared = video.width.max(video.height);
        Self {
            side: if declared == 0 {
                self.side
            } else {
                self.side.min(declared)
            },
            ..self
        }
    }
}

/// About the most bytes that the server's process buffers for one call of [`make_sized`]: the coded ones and a copy of
/// them, `images` that ffmpeg writes, and the stills as they come and as they are returned.
pub const fn buffered_bytes(coded: u64, images: usize, size: Size) -> u64 {
    2 * coded + images as u64 * ffmpeg::max_image_bytes(size.side) + 2 * size.bytes as u64
}
