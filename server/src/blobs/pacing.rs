//! How large the pieces of a stream are, how many of them it may hold, and the memory that all streams share.
//!
//! A stream whose client takes pieces fast gets large ones, out of a budget that all streams share, and some
//! of them are read ahead. A stream whose client has not proven that yet, or is slow, or finds the budget used
//! up, gets one small piece at a time. So a stalled stream holds one small piece, and slow clients neither use
//! up the budget nor wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
    /// Large pieces that a client may have before it has proven fast, while half of the budget is free.
    on_trial: usize,
}

/// The pieces of one stream that are being read or sent.
#[derive(Debug, Default)]
struct Held {
    pieces: AtomicUsize,
    fewer: Notify,
    /// Bytes of the pieces that were sent since one was held for too long for its size.
    fast: AtomicUsize,
    /// The client held a piece for too long, and has not proven fast since.
    is_slow: AtomicBool,
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
    /// Of a new stream. `on_trial`: how many large pieces it may have from the start, while half of the budget is
    /// free.
    pub(super) fn new(budget: Arc<StreamBudget>, on_trial: usize) -> Self {
        Self {
            budget,
            held: Arc::default(),
            on_trial,
        }
    }

    /// Of a stream whose client has proven fast.
    #[cfg(test)]
    pub(super) fn proven(budget: Arc<StreamBudget>) -> Self {
        let pace = Self::new(budget, 0);
        pace.held.fast.store(PROVEN, Ordering::Relaxed);
        pace
    }

    /// Waits until the stream may hold the next piece.
    pub(super) async fn reserve(&self) -> Reservation {
        loop {
            // Read before `fast`, which a piece that is let go updates first.
            let pieces = self.held.pieces.load(Ordering::Acquire);
            let large = match self.held.is_proven() || (pieces == 0 && self.may_try(0)) {
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
        let fair = ahead < FAIR_SHARE || self.budget.half_is_free();
        let may = (self.held.is_proven() && fair) || self.may_try(ahead);
        let large = may.then(|| self.budget.try_large())??;
        Some(self.reservation(Some(large)))
    }

    /// Whether a client that has proven nothing may have one more large piece beside so many.
    fn may_try(&self, ahead: usize) -> bool {
        let is_slow = self.held.is_slow.load(Ordering::Relaxed);
        ahead < self.on_trial && !is_slow && self.budget.half_is_free()
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

impl Held {
    fn is_proven(&self) -> bool {
        self.fast.load(Ordering::Relaxed) >= PROVEN
    }

    /// Notes how a piece of `length` bytes was taken.
    fn taken(&self, length: usize, is_fast: bool) {
        if is_fast {
            let before = self.fast.fetch_add(length, Ordering::Relaxed);
            if before + length >= PROVEN {
                self.is_slow.store(false, Ordering::Relaxed);
            }
        } else {
            self.fast.store(0, Ordering::Relaxed);
            self.is_slow.store(true, Ordering::Relaxed);
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
            held.taken(bytes.len(), is_fast(bytes.len(), sent_at.elapsed()));
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
