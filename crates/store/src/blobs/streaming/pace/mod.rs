//! Flow control of streams: the size and number of their pieces, and the memory that they share.
//!
//! A stream to a fast client gets large pieces, from a budget that all streams share, and reads some of them ahead. A
//! stream to a client that isn't known to be fast, or is slow, or while the budget is exhausted, gets one small piece
//! at a time. So a stalled stream holds one small piece, and slow clients neither exhaust the budget nor wait for it.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::buffer_pool::BufferPool;
use crate::blobs::StreamMemory;

/// The bytes of a large piece.
/// Smaller ones cost more calls; larger ones don't stay in the processor's cache between two copies.
pub(super) const LARGE: usize = 256 << 10;

/// The bytes of a small piece.
pub(super) const SMALL: usize = 64 << 10;

/// The longest time for which a fast client holds a large piece.
/// That is one mebibyte per second, below which large pieces gain nothing. As the kernel buffers up to two pieces, a
/// client may need twice that rate to count as fast.
const FAST: Duration = Duration::from_millis(250);

/// The bytes of one response that a client must take fast to count as fast.
/// The sockets on both sides buffer less when the client reads nothing.
pub(super) const PROVEN: usize = 512 << 10;

/// The most large pieces of all streams together: 32 MiB, two pieces for each of 64 streams.
pub(super) const MAX_LARGE: usize = 128;

/// The large pieces that each stream may hold while the budget lasts.
/// It may hold more while half of the budget is free.
const FAIR_SHARE: usize = 2;

/// The numbers of large and small buffers that are kept for reuse.
const POOLED: (usize, usize) = (32, 64);

/// The memory that all streams of a store share.
#[derive(Debug)]
pub(in crate::blobs) struct StreamBudget {
    large: Arc<Semaphore>,
    pools: (BufferPool, BufferPool),
}

/// The flow control of one stream.
pub(super) struct Pace {
    budget: Arc<StreamBudget>,
    in_flight: Arc<InFlight>,
    /// The large pieces that a client may hold before it is known to be fast.
    /// It may hold them only while half of the budget is free.
    trial_pieces: usize,
}

/// The pieces of one stream that are being read or sent, and how fast the client takes them.
#[derive(Debug, Default)]
struct InFlight {
    pieces: AtomicUsize,
    released: Notify,
    /// The bytes of pieces that were sent since the last slow one.
    fast_bytes: AtomicUsize,
    /// Whether a piece was slow, and the client has not proven to be fast since.
    is_slow: AtomicBool,
}

/// The right of a stream to hold one more piece, until it is dropped.
#[derive(Debug)]
pub(super) struct PieceReservation {
    large: Option<OwnedSemaphorePermit>,
    in_flight: Arc<InFlight>,
    budget: Arc<StreamBudget>,
}

/// Bytes that are being read or sent.
#[derive(Debug)]
pub(in crate::blobs) struct Piece {
    pub(in crate::blobs) bytes: Vec<u8>,
    /// The ones that are sent.
    wanted: Range<usize>,
    /// The time at which the piece was passed to the sender.
    sent_at: Option<Instant>,
    reservation: PieceReservation,
}

impl Default for StreamBudget {
    fn default() -> Self {
        Self {
            large: Arc::new(Semaphore::new(MAX_LARGE)),
            pools: (
                BufferPool::new(LARGE, POOLED.0),
                BufferPool::new(SMALL, POOLED.1),
            ),
        }
    }
}

impl StreamBudget {
    /// The memory of large pieces, counted in full size.
    pub(in crate::blobs) fn memory(&self) -> StreamMemory {
        StreamMemory {
            used: (MAX_LARGE - self.large.available_permits()) * LARGE,
            limit: MAX_LARGE * LARGE,
        }
    }

    fn half_is_free(&self) -> bool {
        self.large.available_permits() > MAX_LARGE / 2
    }

    fn try_large(&self) -> Option<OwnedSemaphorePermit> {
        self.large.clone().try_acquire_owned().ok()
    }
}

impl Pace {
    /// Creates the flow control of a new stream.
    /// `trial_pieces`: the large pieces that it may hold from the start, while half of the budget is free.
    pub(super) fn new(budget: Arc<StreamBudget>, trial_pieces: usize) -> Self {
        Self {
            budget,
            in_flight: Arc::default(),
            trial_pieces,
        }
    }

    /// Creates the flow control of a stream to a fast client.
    #[cfg(test)]
    pub(super) fn proven(budget: Arc<StreamBudget>) -> Self {
        let pace = Self::new(budget, 0);
        pace.in_flight.fast_bytes.store(PROVEN, Ordering::Relaxed);
        pace
    }

