//! Memory that was freed goes back to the system, as far as glibc's heap lets it.
//!
//! glibc keeps what was freed below something that wasn't: after ten thousand connections a hundred megabytes, for
//! the sake of a few that stayed. And it does so in as many heaps as eight for each core, one beside the other.

use std::thread::available_parallelism;
use std::time::Duration;

use tokio::time::sleep;

/// Longer than a crowd needs to come back; it costs a few milliseconds.
const PERIOD: Duration = Duration::from_secs(10);

/// Has threads share one heap for each core, and two at least: under an hour's mixed load half as much lies free
/// within them. Before there is a thread.
pub(crate) fn share() {
    let cores = available_parallelism().map_or(2, |it| it.get().max(2));
    bound(cores);
}

/// Never ends.
pub(crate) async fn give_back() {
    loop {
        sleep(PERIOD).await;
        // It looks at all that is free: not on a thread that others wait for. What goes wrong shows in nothing
        // but memory.
        let _ = tokio::task::spawn_blocking(trim).await;
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc offers it in C alone")]
fn bound(heaps: usize) {
    let heaps = libc::c_int::try_from(heaps).unwrap_or(libc::c_int::MAX);
    // SAFETY: it takes no pointer, and no other thread is there that allocates meanwhile (mallopt(3)). What it
    // refuses stays as it was.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, heaps) };
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc offers it in C alone")]
fn trim() {
    // SAFETY: it takes no pointer, and may be called at any time from any thread (malloc_trim(3)).
    unsafe { libc::malloc_trim(0) };
}

/// Other C libraries have no such heaps.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn bound(_heaps: usize) {}

/// Other C libraries do it by themselves, or can't.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}
