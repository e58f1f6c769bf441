//! Memory that all HTTP/2 responses hold, and shorter stall timeouts when it is short.
//!
//! By hand, because h2 bounds only what one stream buffers: 64 KiB, so 32 GiB for 32 streams on each of 16,384
//! connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// Stall timeouts of a response once all HTTP/2 responses together hold more than so many bytes.
/// A flow-control window that a client never opens costs the client nothing, and the server what it has read for it.
const UNDER_PRESSURE: [(usize, Duration); 2] = [
    (64 << 20, Duration::from_secs(10)),
    (128 << 20, Duration::from_secs(2)),
];

/// Bytes that all HTTP/2 responses have read and not yet written to connections. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct ResponseMemory(Arc<Memory>);

#[derive(Default)]
struct Memory {
    used: AtomicUsize,
    pressure: Notify,
}

impl ResponseMemory {
    /// Bytes that are held.
    pub(crate) fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Counts bytes that were read.
    pub(crate) fn add(&self, bytes: usize) {
        let before = self.0.used.fetch_add(bytes, Ordering::Relaxed);
        let is_crossed = |most: usize| (before..before + bytes).contains(&most);
        if UNDER_PRESSURE.iter().any(|(most, _)| is_crossed(*most)) {
            self.0.pressure.notify_waiters();
        }
    }

    /// Counts bytes that were written or discarded.
    pub(crate) fn remove(&self, bytes: usize) {
        self.0.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// How long a response may hold bytes that don't move: `most`, or less when memory is short.
    pub(crate) fn stall_timeout(&self, most: Duration) -> Duration {
        let used = self.used();
        let short = UNDER_PRESSURE.iter().filter(|(limit, _)| used > *limit);
        short
            .map(|(_, stall_timeout)| *stall_timeout)
            .fold(most, Duration::min)
    }

    /// Completes the next time that memory becomes short.
    pub(crate) fn pressure(&self) -> Notified<'_> {
        self.0.pressure.notified()
    }
}
