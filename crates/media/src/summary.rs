//! The summary of a recording: its tracks, duration and keyframes.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The codec of a video track.
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
    /// Any other codec.
    Other,
}

impl Codec {
    /// Its name, as ffprobe and other tools of the field have it. `None`: it isn't known.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Vp8 => "vp8",
            Self::Vp9 => "vp9",
            Self::Av1 => "av1",
            Self::H264 => "h264",
            Self::H265 => "hevc",
            Self::Other => return None,
        })
    }
}

/// Whether these transfer characteristics (ITU-T H.273, table 3) are of HDR: PQ (SMPTE ST 2084) or HLG (ARIB STD-B67).
pub(super) const fn is_hdr_transfer(transfer: u64) -> bool {
    matches!(transfer, 16 | 18)
}

/// How far a decoded picture must be rotated clockwise to be upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rotation {
    /// 0°
    #[default]
    None,
    /// 90°
    Quarter,
    /// 180°
    Half,
    /// 270°
    ThreeQuarters,
}

/// The video track of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoTrack {
    /// The codec of its pictures.
    pub codec: Codec,
    /// The decoder configuration as the container stores it, often empty.
    ///
    /// In MP4 the payload of `avcC`, `hvcC`, `av1C` or `vpcC`, in Matroska CodecPrivate.
    pub config: Vec<u8>,
    /// Width in pixels as coded, before rotation.
    pub width: u32,
    /// Height in pixels as coded, before rotation.
    pub height: u32,
    /// To be applied after decoding.
    pub rotation: Rotation,
}

/// A picture that can be decoded without any other one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyframe {
    /// Presentation time, from the first frame of the video on.
    pub at: Duration,
    /// Where its coded bytes lie in the recording, without the container's headers.
    pub bytes: Range<u64>,
}

/// A coded picture, which may depend on those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedPicture {
    /// Presentation time, from the first frame of the video on.
    /// `None`: it isn't shown; others may depend on it.
    pub at: Option<Duration>,
    /// Composition time in ticks of the track: the order in which a decoder, which knows no edits, returns pictures.
    pub composition_time: i64,
    /// Where its coded bytes lie in the recording.
    pub bytes: Range<u64>,
    /// Whether it can be decoded without any other picture.
    pub is_keyframe: bool,
}

/// What a recording contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The first video track.
    pub video: VideoTrack,
    /// Whether the file says that the pictures of this track are HDR.
    pub is_hdr: bool,
    /// Whether there is audio.
    pub has_audio: bool,
    /// From the first frame to the end of the last picture or sound.
    pub duration: Duration,
    /// Evenly thinned out to at most [`MAX_KEYFRAMES`], in presentation order.
    pub keyframes: Vec<Keyframe>,
    /// All pictures in decoding order.
    /// Empty: there are more than [`MAX_PICTURES`], or one of them can't be decoded from its bytes and those of the
    /// pictures before it alone.
    pub pictures: Vec<CodedPicture>,
    /// Whether the file says where it was recorded.
    pub has_location: bool,
    /// Offset behind the last complete element, in bytes. What follows is cut off, and not served.
    pub end: u64,
    /// What is missing at the end. `None`: nothing, as far as the file tells.
    pub truncation: Option<Truncation>,
}

/// What a truncated file lacks at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The file doesn't declare a duration, like a live recording of a browser that crashed.
    Unknown,
    /// The difference to the duration that the file declares.
    Time(Duration),
}

impl Truncation {
    /// Compares the declared duration, zero for none, with the actual one.
    ///
    /// `None`: the file isn't cut off. A declared duration alone proves nothing, because some recorders write how long
    /// they had been running.
    pub(super) fn detect(declared: Duration, actual: Duration, is_cut: bool) -> Option<Self> {
        /// Smaller differences are rounding, or the duration of the last frame.
        const MIN_DIFFERENCE: Duration = Duration::from_millis(500);
        is_cut.then(|| match declared.saturating_sub(actual) {
            missing if missing >= MIN_DIFFERENCE => Self::Time(missing),
            _ => Self::Unknown,
        })
    }
}

/// Maximum number of keyframes that a [`Summary`] lists.
pub const MAX_KEYFRAMES: usize = 4096;

/// Maximum number of pictures that a [`Summary`] lists: eighteen minutes of them.
pub const MAX_PICTURES: usize = 32_768;

/// The result of reading a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// What the recording contains.
    pub summary: Summary,
    /// The bytes to serve in front of the recording to make it seekable. Empty: it is seekable already.
    pub index: Vec<u8>,
}

/// Why a recording isn't a playable video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// The structure of the file is missing or malformed.
    #[error("the file can't be read")]
    Unreadable,
    /// It has no video track.
    #[error("there is no video in it")]
    NoVideo,
    /// Its video track has no keyframe.
    #[error("there is no picture in it")]
    NoFrame,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_second_counts_as_missing_only_in_a_truncated_file() {
        let (actual, min) = (Duration::from_secs(9), Duration::from_millis(500));
        let detect = |missing, is_cut| Truncation::detect(actual + missing, actual, is_cut);
        assert_eq!(detect(min, true), Some(Truncation::Time(min)));
        let less = Duration::from_millis(499);
        assert_eq!(detect(less, true), Some(Truncation::Unknown));
        assert_eq!(detect(min, false), None);
    }
}
