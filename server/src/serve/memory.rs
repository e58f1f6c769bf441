//! What a crowd took is given back when it has gone.
//!
//! glibc keeps what was freed below something that wasn't: after ten thousand connections a hundred megabytes, for
//! the sake of a few that stayed.

use std::time::Duration;

use tokio::time::sleep;

/// Longer than a crowd needs to come back; it costs a few milliseconds.
const PERIOD: Duration = Duration::from_secs(10);

/// Never ends.
pub(super) async fn give_back() {
    loop {
        sleep(PERIOD).await;
        // It looks at all that is free: not on a thread that others wait for. What goes wrong shows in nothing
        // but memory.
        let _ = tokio::task::spawn_blocking(trim).await;
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc offers it in C alone")]
fn trim() {
    // SAFETY: it takes no pointer, and may be called at any time from any thread (malloc_trim(3)).
    unsafe { libc::malloc_trim(0) };
}

/// Other C libraries do it by themselves, or can't.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}
