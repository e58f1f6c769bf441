//! When to try again, and when not to. Pure.

use std::time::Duration;

use super::machine::Ending;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// What an answer means for the upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done.
    Good,
    /// Ask for the offset, then go on from there.
    Resync,
    /// Try again later.
    Later,
    /// Nothing is wrong, it only isn't ready: ask again in a moment.
    NotYet,
    /// Never.
    Over(Ending),
}

/// Reads a status. A 409 with an offset says where to go on; without one the request has its video.
///
/// `ours`: the answer is in the server's own form. What a proxy in between says while the server restarts
/// is no reason to give a recording up.
pub fn verdict(status: u16, has_offset: bool, ours: bool) -> Verdict {
    match status {
        200..=299 => Verdict::Good,
        409 if has_offset => Verdict::Resync,
        408 | 425 | 429 => Verdict::Later,
        400..=499 if !ours => Verdict::Later,
        409 => Verdict::Over(Ending::AlreadySubmitted),
        404 => Verdict::Over(Ending::Withdrawn),
        410 => Verdict::Over(Ending::Expired),
        413 => Verdict::Over(Ending::TooLarge),
        400..=499 => Verdict::Over(Ending::Refused),
        503 if ours => Verdict::NotYet,
        _ => Verdict::Later,
    }
}

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

    #[test]
    fn a_proxy_ends_nothing() {
        for status in [400, 401, 403, 404, 409, 410, 413, 502, 503] {
            assert_eq!(verdict(status, false, false), Verdict::Later, "{status}");
        }
    }

    #[test]
    fn answers_mean() {
        for (status, has_offset, want) in [
            (201, true, Verdict::Good),
            (204, true, Verdict::Good),
            (409, true, Verdict::Resync),
            (409, false, Verdict::Over(Ending::AlreadySubmitted)),
            (404, false, Verdict::Over(Ending::Withdrawn)),
            (410, false, Verdict::Over(Ending::Expired)),
            (413, false, Verdict::Over(Ending::TooLarge)),
            (415, false, Verdict::Over(Ending::Refused)),
            (422, false, Verdict::Over(Ending::Refused)),
            (503, false, Verdict::NotYet),
            (408, false, Verdict::Later),
            (429, false, Verdict::Later),
            (500, false, Verdict::Later),
            (502, false, Verdict::Later),
            (507, false, Verdict::Later),
        ] {
            assert_eq!(verdict(status, has_offset, true), want, "{status}");
        }
    }
}
