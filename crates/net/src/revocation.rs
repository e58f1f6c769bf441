//! Revocation of a response whose bytes may no longer be sent, also of those that its connection has accepted already.
//!
//! A deletion or an expiry revokes bytes that HTTP has accepted already. The response's body can't reach those in
//! HTTP's write buffer (frames), in that of TLS (records) and in the kernel's send buffer (segments): up to 64 KiB each
//! in the first two, and 256 KiB unsent in the kernel. By hand, because hyper can't take any of them back. A reset of
//! the connection can:
//!
//! - HTTP/1 sends one response after the other, so a revoked one resets the connection at once.
//! - HTTP/2 resets the one stream (`http::streams`), and h2 discards its frames. Only a frame that is partly written,
//!   and what TLS has encrypted, can't be taken out of the connection's bytes: they have [`FLUSH_TIMEOUT`] to leave. A
//!   connection that doesn't take them in this time is reset, with all of its streams.

use std::any::Any;
use std::future::pending;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::sleep_until;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Time for the buffered bytes of a revoked HTTP/2 response to leave before the connection is reset.
/// Together with the time until other nodes and the clock report the end, it stays below two seconds.
pub(crate) const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Signals that a response's bytes may no longer leave this process.
///
/// The response carries it in its extensions to the connection, which can discard what HTTP, TLS and the kernel have
/// buffered.
#[derive(Clone)]
pub struct Revocation {
    revoked: CancellationToken,
    _guard: Arc<dyn Any + Send + Sync>,
}

impl Revocation {
    /// Revokes when `revoked` is cancelled.
    /// `guard` is dropped with the last clone, when the response has been written or discarded.
    pub fn new(revoked: CancellationToken, guard: Arc<dyn Any + Send + Sync>) -> Self {
        Self {
            revoked,
            _guard: guard,
        }
    }

    /// Waits until the bytes may no longer leave.
    pub async fn revoked(&self) {
        self.revoked.cancelled().await;
    }

    /// Whether the bytes may no longer leave.
    pub fn is_revoked(&self) -> bool {
        self.revoked.is_cancelled()
    }
}

/// The revocable responses of one connection that may not be completely flushed yet.
#[derive(Default)]
pub(crate) struct Outbox {
    responses: Mutex<Vec<Response>>,
    changed: Notify,
}

struct Response {
    revocation: Revocation,
    /// Cancelled when HTTP has accepted or discarded the whole response.
    accepted: CancellationToken,
    /// How long its bytes may still leave after the revocation.
    flush_timeout: Duration,
    revoked_at: Option<Instant>,
}

impl Outbox {
    /// Registers a response that may be revoked, until it is accepted and flushed.
    /// The guard is to be dropped when HTTP has accepted or discarded all of it.
    pub(crate) fn register(&self, revocation: Revocation, flush_timeout: Duration) -> DropGuard {
        let accepted = CancellationToken::new();
        self.responses.lock().push(Response {
            revocation,
            accepted: accepted.clone(),
            flush_timeout,
            revoked_at: None,
        });
        self.changed.notify_one();
        accepted.drop_guard()
    }

    /// Records that the kernel has all bytes that were written.
    pub(crate) fn flushed(&self) {
        let mut responses = self.responses.lock();
        let before = responses.len();
        responses.retain(|it| !it.accepted.is_cancelled());
        if responses.len() < before {
            self.changed.notify_one();
        }
    }

    /// Waits until the connection must be reset, because it holds revoked bytes.
    pub(crate) async fn overdue(&self) {
        loop {
            let (unrevoked, deadline) = self.watched(Instant::now());
            let mut revoked: FuturesUnordered<_> =
                unrevoked.iter().map(Revocation::revoked).collect();
            let overdue = async {
                match deadline {
                    Some(at) => sleep_until(at.into()).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                Some(()) = revoked.next() => {}
                () = overdue => {}
                () = self.changed.notified() => {}
            }
            if self.is_overdue() {
                return;
            }
        }
    }

    /// Whether the connection holds revoked bytes and must be reset.
    pub(crate) fn is_overdue(&self) -> bool {
        let now = Instant::now();
        let mut responses = self.responses.lock();
        responses
            .iter_mut()
            .any(|it| it.deadline(now).is_some_and(|at| at <= now))
    }

    /// Fails if no byte may leave any more.
    pub(crate) fn check_write(&self) -> io::Result<()> {
        match self.is_overdue() {
            true => Err(io::ErrorKind::ConnectionAborted.into()),
            false => Ok(()),
        }
    }

    /// The responses that aren't revoked yet, and the next deadline of those that are.
    fn watched(&self, now: Instant) -> (Vec<Revocation>, Option<Instant>) {
        let mut responses = self.responses.lock();
        let deadline = responses.iter_mut().filter_map(|it| it.deadline(now)).min();
        let unrevoked = responses.iter().filter(|it| it.revoked_at.is_none());
        (
            unrevoked.map(|it| it.revocation.clone()).collect(),
            deadline,
        )
    }
}

impl Response {
    /// When its bytes must have left, if it is revoked.
    fn deadline(&mut self, now: Instant) -> Option<Instant> {
        let is_revoked = self.revocation.is_revoked();
        is_revoked.then(|| *self.revoked_at.get_or_insert(now) + self.flush_timeout)
    }
}
