//! What the child gives up before it reads a byte of a video.
//!
//! Decoders are large and much attacked; one that a video has taken over shall find nothing to do. Limits
//! on what it may use hold everywhere. On Linux the kernel also refuses (`seccomp(2)`, `landlock(7)`) what
//! a decoder has no need of.

use std::path::Path;

use rustix::io;
use rustix::process::{Resource, Rlimit, setrlimit};

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod kernel;

/// Without this nothing is decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unconfined {
    #[error("a limit can't be set")]
    Limit(#[from] io::Errno),
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    #[error("this kernel has no Landlock")]
    NoLandlock,
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    #[error("system calls can't be filtered")]
    Filter(#[from] seccompiler::Error),
    #[cfg(target_os = "linux")]
    #[error("files can't be shut out")]
    Files(#[from] landlock::RulesetError),
}

/// For the decoders that are built in: computing, and the three pipes.
pub(super) fn own_decoders() -> Result<(), Unconfined> {
    /// A 40-megapixel picture as YUV and RGB, and the references that a decoder of H.264 sets aside.
    const MEMORY: u64 = 1 << 30;
    limit(MEMORY)?;
    // The pipes are open; no file is opened any more, and no process begun.
    set(Resource::Nofile, 0)?;
    set(Resource::Nproc, 0)?;
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    kernel::own_decoders()?;
    Ok(())
}

/// For ffmpeg, which loads its libraries, and has threads: no network, no writing, no other process, and
/// of files only programs and libraries.
pub(super) fn ffmpeg(program: &Path) -> Result<(), Unconfined> {
    /// Hundreds of libraries are mapped, and each thread has a stack.
    const MEMORY: u64 = 3 << 30;
    limit(MEMORY)?;
    set(Resource::Nofile, 32)?;
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    kernel::ffmpeg(program)?;
    #[cfg(not(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )))]
    let _ = program;
    Ok(())
}

fn limit(memory: u64) -> Result<(), Unconfined> {
    const CPU_SECONDS: u64 = 10;
    set(Resource::As, memory)?;
    set(Resource::Cpu, CPU_SECONDS)?;
    set(Resource::Fsize, 0)?;
    set(Resource::Core, 0)?;
    // Nobody waits for it: uploads come first.
    rustix::process::nice(10)?;
    Ok(())
}

/// A lower limit that is there already stays.
fn set(resource: Resource, most: u64) -> io::Result<()> {
    let most = rustix::process::getrlimit(resource)
        .maximum
        .map_or(most, |there| there.min(most));
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(resource, limit)
}
