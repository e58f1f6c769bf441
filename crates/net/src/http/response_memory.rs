//! What all HTTP/2 responses together hold in memory, and how much less patience there is when that is much.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// How long a response may hold bytes that don't move, once all HTTP/2 responses hold more bytes than that.
/// Windows that a client never opens cost it nothing, and the server what it has read for them.
const UNDER_PRESSURE: [(usize, Duration); 2] = [
    (64 << 20, Duration::from_secs(10)),
    (128 << 20, Duration::from_secs(2)),
];

/// What all HTTP/2 responses hold: read, and not yet written to their connections. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct ResponseMemory(Arc<Memory>);

#[derive(Default)]
struct Memory {
    used: AtomicUsize,
    pressure: Notify,
}

impl ResponseMemory {
    /// In bytes.
    pub(crate) fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Counts what was read.
    pub(crate) fn add(&self, bytes: usize) {
        let before = self.0.used.fetch_add(bytes, Ordering::Relaxed);
        let is_crossed = |most: usize| (before..before + bytes).contains(&most);
        if UNDER_PRESSURE.iter().any(|(most, _)| is_crossed(*most)) {
            self.0.pressure.notify_waiters();
        }
    }

    /// Counts what was written or discarded.
    pub(crate) fn remove(&self, bytes: usize) {
        self.0.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// How long a response may hold bytes that don't move; with enough memory, so long.
    pub(crate) fn patience(&self, most: Duration) -> Duration {
        let used = self.used();
        let short = UNDER_PRESSURE.iter().filter(|(limit, _)| used > *limit);
        short
            .map(|(_, patience)| *patience)
            .fold(most, Duration::min)
    }

    /// Hears of the next time that there is less of it.
    pub(crate) fn pressure(&self) -> Notified<'_> {
        self.0.pressure.notified()
    }
}
