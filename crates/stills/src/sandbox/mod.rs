//! The sandbox of a worker, entered before it reads a byte of a video.
//!
//! Decoders are large and often attacked. Code that takes one over must find nothing to do: resource limits
//! (`setrlimit(2)`) hold on every system, and on Linux the kernel also refuses system calls (`seccomp(2)`) and
//! files (`landlock(7)`) that a decoder doesn't need.

use std::path::Path;

use rustix::io;
use rustix::process::{Resource, Rlimit, setrlimit};

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod kernel;

/// Why the sandbox can't be entered. The worker must decode nothing then.
#[derive(Debug, thiserror::Error)]
pub(super) enum SandboxError {
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

/// Confines the built-in decoders to computing and the three standard pipes.
pub(super) fn confine_built_in() -> Result<(), SandboxError> {
    /// A 40-megapixel picture as YUV and RGB, and the reference pictures that a decoder of H.264 allocates.
    const MEMORY: u64 = 1 << 30;
    limit_resources(MEMORY)?;
    // The pipes are open already: no further file is opened, and no process started.
    set_limit(Resource::Nofile, 0)?;
    set_limit(Resource::Nproc, 0)?;
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    kernel::confine_built_in()?;
    Ok(())
}

/// Confines ffmpeg, which loads libraries and starts threads.
///
/// It has no network, writes no file, starts no process, and reads only programs and libraries.
pub(super) fn confine_ffmpeg(program: &Path) -> Result<(), SandboxError> {
    /// Address space, not memory in use: it maps hundreds of libraries, and each thread has a stack.
    const MEMORY: u64 = 3 << 30;
    limit_resources(MEMORY)?;
    set_limit(Resource::Nofile, 32)?;
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    kernel::confine_ffmpeg(program)?;
    #[cfg(not(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )))]
    let _ = program;
    Ok(())
}

fn limit_resources(memory: u64) -> Result<(), SandboxError> {
    const CPU_SECONDS: u64 = 10;
    set_limit(Resource::As, memory)?;
    set_limit(Resource::Cpu, CPU_SECONDS)?;
    set_limit(Resource::Fsize, 0)?;
    set_limit(Resource::Core, 0)?;
    // Uploads have priority over stills.
    rustix::process::nice(10)?;
    Ok(())
}

/// Sets a limit, unless a lower one is set already.
fn set_limit(resource: Resource, max: u64) -> io::Result<()> {
    let max = rustix::process::getrlimit(resource)
        .maximum
        .map_or(max, |current| current.min(max));
    let limit = Rlimit {
        current: Some(max),
        maximum: Some(max),
    };
    setrlimit(resource, limit)
}
