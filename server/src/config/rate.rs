//! A rate limit: an even rate and a burst.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// A rate such as `30/hour:10`: thirty in an hour, evenly spread, with a burst of ten after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Time between two evenly spread calls.
    pub interval: Duration,
    /// Maximum number of calls at once.
    pub burst: NonZeroU32,
}

/// A rate, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit(pub Option<Rate>);

impl RateLimit {
    /// Multiplies the rate and the burst.
    pub fn times(self, factor: u32) -> Self {
        Self(self.0.map(|rate| {
            Rate {
                interval: rate.interval / factor,
                burst: rate
                    .burst
                    .saturating_mul(NonZeroU32::new(factor).unwrap_or(rate.burst)),
            }
        }))
    }
}

const FORM: &str = "give it as 30/hour:10 (so many in a second, minute, hour or day, and so many at \
                    once), or as off";

/// Minimum interval: the database stores times in milliseconds.
const FINEST: Duration = Duration::from_millis(1);

/// Maximum time in which a whole burst is restored.
const MAX_PERIOD: Duration = Duration::from_secs(365 * 24 * 60 * 60);

impl FromStr for RateLimit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "off" {
            return Ok(Self(None));
        }
        let rate = || {
            let (rate, burst) = text.split_once(':')?;
            let (count, period) = rate.split_once('/')?;
            let period = match period {
                "second" => Duration::from_secs(1),
                "minute" => Duration::from_secs(60),
                "hour" => Duration::from_secs(60 * 60),
                "day" => Duration::from_secs(24 * 60 * 60),
                _ => return None,
            };
            let interval = period / count.parse::<NonZeroU32>().ok()?.get();
            let burst: NonZeroU32 = burst.parse().ok()?;
            let whole = interval.checked_mul(burst.get())?;
            (interval >= FINEST && whole <= MAX_PERIOD).then_some(Rate { interval, burst })
        };
        rate().map(|rate| Self(Some(rate))).ok_or(FORM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_count_a_period_and_a_burst() {
        for (text, want) in [
            ("30/hour:10", Some((120_000, 10))),
            ("20/second:60", Some((50, 60))),
            ("1000/second:1", Some((1, 1))),
            ("1/day:1", Some((86_400_000, 1))),
            ("60/minute:5", Some((1000, 5))),
            ("1001/second:1", None),
            ("1/day:366", None),
            ("1/day:4000000000", None),
            ("0/hour:10", None),
            ("30/hour:0", None),
            ("30/hour", None),
            ("30:10", None),
            ("30/week:10", None),
            ("-1/hour:10", None),
            ("1.5/hour:10", None),
            ("on", None),
            ("", None),
        ] {
            let rate = want.map(|(millis, burst)| Rate {
                interval: Duration::from_millis(millis),
                burst: NonZeroU32::new(burst).expect("a burst"),
            });
            let parsed = text.parse::<RateLimit>().ok();
            assert_eq!(parsed, rate.map(|rate| RateLimit(Some(rate))), "{text}");
        }
        assert_eq!("off".parse(), Ok(RateLimit(None)));
    }
}
