//! Response bytes that a connection has accepted and may still hold in its buffers.
//!
//! A deletion or an expiry revokes bytes that HTTP has accepted already. The response's body can't reach those in
//! HTTP's write buffer (frames), in that of TLS (records) and in the kernel's send buffer (segments). A body isn't
//! polled while one of its frames waits for room, so it can't take any of them back. The connection can, by a reset,
//! and this module tells it when:
//!
//! - HTTP/1 sends one response after the other, so a revoked one resets the connection at once.
//! - HTTP/2 resets the one stream, and h2 discards its frames. Only a frame that is partly written, and what TLS has
//!   encrypted, can't be taken out of the connection's bytes: they have [`FLUSH_TIMEOUT`] to leave. A connection that
//!   doesn't take them in this time is reset, with all of its streams.

use std::future::pending;
use std::io;
use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use futures_util::future::select_all;
use tokio::sync::Notify;
use tokio::time::sleep_until;

use crate::revocation::Revocation;

/// Time for the buffered bytes of a cancelled HTTP/2 stream to leave before the connection is reset.
/// Together with the time until other nodes and the clock report the end, it stays below two seconds.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The responses that one connection is writing.
#[derive(Default)]
pub(crate) struct Outbox {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// Whether bytes left HTTP's buffer and may be in that of TLS.
    is_unflushed: bool,
    /// Wakers of HTTP/2 streams that end with the next flush.
    ending: Vec<Waker>,
    /// HTTP/1 responses that may not be completely flushed yet.
    revocable: Vec<Revocable>,
    /// When the first HTTP/2 stream was cancelled whose bytes may not be flushed yet.
    cancelled_at: Option<Instant>,
    /// Whether the connection was reset: no byte may leave any more.
    is_reset: bool,
}

struct Revocable {
    revocation: Revocation,
    is_accepted: Arc<AtomicBool>,
}

/// Held by the body of an HTTP/1 response until HTTP has accepted all of it.
pub(crate) struct AcceptGuard(Arc<AtomicBool>);

impl Outbox {
    /// Registers an HTTP/1 response that may be revoked, until it is accepted and flushed.
    pub(crate) fn register(&self, revocation: Revocation) -> AcceptGuard {
        let is_accepted = Arc::new(AtomicBool::new(false));
        self.lock().revocable.push(Revocable {
            revocation,
            is_accepted: is_accepted.clone(),
        });
        self.changed.notify_one();
        AcceptGuard(is_accepted)
    }

    /// Records that bytes of a body left HTTP's buffer.
    pub(crate) fn written(&self) {
        self.lock().is_unflushed = true;
    }

    /// Records that the kernel has all bytes that were written.
    pub(crate) fn flushed(&self) {
        let mut state = self.lock();
        state.is_unflushed = false;
        state.cancelled_at = None;
        let before = state.revocable.len();
        state
            .revocable
            .retain(|it| !it.is_accepted.load(Ordering::Acquire));
        let is_fewer = state.revocable.len() < before;
        let ending = take(&mut state.ending);
        drop(state);
        if is_fewer {
            self.changed.notify_one();
        }
        ending.into_iter().for_each(Waker::wake);
    }

    /// Wakes the task of `cx` at the next flush.
    pub(crate) fn wake_at_flush(&self, cx: &Context<'_>) {
        let mut state = self.lock();
        if !state.ending.iter().any(|it| it.will_wake(cx.waker())) {
            state.ending.push(cx.waker().clone());
        }
    }

    /// Whether bytes of bodies were written since the last flush.
    pub(crate) fn is_unflushed(&self) -> bool {
        self.lock().is_unflushed
    }

    /// Records that an HTTP/2 stream was reset because its bytes were revoked.
    pub(crate) fn stream_cancelled(&self, now: Instant) {
        self.lock().cancelled_at.get_or_insert(now);
        self.changed.notify_one();
    }

    /// Waits until the connection holds revoked bytes and must be reset.
    pub(crate) async fn revoked(&self) {
        loop {
            let (revocations, cancelled_at) = self.watched();
            let revoked = async {
                match revocations.is_empty() {
                    true => pending().await,
                    false => {
                        drop(select_all(revocations.iter().map(|it| Box::pin(it.revoked()))).await)
                    }
                }
            };
            let overdue = async {
                match cancelled_at {
                    Some(at) => sleep_until((at + FLUSH_TIMEOUT).into()).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                () = revoked => {}
                () = overdue => {}
                () = self.changed.notified() => {}
            }
            if self.lock().must_reset(Instant::now()) {
                return;
            }
        }
    }

    /// Whether the connection holds revoked bytes and must be reset.
    pub(crate) fn must_reset(&self) -> bool {
        self.lock().must_reset(Instant::now())
    }

    /// Prevents all further writes.
    pub(crate) fn reset(&self) {
        self.lock().is_reset = true;
    }

    pub(crate) fn is_reset(&self) -> bool {
        self.lock().is_reset
    }

    /// Fails if the connection was reset or holds a revoked response.
    pub(crate) fn check_write(&self) -> io::Result<()> {
        let state = self.lock();
        match state.is_reset || state.is_revoked() {
            true => Err(io::ErrorKind::ConnectionAborted.into()),
            false => Ok(()),
        }
    }

    fn watched(&self) -> (Vec<Revocation>, Option<Instant>) {
        let state = self.lock();
        let revocations = state.revocable.iter().map(|it| it.revocation.clone());
        (revocations.collect(), state.cancelled_at)
    }

    /// Locks the state. Each field is written in one step, so a panic leaves it valid.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_revoked(&self) -> bool {
        self.revocable.iter().any(|it| it.revocation.is_revoked())
    }

    fn must_reset(&self, now: Instant) -> bool {
        let is_overdue = |at: Instant| now >= at + FLUSH_TIMEOUT;
        self.is_revoked() || self.cancelled_at.is_some_and(is_overdue)
    }
}

impl Drop for AcceptGuard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
