//! Delivery of one HTTP/2 response from its body to the connection.
//!
//! HTTP/2 accepts a piece of a body at once and sends it when the client's flow-control windows allow, which may be
//! never. So each piece reports when its bytes are written, and a response ends only after the last of them: until then
//! the task of its stream exists, and dropping it discards what h2 has queued.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use tokio::sync::SetOnce;
use tokio::sync::futures::Notified;

use crate::http::response_memory::ResponseMemory;
use crate::idle_policy::MIN_PROGRESS;
use crate::metered_io::Meter;
use crate::revocation::Revocation;

/// Maximum time until a response that holds no bytes is judged again.
/// If it holds some by then, its stall timeout may end this much later.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// One response on its way to its connection.
pub(crate) struct Delivery {
    meter: Meter,
    memory: ResponseMemory,
    /// Stall timeout of held bytes while there is enough memory.
    stall: Duration,
    progress: Mutex<Progress>,
    revocation: SetOnce<Revocation>,
}

/// Bytes of a response that HTTP holds until they are written.
pub(crate) struct Piece {
    bytes: Bytes,
    /// `None` over HTTP/1, where the connection itself reports the progress of its one response.
    delivery: Option<Arc<Delivery>>,
}

/// How fast a client takes a response. Pure: callers pass the time.
#[derive(Debug, Default)]
struct Progress {
    /// Bytes that HTTP has accepted and not written.
    held: usize,
    /// Since when bytes are held; while they move, when that was last counted.
    since: Option<Instant>,
    /// Bytes that were written since `since`.
    moved: u64,
}

impl Delivery {
    pub(crate) fn new(meter: Meter, memory: ResponseMemory, stall: Duration) -> Self {
        Self {
            meter,
            memory,
            stall,
            progress: Mutex::default(),
            revocation: SetOnce::new(),
        }
    }

    /// Makes the response revocable.
    pub(crate) fn revocable(&self, revocation: Revocation) {
        // Setting it twice can't happen: a stream has one response.
        let _ = self.revocation.set(revocation);
    }

    /// Waits until the response is revoked; forever, if it isn't revocable.
    pub(crate) async fn revoked(&self) {
        self.revocation.wait().await.revoked().await;
    }

    /// Counts bytes that were read from the body.
    pub(crate) fn fetched(&self, bytes: usize) {
        self.memory.add(bytes);
    }

    /// Counts bytes that were written or discarded.
    pub(crate) fn released(&self, bytes: usize) {
        self.memory.remove(bytes);
    }

    /// Passes the next bytes of the response to HTTP.
    pub(crate) fn piece(self: &Arc<Self>, bytes: Bytes) -> Piece {
        self.progress().accepted(bytes.len(), Instant::now());
        Piece {
            bytes,
            delivery: Some(self.clone()),
        }
    }

    /// Completes when all bytes that HTTP was given are written and flushed.
    pub(crate) fn poll_delivered(&self, cx: &Context<'_>) -> Poll<()> {
        let outbox = self.meter.outbox();
        // The waker is registered first, so that a flush between the two calls wakes the task.
        outbox.wake_at_flush(cx);
        match self.is_written() && !outbox.is_unflushed() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }

    /// Whether all bytes that HTTP was given are written.
    pub(crate) fn is_written(&self) -> bool {
        self.progress().held == 0
    }

    /// Returns when to judge the response again, or `None` if the client doesn't take it.
    pub(crate) fn judge(&self, now: Instant) -> Option<Instant> {
        let patience = self.memory.patience(self.stall);
        self.progress().judge(now, patience)
    }

