//! Delivery of one HTTP/2 response from its body to the connection.
//!
//! HTTP/2 accepts a piece of a body at once and sends it when the client's flow-control windows allow, which may be
//! never. So each piece reports when its bytes are written, and a response ends only after the last of them: until then
//! the task of its stream exists, and dropping it discards what h2 has queued. By hand, because h2 has no timeout for
//! what it has queued, and hyper doesn't tell how much that is.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::sync::SetOnce;
use tokio::sync::futures::Notified;

use crate::http::response_memory::ResponseMemory;
use crate::progress::Progress;
use crate::revocation::Revocation;

/// Maximum time until a response that holds no bytes is judged again.
/// If it holds some by then, its stall timeout may end this much later.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// One response on its way to its connection.
pub(crate) struct Delivery {
    memory: ResponseMemory,
    /// Stall timeout of held bytes while there is enough memory.
    stall: Duration,
    held: Mutex<Buffered>,
    /// Woken when no bytes are held.
    waker: AtomicWaker,
    revocation: SetOnce<Revocation>,
}

/// Bytes that were read from the body and not yet written to the connection.
#[derive(Default)]
struct Buffered {
    bytes: usize,
    /// `None` while no bytes are held.
    progress: Option<Progress>,
}

/// Bytes of a response until they are written or discarded.
#[derive(Default)]
pub(crate) struct Piece {
    bytes: Bytes,
    /// `None` over HTTP/1, where the connection itself reports the progress of its one response.
    delivery: Option<Arc<Delivery>>,
}

impl Delivery {
    pub(crate) fn new(memory: ResponseMemory, stall: Duration) -> Self {
        Self {
            memory,
            stall,
            held: Mutex::default(),
            waker: AtomicWaker::new(),
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

    /// Completes when all bytes that were read are written.
    pub(crate) fn poll_written(&self, cx: &Context<'_>) -> Poll<()> {
        // The waker is registered first, so that bytes written between the two calls wake the task.
        self.waker.register(cx.waker());
        match self.is_written() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }

    /// Whether all bytes that were read are written.
    pub(crate) fn is_written(&self) -> bool {
        self.held.lock().bytes == 0
    }

    /// Returns when to evaluate the response again, or `None` if the client doesn't take it.
    pub(crate) fn evaluate(&self, now: Instant) -> Option<Instant> {
        let stall_timeout = self.memory.stall_timeout(self.stall);
        match &mut self.held.lock().progress {
            Some(progress) => progress.check(now, stall_timeout),
            None => Some(now + stall_timeout.min(LOOK_AGAIN)),
        }
    }

    /// Completes the next time that memory becomes short.
    pub(crate) fn pressure(&self) -> Notified<'_> {
        self.memory.pressure()
    }

    fn hold(&self, bytes: usize) {
        let mut held = self.held.lock();
        held.progress
            .get_or_insert_with(|| Progress::begin(Instant::now()));
        held.bytes += bytes;
        self.memory.add(bytes);
    }

    fn release(&self, bytes: usize) {
        let mut held = self.held.lock();
        held.bytes -= bytes;
        self.memory.remove(bytes);
        if held.bytes == 0 {
            held.progress = None;
            drop(held);
            self.waker.wake();
        } else if let Some(progress) = &mut held.progress {
            progress.add(bytes);
        }
    }
}

impl Piece {
    /// Bytes that were read from a body.
    pub(crate) fn new(bytes: Bytes, delivery: Option<Arc<Delivery>>) -> Self {
        if let Some(delivery) = &delivery {
            delivery.hold(bytes.len());
        }
        Self { bytes, delivery }
    }

    /// Splits off the first bytes.
    pub(crate) fn split_to(&mut self, length: usize) -> Self {
        Self {
            bytes: self.bytes.split_to(length),
            delivery: self.delivery.clone(),
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
            delivery.release(count);
        }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if let Some(delivery) = &self.delivery {
            delivery.release(self.bytes.len());
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

    fn delivery(memory: &ResponseMemory) -> Arc<Delivery> {
        Arc::new(Delivery::new(memory.clone(), STALL))
    }

    /// After how long a response stalls within ten minutes, if `written` bytes are written each second.
    fn stalls(written: usize) -> Option<Duration> {
        let delivery = delivery(&ResponseMemory::default());
        let start = Instant::now();
        let mut piece = Piece::new(vec![0; 1 << 20].into(), Some(delivery.clone()));
        let mut next = start;
        (0..600).map(second).find(|after| {
            let now = start + *after;
            piece.advance(written);
            if now < next {
                return false;
            }
            match delivery.evaluate(now) {
                Some(at) => {
                    assert!(at > now);
                    next = at;
                    false
                }
                None => true,
            }
        })
    }

    #[test]
    fn a_stalled_response_times_out_and_a_slow_one_does_not() {
        let about_two_minutes = Some(STALL)..=Some(STALL + second(1));
        assert!(about_two_minutes.contains(&stalls(0)));
        assert!(about_two_minutes.contains(&stalls(8)));
        assert_eq!(stalls(1000), None);
    }

    #[test]
    fn with_little_memory_left_a_stall_is_shorter() {
        let memory = ResponseMemory::default();
        let delivery = delivery(&memory);
        let _held = Piece::new(Bytes::from_static(b"abc"), Some(delivery.clone()));
        for (more, stall_timeout) in [(64 << 20, 10), (64 << 20, 2)] {
            let later = Instant::now() + second(stall_timeout);
            assert!(delivery.evaluate(later).is_some());
            let mut pressure = std::pin::pin!(delivery.pressure());
            assert!(!pressure.as_mut().enable());
            memory.add(more + 1);
            assert!(pressure.enable(), "all streams are told");
            assert!(delivery.evaluate(later).is_none());
        }
    }

    #[test]
    fn a_response_that_waits_for_the_server_is_not_stalled() {
        let delivery = delivery(&ResponseMemory::default());
        let later = Instant::now() + second(1000);
        assert!(delivery.evaluate(later).is_some());
        Piece::new(Bytes::from_static(b"abc"), Some(delivery.clone())).advance(3);
        assert!(delivery.evaluate(later).is_some());
    }

    #[test]
    fn memory_is_counted_until_it_is_written_or_discarded() {
        let memory = ResponseMemory::default();
        let delivery = delivery(&memory);
        let mut rest = Piece::new(Bytes::from_static(&[0; 100]), Some(delivery.clone()));
        let mut piece = rest.split_to(50);
        piece.advance(30);
        assert_eq!(memory.used(), 70);
        drop(rest);
        assert_eq!(memory.used(), 20);
        assert!(!delivery.is_written());
        drop(piece);
        assert_eq!(memory.used(), 0);
        assert!(delivery.is_written());
    }
}
