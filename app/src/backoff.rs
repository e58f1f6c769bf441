//! How long to wait after failures. Pure.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// Waits that double, and start over when something went well. There is no last one: as long as the
/// link is open, what was recorded may still arrive.
#[derive(Clone, Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// How long to wait after one more failure. `jitter`, from 0 to 1, spreads those who failed together.
    pub fn next(&mut self, jitter: f64) -> Duration {
        let doubled = FIRST.saturating_mul(1 << self.failures.min(16));
        self.failures += 1;
        doubled
            .min(LONGEST)
            .mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
    }

    /// Something went well.
    pub fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_half_a_minute_and_start_over() {
        let mut backoff = Backoff::default();
        let waits: Vec<_> = (0..8).map(|_| backoff.next(1.0).as_millis()).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
        backoff.reset();
        assert_eq!(backoff.next(0.0).as_millis(), 250);
    }

    #[test]
    fn it_never_stops_trying() {
        let mut backoff = Backoff::default();
        assert!((0..1000).all(|_| backoff.next(0.5) <= LONGEST));
    }
}
