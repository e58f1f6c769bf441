//! What a recording says about itself.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How pictures are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Codec {
    /// VP8 (RFC 6386).
    Vp8,
    /// VP9.
    Vp9,
    /// AV1.
    Av1,
    /// H.264, AVC.
    H264,
    /// H.265, HEVC.
    H265,
    /// Something else.
    Other,
}

/// How far a picture must be turned, clockwise, to stand upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rotation {
    /// Not at all.
    #[default]
    None,
    /// By 90°.
    Quarter,
    /// By 180°.
    Half,
    /// By 270°.
    ThreeQuarters,
}

/// The pictures of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoTrack {
    /// How they are coded.
    pub codec: Codec,
    /// What a decoder must know beforehand, as the container keeps it: `avcC`, `hvcC`, `av1C`, `vpcC`
    /// without the box's header, or Matroska's CodecPrivate. Often empty.
    pub config: Vec<u8>,
    /// In pixels, as coded: before it is turned.
    pub width: u32,
    /// Likewise.
    pub height: u32,
    /// To be applied after decoding.
    pub rotation: Rotation,
}

/// A picture that needs no other one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyframe {
    /// When it is shown, from the first frame of the video on.
    pub at: Duration,
    /// Where its coded bytes lie in the recording, without any header of the container.
    pub bytes: Range<u64>,
}

/// A picture, which may need those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedPicture {
    /// When it is shown, from the first frame of the video on. `None`: never, but others may need it.
    pub at: Option<Duration>,
    /// In which order they are handed out by a decoder, which knows of no edit: in ticks of the track.
    pub order: i64,
    /// Where its coded bytes lie in the recording.
    pub bytes: Range<u64>,
    /// Whether it needs no other one.
    pub key: bool,
}

/// What a recording says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Of the first video track.
    pub video: VideoTrack,
    /// Whether there is sound.
    pub audio: bool,
    /// From the first frame to the end of what is shown or heard last.
    pub duration: Duration,
    /// Evenly thinned out to at most [`MOST_KEYFRAMES`], in the order of time.
    pub keyframes: Vec<Keyframe>,
    /// All pictures in the order of decoding, where keyframes are so rare that they show little. Otherwise empty, and
    /// where a picture can't be cut out with those before it.
    pub pictures: Vec<CodedPicture>,
    /// Whether the file says where it was filmed.
    pub located: bool,
    /// Where the last whole element ends, in bytes: beyond it the recording is cut off, and not served.
    pub end: u64,
    /// Whether the end of it is missing. `None`: not as far as the file tells.
    pub missing: Option<Missing>,
}

/// What a file lacks at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It breaks off, as what was recorded until the browser crashed, and doesn't say how long it was to be.
    Unknown,
    /// So much of what it says it is.
    Time(Duration),
}

impl Missing {
    /// Of a file that breaks off or doesn't, and says that it is so long. Nought: it doesn't say. That alone is not
    /// believed: some recorders write how long they were running.
    pub(super) fn of(promised: Duration, there: Duration, broken_off: bool) -> Option<Self> {
        /// Less is rounding, or how long the last frame is shown.
        const LEAST: Duration = Duration::from_millis(500);
        broken_off.then(|| match promised.saturating_sub(there) {
            missing if missing >= LEAST => Self::Time(missing),
            _ => Self::Unknown,
        })
    }
}

/// As many keyframes as [`Facts`] name.
pub const MOST_KEYFRAMES: usize = 4096;

/// With as many keyframes a video is shown by those alone.
pub const ENOUGH_KEYFRAMES: usize = 12;

/// As many pictures as [`Facts`] list at most: four minutes of them.
pub const MOST_PICTURES: usize = 8192;

/// What a recording becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// What it says about itself.
    pub facts: Facts,
    /// What goes in front of it so that it can be sought. Empty: it can be already.
    pub index: Vec<u8>,
}

/// Why a recording can't become a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The file's structure isn't there or makes no sense.
    #[error("the file can't be read")]
    Unreadable,
    /// It has no pictures.
    #[error("there is no video in it")]
    NoVideo,
    /// It names pictures, and has none to begin with.
    #[error("there is no picture in it")]
    NoFrame,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_second_is_missing_only_of_a_file_that_breaks_off() {
        let (there, most) = (Duration::from_secs(9), Duration::from_millis(500));
        let of = |missing, broken_off| Missing::of(there + missing, there, broken_off);
        assert_eq!(of(most, true), Some(Missing::Time(most)));
        let less = Duration::from_millis(499);
        assert_eq!(of(less, true), Some(Missing::Unknown));
        assert_eq!(of(most, false), None);
    }
}
