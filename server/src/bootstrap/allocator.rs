//! Returning freed memory to the system, where glibc's allocator keeps it.
//!
//! glibc keeps freed memory below memory that is in use: after ten thousand connections a hundred megabytes, because of
//! the few that stayed open. It does so in up to eight arenas for each core.
//!
//! Other allocators were tried: resident MB at the start, with 10,000 connections that were answered, and 25 s after
//! they left. That was before connections kept hyper's buffers, which every allocator has to hold (decision 7).
//!
//! | allocator | start | connected | after |
//! |---|---|---|---|
//! | glibc, as here | 29 | 79 | 30 |
//! | mimalloc 2.3 | 38 | 85 | 82 |
//! | mimalloc 3.3 | 65 | 112 | 81 |
//! | jemalloc 5.3 | 32 | 80 | 45 |
//! | jemalloc 5.3 with its background threads | 32 | 81 | 34 |
//!
//! The last one would do, but it is a C library of its own, and a decoder, which is the same binary, must have no thread
//! before it is confined. A static binary has jemalloc without threads, because the allocator of musl has one lock for all of
//! them.

use std::thread::available_parallelism;
use std::time::Duration;

use tokio::time::sleep;

/// How often memory is returned.
/// A trim takes a few milliseconds; a crowd of clients comes back sooner than that.
const TRIM_PERIOD: Duration = Duration::from_secs(10);

/// Limits glibc to one arena for each core, and at least two.
/// After an hour of mixed load that halves the free memory in them. Must run before the first thread is started.
pub(crate) fn limit_arenas() {
    let cores = available_parallelism().map_or(2, |it| it.get().max(2));
    set_max_arenas(cores);
}

/// Returns freed memory to the system periodically. Never ends.
pub(crate) async fn trim_periodically() {
    loop {
        sleep(TRIM_PERIOD).await;
        // A trim visits all free memory, so it runs on a thread for blocking work. A failure has no other effect than
        // memory use.
        let _ = tokio::task::spawn_blocking(trim).await;
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc has only a C interface for this")]
fn set_max_arenas(count: usize) {
    let count = libc::c_int::try_from(count).unwrap_or(libc::c_int::MAX);
    // SAFETY: `mallopt` takes no pointer, and no other thread allocates meanwhile (mallopt(3)). On failure the setting
    // stays as it was.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, count) };
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc has only a C interface for this")]
fn trim() {
    // SAFETY: `malloc_trim` takes no pointer, and may be called at any time from any thread (malloc_trim(3)).
    unsafe { libc::malloc_trim(0) };
}

/// Does nothing: other C libraries have no arenas to limit.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn set_max_arenas(_count: usize) {}

/// Does nothing: other C libraries return memory by themselves, or can't.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}