    /// Waits until the stream may hold the next piece.
    pub(super) async fn reserve(&self) -> PieceReservation {
        loop {
            // Read before `fast_bytes`, which is updated first when a piece is dropped.
            let pieces = self.in_flight.pieces.load(Ordering::Acquire);
            let large = match self.in_flight.is_proven() || (pieces == 0 && self.may_try(0)) {
                true => self.budget.try_large(),
                false => None,
            };
            if large.is_some() || pieces == 0 {
                return self.reservation(large);
            }
            self.in_flight.released.notified().await;
        }
    }

    /// Reserves a large piece that is read while `ahead` others of this stream are. `None`: not now.
    pub(super) fn try_reserve_ahead(&self, ahead: usize) -> Option<PieceReservation> {
        let fair = ahead < FAIR_SHARE || self.budget.half_is_free();
        let may = (self.in_flight.is_proven() && fair) || self.may_try(ahead);
        let large = may.then(|| self.budget.try_large())??;
        Some(self.reservation(Some(large)))
    }

    /// Whether a client that isn't known to be fast may hold a large piece besides `ahead` others.
    fn may_try(&self, ahead: usize) -> bool {
        let is_slow = self.in_flight.is_slow.load(Ordering::Relaxed);
        ahead < self.trial_pieces && !is_slow && self.budget.half_is_free()
    }

    fn reservation(&self, large: Option<OwnedSemaphorePermit>) -> PieceReservation {
        self.in_flight.pieces.fetch_add(1, Ordering::AcqRel);
        PieceReservation {
            large,
            in_flight: self.in_flight.clone(),
            budget: self.budget.clone(),
        }
    }
}

impl InFlight {
    fn is_proven(&self) -> bool {
        self.fast_bytes.load(Ordering::Relaxed) >= PROVEN
    }

    /// Records whether the client took a piece of `length` bytes fast.
    fn record(&self, length: usize, is_fast: bool) {
        if is_fast {
            let before = self.fast_bytes.fetch_add(length, Ordering::Relaxed);
            if before + length >= PROVEN {
                self.is_slow.store(false, Ordering::Relaxed);
            }
        } else {
            self.fast_bytes.store(0, Ordering::Relaxed);
            self.is_slow.store(true, Ordering::Relaxed);
        }
    }
}

impl PieceReservation {
    /// The size of the reserved piece.
    pub(super) fn size(&self) -> usize {
        match self.large {
            Some(_) => LARGE,
            None => SMALL,
        }
    }

    /// Creates a piece of `length` bytes, of which these are `wanted`. Its contents are unspecified.
    pub(super) fn piece(self, length: usize, wanted: Range<usize>) -> Piece {
        let (large, small) = &self.budget.pools;
        let bytes = match length {
            0..SMALL => vec![0; length],
            SMALL => small.get(length),
            _ => large.get(length),
        };
        Piece {
            bytes,
            wanted,
            sent_at: None,
            reservation: self,
        }
    }
}

impl Drop for PieceReservation {
    fn drop(&mut self) {
        // Released before a waiter is notified.
        drop(self.large.take());
        self.in_flight.pieces.fetch_sub(1, Ordering::AcqRel);
        self.in_flight.released.notify_one();
    }
}

impl Piece {
    /// Turns the piece into bytes for the sender.
    /// The time until they are dropped shows how fast the client is.
    pub(super) fn send(mut self) -> Bytes {
        self.sent_at = Some(Instant::now());
        Bytes::from_owner(self)
    }
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.wanted.clone()]
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        let (in_flight, budget) = (&self.reservation.in_flight, &self.reservation.budget);
        let bytes = std::mem::take(&mut self.bytes);
        if let Some(sent_at) = self.sent_at {
            in_flight.record(bytes.len(), is_fast(bytes.len(), sent_at.elapsed()));
        }
        let (large, small) = &budget.pools;
        match bytes.len() {
            0..SMALL => {}
            SMALL => small.put_back(bytes),
            _ => large.put_back(bytes),
        }
    }
}

/// Whether a client that held `length` bytes for this time is fast.
/// A piece shorter than [`SMALL`] counts as a small one: the time for which it is held depends on what the socket has
/// buffered before it.
fn is_fast(length: usize, held: Duration) -> bool {
    held <= FAST.mul_f64(length.max(SMALL) as f64 / LARGE as f64)
}

#[cfg(test)]
mod tests;
