//! A stopwatch that goes on during suspension.

use std::time::{Duration, Instant, SystemTime};

/// A stopwatch that never shows too little time.
/// It goes on during suspension, and when the wall clock is set forward.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    monotonic: Instant,
    wall: SystemTime,
}

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Self {
        Self {
            monotonic: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// Creates a stopwatch that was started this long `ago`.
    pub fn started(ago: Duration) -> Self {
        let now = Self::start();
        Self {
            wall: now.wall - ago,
            ..now
        }
    }

    /// The elapsed time, by the larger of two clocks.
    /// The monotonic one stands still while Linux is suspended, and the wall clock may jump.
    pub fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed().unwrap_or_default();
        self.monotonic.elapsed().max(wall)
    }

    /// The elapsed time in milliseconds, as a field of a log line.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