    /// Completes the next time that memory becomes short.
    pub(crate) fn pressure(&self) -> Notified<'_> {
        self.memory.pressure()
    }

    /// Tells the connection that the stream was cancelled with what it held.
    pub(crate) fn cancelled(&self) {
        self.meter.outbox().stream_cancelled(Instant::now());
    }

    /// Locks the counters. Each is written in one step, so a panic leaves them valid.
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn accepted(&mut self, bytes: usize, now: Instant) {
        if self.held == 0 {
            (self.since, self.moved) = (Some(now), 0);
        }
        self.held += bytes;
    }

    fn written(&mut self, bytes: usize) {
        self.moved += bytes as u64;
        self.let_go(bytes);
    }

    fn let_go(&mut self, bytes: usize) {
        self.held -= bytes;
        if self.held == 0 {
            self.since = None;
        }
    }

    fn judge(&mut self, now: Instant, patience: Duration) -> Option<Instant> {
        let Some(since) = self.since else {
            return Some(now + patience.min(LOOK_AGAIN));
        };
        if now < since + patience {
            return Some(since + patience);
        }
        if self.moved < MIN_PROGRESS {
            return None;
        }
        (self.since, self.moved) = (Some(now), 0);
        Some(now + patience)
    }
}

impl Piece {
    /// A piece of a response over HTTP/1.
    pub(crate) fn alone(bytes: Bytes) -> Self {
        Self {
            bytes,
            delivery: None,
        }
    }
}

impl Buf for Piece {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        if let Some(delivery) = &self.delivery {
            // The outbox is told first: a task that sees the bytes as written must know that a flush is still to come.
            delivery.meter.outbox().written();
            delivery.progress().written(count);
            delivery.released(count);
        }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if let Some(delivery) = &self.delivery {
            delivery.progress().let_go(self.bytes.len());
            delivery.released(self.bytes.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idle_policy::STALL;

    fn second(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    /// After how long a response stalls within ten minutes, if `written` bytes are written each second.
    fn stalls(written: usize, patience: Duration) -> Option<Duration> {
        let start = Instant::now();
        let mut progress = Progress::default();
        progress.accepted(1 << 20, start);
        let mut next = start;
        (0..600).map(second).find(|after| {
            let now = start + *after;
            progress.written(written);
            if now < next {
                return false;
            }
            match progress.judge(now, patience) {
                Some(look) => {
                    assert!(look > now);
                    next = look;
                    false
                }
                None => true,
            }
        })
    }

    #[test]
    fn a_response_that_does_not_move_is_stalled_and_a_slow_one_is_not() {
        assert_eq!(stalls(0, STALL), Some(STALL));
        assert_eq!(stalls(8, STALL), Some(STALL));
        assert_eq!(stalls(1000, STALL), None);
    }

    #[test]
    fn with_little_memory_left_a_stall_is_shorter() {
        let memory = ResponseMemory::default();
        let delivery = Arc::new(Delivery::new(Meter::default(), memory.clone(), STALL));
        let _held = delivery.piece(Bytes::from_static(b"abc"));
        for (more, patience) in [(64 << 20, 10), (64 << 20, 2)] {
            let later = Instant::now() + second(patience);
            assert!(delivery.judge(later).is_some());
            let mut pressure = std::pin::pin!(delivery.pressure());
            assert!(!pressure.as_mut().enable());
            delivery.fetched(more + 1);
            assert!(pressure.enable(), "all streams are told");
            assert!(delivery.judge(later).is_none());
        }
    }

    #[test]
    fn a_response_that_waits_for_the_server_is_not_stalled() {
        let start = Instant::now();
        let mut progress = Progress::default();
        assert!(progress.judge(start + second(1000), STALL).is_some());
        progress.accepted(10, start);
        progress.written(10);
        assert!(progress.judge(start + second(1000), STALL).is_some());
        // The time without held bytes doesn't count.
        progress.accepted(10, start + second(1000));
        assert!(progress.judge(start + second(1001), STALL).is_some());
    }

    #[test]
    fn memory_is_counted_until_it_is_written_or_discarded() {
        let memory = ResponseMemory::default();
        let delivery = Arc::new(Delivery::new(Meter::default(), memory.clone(), STALL));
        delivery.fetched(100);
        let mut piece = delivery.piece(Bytes::from_static(&[0; 100]));
        piece.advance(30);
        assert_eq!(memory.used(), 70);
        assert!(!delivery.is_written());
        drop(piece);
        assert_eq!(memory.used(), 0);
        assert!(delivery.is_written());
    }
}
