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
mod ffmpeg;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod illustrate;
mod image;
mod jpeg_header;
mod pipeline;
mod protocol;
mod sandbox;
mod select;
mod subprocess;
mod worker;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io};

use rustix::fs::{Access, access};

pub use contact_sheet::{ContactSheet, MAX_CONTACT_SHEET_BYTES};
pub use illustrate::{Illustrations, illustrate};
pub use pipeline::{make, make_sized};
pub use select::{Group, Moment, beginning, choose, exact};
pub use worker::{is_worker, run_worker};

use media::{Codec, VideoTrack};

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

/// Maximum number of candidates of a video of this codec. ffmpeg is started once for each keyframe and each gap between
/// two, the built-in decoders once for all keyframes.
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

/// Maximum size of one coded keyframe, in bytes. A phone that films 4K writes one or two million.
pub const MAX_FRAME_BYTES: usize = 8 << 20;

/// Maximum size of all bytes read for pictures between keyframes, interleaved audio included.
pub const MAX_GROUP_BYTES: usize = 32 << 20;

/// Maximum number of pixels of a frame that is decoded. 8K has 33 million.
pub const MAX_PIXELS: u64 = 40_000_000;

/// How long decoding may take, counted from the start of a video's turn.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// For all stills of a video.
    pub video: Duration,
    /// For the one child that decodes all keyframes; again for all children that decode between them.
    pub child: Duration,
    /// For a child that decodes a single keyframe.
    pub keyframe: Duration,
    /// Reserved at the end for turning ffmpeg's output into JPEG.
    pub finish: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            video: Duration::from_secs(20),
            child: Duration::from_secs(8),
            keyframe: Duration::from_secs(4),
            finish: Duration::from_secs(3),
        }
    }
}

/// The decoders that are available. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Decoders {
    /// The executable that is started as the worker.
    executable: PathBuf,
    ffmpeg: Option<PathBuf>,
    time_limits: TimeLimits,
}

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

impl Decoders {
    /// Uses this executable as the worker, and `ffmpeg`: a path, "off" for none, or by default the one on `PATH`.
    pub fn find(ffmpeg: Option<&Path>) -> io::Result<Self> {
        // Not the executable's path: an upgrade in place puts another version there.
        let executable = if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            env::current_exe()?
        };
        let path = env::var_os("PATH").unwrap_or_default();
        let ffmpeg = match ffmpeg {
            Some(given) if given == Path::new("off") => None,
            Some(given) if is_executable(given) => Some(std::path::absolute(given)?),
            Some(given) => {
                let missing = format!("{} is no program", given.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, missing));
            }
            None => find_ffmpeg(&path),
        };
        Ok(Self::new(executable, ffmpeg))
    }

    /// Uses `executable` as the worker: its `main` must check [`is_worker`] first. Both paths are absolute.
    pub fn new(executable: PathBuf, ffmpeg: Option<PathBuf>) -> Self {
        Self {
            executable,
            ffmpeg,
            time_limits: TimeLimits::default(),
        }
    }

    /// [`buffered_bytes`] for these groups of a video of this codec, with the decoders that there are.
    pub fn buffered_bytes(&self, codec: Codec, groups: &[Group], size: Size) -> u64 {
        let by_ffmpeg = groups.iter().filter(|it| match codec {
            Codec::Vp8 => it.keyframe().is_none(),
            Codec::Vp9 | Codec::Av1 | Codec::H264 | Codec::H265 => true,
            Codec::Other => false,
        });
        let images = match &self.ffmpeg {
            Some(_) => by_ffmpeg.map(|it| it.moments.len()).sum(),
            None => 0,
        };
        // What is interleaved is read, too.
        let read = |it: &Group| it.length().max(it.span().end - it.span().start);
        buffered_bytes(groups.iter().map(read).sum(), images, size)
    }

    /// Whether they decode any picture of this codec. The built-in decoder of VP8 reads keyframes alone, that of H.264
    /// no B-frames.
    pub fn decode_all_pictures(&self, codec: Codec) -> bool {
        match codec {
            Codec::H264 if cfg!(feature = "openh264") => true,
            Codec::H264 | Codec::Vp8 | Codec::Vp9 | Codec::Av1 | Codec::H265 => {
                self.ffmpeg.is_some()
            }
            Codec::Other => false,
        }
    }

    /// The ffmpeg that decodes what the built-in decoders can't, if there is one.
    pub fn ffmpeg(&self) -> Option<&Path> {
        self.ffmpeg.as_deref()
    }

    /// Replaces the default time limits.
    #[must_use]
    pub fn with_time_limits(self, time_limits: TimeLimits) -> Self {
        Self {
            time_limits,
            ..self
        }
    }

    /// Shortens the time limits to those of a few pictures that someone waits for, `total` in all.
    #[must_use]
    pub fn within(self, total: Duration) -> Self {
        let usual = self.time_limits;
        self.with_time_limits(TimeLimits {
            video: usual.video.min(total),
            child: usual.child.min(total * 7 / 10),
            keyframe: usual.keyframe.min(total / 2),
            finish: usual.finish.min(total / 5),
        })
    }
}

fn find_ffmpeg(path: &OsStr) -> Option<PathBuf> {
    env::split_paths(path)
        // The child has another working directory.
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("ffmpeg"))
        .find(|program| is_executable(program))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_first_executable_ffmpeg_on_the_path_is_found() {
        let root = tempfile::tempdir().expect("a folder");
        let folders = ["none", "a", "b"].map(|name| root.path().join(name));
        for (folder, mode) in [(&folders[1], 0o644), (&folders[2], 0o755)] {
            fs::create_dir(folder).expect("a folder");
            let program = folder.join("ffmpeg");
            fs::write(&program, b"").expect("a file");
            fs::set_permissions(&program, fs::Permissions::from_mode(mode)).expect("permissions");
        }
        let path = env::join_paths(&folders).expect("a path");
        assert_eq!(find_ffmpeg(&path), Some(folders[2].join("ffmpeg")));
        assert_eq!(find_ffmpeg(OsStr::new(".:bin")), None);
    }
}
