//! A few moments of a video as pictures, for those who can't watch it: keyframes, and where those are rare, others.
//!
//! What people upload is decoded in a child process, never here: the same binary once more, which first
//! gives up whatever a decoder has no need of (`sandbox`). VP8 and H.264 are built in; for anything else,
//! and for H.264 that the own decoder can't read, there may be an ffmpeg, which lives in such a child, too.
//! Not here: finding keyframes (`media`), reading their bytes (`service`), keeping the pictures.

mod annex_b;
mod between;
mod decode;
mod ffmpeg;
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

pub use pipeline::make;
pub use select::{Group, Moment, choose};
pub use worker::{child, is_child};

use media::Codec;

/// As many pictures as a video is shown by.
pub const MOST_STILLS: usize = 12;

/// The longer side of a picture, in pixels, at most.
pub const STILL_SIDE: u32 = 768;

/// All pictures of a video together.
pub const MOST_STILLS_BYTES: usize = 300_000;

/// Of one coded frame. Those of a phone that films 4K have one or two million.
pub const MOST_FRAME_BYTES: usize = 8 << 20;

/// Of all that is decoded for pictures between keyframes, with the sound that lies in it.
pub const MOST_GROUP_BYTES: usize = 32 << 20;

/// How many pixels a frame may have to be decoded: 8K has 33 million.
pub const MOST_PIXELS: u64 = 40_000_000;

/// How long decoding may take, once it is a video's turn.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// All pictures of it.
    pub video: Duration,
    /// A child for all keyframes, and all children for what lies between them.
    pub child: Duration,
    /// One keyframe alone.
    pub keyframe: Duration,
    /// Kept back for turning what ffmpeg made into pictures.
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

/// What decodes. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Decoders {
    /// This binary, to be run once more.
    executable: PathBuf,
    ffmpeg: Option<PathBuf>,
    time_limits: TimeLimits,
}

/// What is decoded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coded {
    /// A keyframe, and what follows it as far as that is needed, in the order of decoding.
    pub bytes: Vec<u8>,
    /// The pictures that are wanted, in the order of time.
    pub moments: Vec<Moment>,
}

/// A picture of a video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Still {
    /// When it is shown, from the beginning of the video.
    pub at: Duration,
    /// In pixels, upright.
    pub width: u32,
    /// Likewise.
    pub height: u32,
    /// The picture.
    pub jpeg: Vec<u8>,
}

/// Why a video has no pictures.
#[derive(Debug, thiserror::Error)]
pub enum NoStills {
    /// Neither a decoder that is built in nor an ffmpeg.
    #[error("no decoder for {} is installed here", name(*.0))]
    NoDecoder(Codec),
    /// No frame was given, or only such as are too large.
    #[error("there is no frame to decode")]
    NoFrame,
    /// Frames claim more than [`MOST_PIXELS`].
    #[error("the frames have too many pixels")]
    TooLarge,
    /// The decoders can't read the frames.
    #[error("the frames can't be decoded")]
    Unreadable,
    /// A decoder ran into its limits, or did what it may not.
    #[error("the decoder died")]
    Died,
    /// A decoder was still running after [`TimeLimits`].
    #[error("the decoder took too long")]
    TimedOut,
    /// A decoder said what makes no sense, or too much.
    #[error("the decoder's answer makes no sense")]
    Nonsense,
    /// This system doesn't let a process give up its rights. Without that nothing is decoded.
    #[error("a decoder can't be confined on this system")]
    Unconfined,
    /// The child can't be started.
    #[error("the decoder can't be started")]
    Unstartable(#[source] io::Error),
}

impl Decoders {
    /// With this binary as the child, and the given ffmpeg ("off" for none), or else the one on `PATH`, if
    /// any.
    pub fn find(ffmpeg: Option<&Path>) -> io::Result<Self> {
        // Not its path: an upgrade in place puts another version there.
        let executable = if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            env::current_exe()?
        };
        let path = env::var_os("PATH").unwrap_or_default();
        let ffmpeg = match ffmpeg {
            Some(given) if given == Path::new("off") => None,
            Some(given) => Some(std::path::absolute(given)?),
            None => on_path(&path),
        };
        Ok(Self::new(executable, ffmpeg))
    }

    /// With `executable` as the child, whose `main` must ask [`is_child`]. Both paths are absolute.
    pub fn new(executable: PathBuf, ffmpeg: Option<PathBuf>) -> Self {
        Self {
            executable,
            ffmpeg,
            time_limits: TimeLimits::default(),
        }
    }

    /// The same, to be ended sooner or later.
    #[must_use]
    pub fn with_time_limits(self, time_limits: TimeLimits) -> Self {
        Self {
            time_limits,
            ..self
        }
    }
}

fn on_path(path: &OsStr) -> Option<PathBuf> {
    env::split_paths(path)
        // The child runs elsewhere.
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("ffmpeg"))
        .find(|program| is_program(program))
}

fn is_program(path: &Path) -> bool {
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
    fn the_first_ffmpeg_on_the_path_that_can_be_run_is_found() {
        let root = tempfile::tempdir().expect("a folder");
        let folders = ["none", "a", "b"].map(|name| root.path().join(name));
        for (folder, mode) in [(&folders[1], 0o644), (&folders[2], 0o755)] {
            fs::create_dir(folder).expect("a folder");
            let program = folder.join("ffmpeg");
            fs::write(&program, b"").expect("a file");
            fs::set_permissions(&program, fs::Permissions::from_mode(mode)).expect("permissions");
        }
        let path = env::join_paths(&folders).expect("a path");
        assert_eq!(on_path(&path), Some(folders[2].join("ffmpeg")));
        assert_eq!(on_path(OsStr::new(".:bin")), None);
    }
}
