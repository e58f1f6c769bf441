//! Measures whether bytes move fast enough: at least [`MIN_PROGRESS`] in each stall timeout.
//! Pure: callers pass the time.
//!
//! By hand, because the timeouts of hyper and tower-http are between two reads: a byte now and then satisfies them.

use std::time::{Duration, Instant};

/// Bytes that must move within a stall timeout.
/// A byte now and then doesn't keep a connection open.
pub(crate) const MIN_PROGRESS: u64 = 1024;

/// Bytes that have moved since a moment.
#[derive(Debug)]
pub(crate) struct Progress {
    /// When the measurement began, or was last checked with success.
    pub(crate) since: Instant,
    moved: u64,
}

impl Progress {
    pub(crate) fn begin(now: Instant) -> Self {
        Self {
            since: now,
            moved: 0,
        }
    }

    /// Counts bytes that have moved.
    pub(crate) fn add(&mut self, bytes: usize) {
        self.moved += bytes as u64;
    }

    /// Whether enough bytes have moved for one timeout.
    pub(crate) fn is_enough(&self) -> bool {
        self.moved >= MIN_PROGRESS
    }

    /// Returns when to check again, or `None` if too few bytes have moved within `timeout`.
    pub(crate) fn check(&mut self, now: Instant, timeout: Duration) -> Option<Instant> {
        if now >= self.since + timeout {
            if !self.is_enough() {
                return None;
            }
            *self = Self::begin(now);
        }
        Some(self.since + timeout)
    }
}
