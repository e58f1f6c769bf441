//! How large the pieces of a stream are, how many of them it may hold, and the memory that all streams share.
//!
//! A stream whose client takes pieces fast gets large ones, out of a budget that all streams share, and some
//! of them are read ahead. A stream whose client has not proven that yet, or is slow, or finds the budget used
//! up, gets one small piece at a time. So a stalled stream holds one small piece, and slow clients neither use
//! up the budget nor wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::StreamMemory;
use super::pool::BufferPool;

/// Bytes of a large piece. Fewer cost more calls, more don't stay in the processor's cache between two copies.
pub(super) const LARGE: usize = 256 << 10;

/// Bytes of a small piece.
pub(super) const SMALL: usize = 64 << 10;

/// A client that holds a large piece for longer takes less than a mebibyte a second, and gains nothing by large
/// ones. The rate that counts as fast is up to twice that: the kernel has room for two of them at a time.
const FAST: Duration = Duration::from_millis(250);

/// Bytes of one answer that a client must take fast to be proven: more than sockets hold on both sides
/// when the client reads nothing at all.
pub(super) const PROVEN: usize = 512 << 10;

/// Large pieces that all streams hold together, at most: 32 MiB, two for each of 64.
pub(super) const MOST_LARGE: usize = 128;

/// Large pieces that each stream may hold while there is budget. It gets more while half of it is free.
const FAIR_SHARE: usize = 2;

/// Buffers that are kept for the next piece: large and small ones.
const POOLED: (usize, usize) = (32, 64);

/// The memory that all streams of a store share.
#[derive(Debug)]
pub(super) struct StreamBudget {
    large: Arc<Semaphore>,
    pools: (BufferPool, BufferPool),
}

/// How one stream's client takes its pieces.
pub(super) struct Pace {
    budget: Arc<StreamBudget>,
    held: Arc<Held>,
    /// Bytes that a client must have taken fast to get a large piece while half of the budget is free.
    trial: usize,
}

/// The pieces of one stream that are being read or sent.
#[derive(Debug, Default)]
struct Held {
    pieces: AtomicUsize,
    fewer: Notify,
    /// Bytes of the pieces that were sent since one was held for too long for its size.
    fast: AtomicUsize,
}

/// The right of a stream to hold one more piece. Given back when dropped.
#[derive(Debug)]
pub(super) struct Reservation {
    large: Option<OwnedSemaphorePermit>,
    held: Arc<Held>,
    budget: Arc<StreamBudget>,
}

/// Bytes on their way to a client.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    /// When it was handed to the sender.
    sent_at: Option<Instant>,
    reservation: Reservation,
}

impl Default for StreamBudget {
    fn default() -> Self {
        Self {
            large: Arc::new(Semaphore::new(MOST_LARGE)),
            pools: (
                BufferPool::new(LARGE, POOLED.0),
                BufferPool::new(SMALL, POOLED.1),
            ),
        }
    }
}

impl StreamBudget {
    /// What large pieces take, those that are not full included.
    pub(super) fn memory(&self) -> StreamMemory {
        StreamMemory {
            used: (MOST_LARGE - self.large.available_permits()) * LARGE,
            limit: MOST_LARGE * LARGE,
        }
    }

    fn half_is_free(&self) -> bool {
        self.large.available_permits() > MOST_LARGE / 2
    }

    fn try_large(&self) -> Option<OwnedSemaphorePermit> {
        self.large.clone().try_acquire_owned().ok()
    }
}

impl Pace {
    /// Of a new stream. `trial`: after how many bytes it may have one large piece while half of the budget is
    /// free; [`PROVEN`] at most.
    pub(super) fn new(budget: Arc<StreamBudget>, trial: usize) -> Self {
        Self {
            budget,
            held: Arc::default(),
            trial: trial.min(PROVEN),
        }
    }

    /// Of a stream whose client has proven fast.
    #[cfg(test)]
    pub(super) fn proven(budget: Arc<StreamBudget>) -> Self {
        let pace = Self::new(budget, PROVEN);
        pace.held.fast.store(PROVEN, Ordering::Relaxed);
        pace
    }

    /// Waits until the stream may hold the next piece.
    pub(super) async fn reserve(&self) -> Reservation {
        loop {
            // Read before `fast`, which a piece that is let go updates first.
            let pieces = self.held.pieces.load(Ordering::Acquire);
            let fast = self.held.fast.load(Ordering::Relaxed);
            let may_try = pieces == 0 && fast >= self.trial && self.budget.half_is_free();
            let large = match fast >= PROVEN || may_try {
                true => self.budget.try_large(),
                false => None,
            };
            if large.is_some() || pieces == 0 {
                return self.reservation(large);
            }
            self.held.fewer.notified().await;
        }
    }

    /// One more large piece, to be read while `ahead` others of this stream are. `None`: not now.
    pub(super) fn try_reserve_ahead(&self, ahead: usize) -> Option<Reservation> {
        let proven = self.held.fast.load(Ordering::Relaxed) >= PROVEN;
        let fair = ahead < FAIR_SHARE || self.budget.half_is_free();
        let large = (proven && fair).then(|| self.budget.try_large())??;
        Some(self.reservation(Some(large)))
    }

    fn reservation(&self, large: Option<OwnedSemaphorePermit>) -> Reservation {
        self.held.pieces.fetch_add(1, Ordering::AcqRel);
        Reservation {
            large,
            held: self.held.clone(),
            budget: self.budget.clone(),
        }
    }
}

impl Reservation {
    /// How many bytes the piece may have.
    pub(super) fn size(&self) -> usize {
        match self.large {
            Some(_) => LARGE,
            None => SMALL,
        }
    }

    /// A buffer of `length` bytes, with whatever was in it.
    pub(super) fn piece(self, length: usize) -> Piece {
        let (large, small) = &self.budget.pools;
        let bytes = match length {
            0..SMALL => vec![0; length],
            SMALL => small.get(length),
            _ => large.get(length),
        };
        Piece {
            bytes,
            sent_at: None,
            reservation: self,
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // Free before the next one is told that it may look.
        drop(self.large.take());
        self.held.pieces.fetch_sub(1, Ordering::AcqRel);
        self.held.fewer.notify_one();
    }
}

impl Piece {
    /// The bytes, for the sender. How long the sender holds them tells how fast the client is.
    pub(super) fn send(mut self) -> Bytes {
        self.sent_at = Some(Instant::now());
        Bytes::from_owner(self)
    }
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        let (held, budget) = (&self.reservation.held, &self.reservation.budget);
        let bytes = std::mem::take(&mut self.bytes);
        if let Some(sent_at) = self.sent_at {
            match is_fast(bytes.len(), sent_at.elapsed()) {
                true => held.fast.fetch_add(bytes.len(), Ordering::Relaxed),
                false => held.fast.swap(0, Ordering::Relaxed),
            };
        }
        let (large, small) = &budget.pools;
        match bytes.len() {
            0..SMALL => {}
            SMALL => small.put_back(bytes),
            _ => large.put_back(bytes),
        }
    }
}

/// Whether a client that held so many bytes for so long takes them fast. A short piece tells nothing but how long the
/// socket before it is full.
fn is_fast(length: usize, held: Duration) -> bool {
    held <= FAST.mul_f64(length.max(SMALL) as f64 / LARGE as f64)
}

#[cfg(test)]
mod tests;
