//! Exponential backoff with jitter. Pure.

use std::time::Duration;

const BASE: Duration = Duration::from_millis(500);
const MAX: Duration = Duration::from_secs(30);

/// Delays that double with each failure up to 30 s.
/// Attempts aren't counted: as long as the link is open, what was recorded may still arrive.
#[derive(Clone, Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The delay after one more failure.
    /// `jitter`, from 0 to 1, spreads clients that failed at the same time.
    pub fn next_delay(&mut self, jitter: f64) -> Duration {
        let doubled = BASE.saturating_mul(1 << self.failures.min(16));
        self.failures += 1;
        doubled.min(MAX).mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
    }

    /// Starts over after a success.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_half_a_minute_and_start_over() {
        let mut backoff = Backoff::default();
        let delays: Vec<_> = (0..8)
            .map(|_| backoff.next_delay(1.0).as_millis())
            .collect();
        assert_eq!(delays, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
        backoff.reset();
        assert_eq!(backoff.next_delay(0.0).as_millis(), 250);
    }

    #[test]
    fn attempts_are_unlimited() {
        let mut backoff = Backoff::default();
        assert!((0..1000).all(|_| backoff.next_delay(0.5) <= MAX));
    }
}
