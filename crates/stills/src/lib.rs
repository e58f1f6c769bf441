//! Makes stills of a video: its keyframes and, where those are rare, pictures between them.
//!
//! Uploaded bytes are never decoded in the server's process. The server starts its own executable once more as
//! a worker, which first gives up every right that a decoder doesn't need (`sandbox`). VP8 and H.264 are built
//! in. For the other codecs, and for H.264 that the built-in decoder can't read, the worker executes ffmpeg
//! inside the same kind of sandbox, if ffmpeg is installed.
//!
//! Not here: finding keyframes (`media`), reading their bytes and storing the stills (the server).

mod annex_b;
mod contact_sheet;
mod decode;
mod decoders;
mod ffmpeg;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod illustrate;
mod image;
mod pipeline;
mod protocol;
mod sandbox;
mod select;
mod size;
mod subprocess;
mod worker;

use std::io;
use std::time::Duration;

pub use contact_sheet::{ContactSheet, MAX_CONTACT_SHEET_BYTES};
pub use decoders::{Decoders, TimeLimits};
pub use illustrate::{Illustrations, illustrate};
pub use pipeline::{make, make_sized};
pub use select::{Group, Moment, beginning, choose, exact};
pub use size::{Size, buffered_bytes};
pub use worker::{is_worker, run_worker};

use media::Codec;

/// Maximum number of stills of one video.
pub const MAX_STILLS: usize = 12;

/// Maximum length of a still's longer side, in pixels.
pub const STILL_SIDE: u32 = 768;

/// Maximum size of all stills of one video together, in bytes.
pub const MAX_STILLS_BYTES: usize = 300_000;

/// Maximum number of moments that are looked at, to choose stills among them, and shown on a contact sheet.
///
/// Where all of them differ, each fourth is a still: the gaps between stills are equal.
pub const MAX_CANDIDATES: usize = 4 * (MAX_STILLS - 1) + 1;

/// Fewer of them, each second of which is a still: where many would be too much work, or memory.
pub const FEW_CANDIDATES: usize = 2 * (MAX_STILLS - 1) + 1;

/// Maximum number of candidates of a video of this codec.
/// ffmpeg is started once for each keyframe and each gap between two, the built-in decoders once for all keyframes.
pub const fn max_candidates(codec: Codec) -> usize {
    match codec {
        Codec::Vp8 | Codec::H264 => MAX_CANDIDATES,
        Codec::Vp9 | Codec::Av1 | Codec::H265 | Codec::Other => FEW_CANDIDATES,
    }
}

/// Maximum size of the coded bytes of all candidates, which memory holds at once.
pub const MAX_CANDIDATE_BYTES: u64 = 32 << 20;

/// Maximum length of a thumbnail's longer side, in pixels.
const THUMBNAIL_SIDE: u32 = 256;

/// Maximum size of a still in bytes, on average, also where there are few: two of them fit into the shortest answers.
const MAX_STILL_BYTES: u32 = 45_000;

/// Maximum number of pixels of all keyframes among the candidates: 45 of them in 1920 × 1088.
pub const MAX_CANDIDATE_PIXELS: u64 = 45 * 1920 * 1088;

/// Maximum size of one coded keyframe, in bytes. A phone that films 4K writes one or two million.
pub const MAX_FRAME_BYTES: usize = 8 << 20;

/// Maximum size of all bytes read for pictures between keyframes, interleaved audio included.
pub const MAX_GROUP_BYTES: usize = 32 << 20;

/// Maximum number of pixels of a frame that is decoded. 8K has 33 million.
pub const MAX_PIXELS: u64 = 40_000_000;

/// Coded bytes that are decoded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedGroup {
    /// A keyframe and the pictures that follow it as far as they are needed, in decoding order.
    pub bytes: Vec<u8>,
    /// The lengths of the parts of `bytes`: of each picture, or, of H.264 and H.265, of runs of them.
    pub lengths: Vec<usize>,
    /// The pictures to make stills of, in presentation order.
    pub moments: Vec<Moment>,
}

/// A still of a video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Still {
    /// Presentation time, from the beginning of the video.
    pub at: Duration,
    /// Width in pixels, after rotation.
    pub width: u32,
    /// Height in pixels, after rotation.
    pub height: u32,
    /// The still as JPEG.
    pub jpeg: Vec<u8>,
}

/// Why a video has no stills.
#[derive(Debug, thiserror::Error)]
pub enum NoStills {
    /// Neither a built-in decoder nor ffmpeg is available for this codec.
    #[error("there is no decoder for {} here", name(*.0))]
    NoDecoder(Codec),
    /// No frame was given, or all of them are too large.
    #[error("there is no frame to decode")]
    NoFrame,
    /// The frames declare more than [`MAX_PIXELS`].
    #[error("the frames have too many pixels")]
    TooLarge,
    /// The decoders can't read the frames.
    #[error("the frames can't be decoded")]
    Undecodable,
    /// A child exceeded a resource limit, made a forbidden system call, or crashed.
    #[error("the decoder died")]
    Crashed,
    /// A child was still running at the end of its [`TimeLimits`].
    #[error("the decoder took too long")]
    TimedOut,
    /// A child's output is malformed or too long.
    #[error("the decoder's answer makes no sense")]
    InvalidOutput,
    /// This system can't sandbox a process. Without a sandbox nothing is decoded.
    #[error("a decoder can't be confined on this system")]
    NoSandbox,
    /// The child process can't be started.
    #[error("the decoder can't be started")]
    SpawnFailed(#[source] io::Error),
}

const fn name(codec: Codec) -> &'static str {
    match codec {
        Codec::Vp8 => "VP8",
        Codec::Vp9 => "VP9",
        Codec::Av1 => "AV1",
        Codec::H264 => "H.264",
        Codec::H265 => "H.265",
        Codec::Other => "this codec",
    }
}
