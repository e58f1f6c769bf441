//! The decoders that are available, and how long they may take.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, io};

use rustix::fs::{Access, access};

use super::Group;
use super::size::{Size, buffered_bytes};
use media::Codec;

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
    pub(super) executable: PathBuf,
    pub(super) ffmpeg: Option<PathBuf>,
    pub(super) time_limits: TimeLimits,
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

    /// Whether they decode any picture of this codec.
    /// The built-in decoder of VP8 reads keyframes alone, that of H.264 no B-frames.
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
