//! Time, injected: expiry is tested by moving a clock, never by waiting.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Milliseconds since 1970, UTC: how the database keeps every time.
pub type Millis = i64;

/// Where "now" comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// The database's clock, as of the last look at it, and a stopwatch since. So nodes whose own clocks
    /// differ, or jump, agree on what has expired.
    Anchored(Arc<Mutex<Anchor>>),
    /// A clock that stands still until somebody moves it.
    Manual(Arc<AtomicI64>),
}

/// A moment on two clocks.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    at: Millis,
    on_the_stopwatch: Instant,
}

impl Anchor {
    fn new(at: Millis) -> Self {
        Self {
            at,
            on_the_stopwatch: Instant::now(),
        }
    }

    fn now(self) -> Millis {
        let since = self.on_the_stopwatch.elapsed().as_millis();
        self.at
            .saturating_add(Millis::try_from(since).unwrap_or(Millis::MAX))
    }
}

impl Clock {
    /// A clock that starts at the present and moves only by [`Clock::advance`].
    pub fn manual() -> Self {
        Self::Manual(Arc::new(AtomicI64::new(Self::System.now())))
    }

    /// A clock that was just told the time.
    pub fn anchored(at: Millis) -> Self {
        Self::Anchored(Arc::new(Mutex::new(Anchor::new(at))))
    }

    /// The present.
    pub fn now(&self) -> Millis {
        match self {
            Self::System => Timestamp::now().as_millisecond(),
            Self::Anchored(anchor) => lock(anchor).now(),
            Self::Manual(at) => at.load(Ordering::SeqCst),
        }
    }

    /// Time since some moment, which never goes back: for what counts in seconds and is forgotten with the
    /// process.
    pub fn ticking(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            Self::System | Self::Anchored(_) => START.elapsed(),
            Self::Manual(at) => {
                let at = at.load(Ordering::SeqCst).max(0);
                Duration::from_millis(at.unsigned_abs())
            }
        }
    }

    /// Tells an anchored clock the time anew. The others have their own.
    pub fn anchor(&self, at: Millis) {
        if let Self::Anchored(anchor) = self {
            *lock(anchor) = Anchor::new(at);
        }
    }

    /// Moves a manual clock, backwards too. The others stay as they are.
    pub fn advance(&self, by: Millis) {
        if let Self::Manual(at) = self {
            at.fetch_add(by, Ordering::SeqCst);
        }
    }
}

/// An anchor is written whole: one that somebody panicked beside is as good as any.
fn lock(anchor: &Mutex<Anchor>) -> MutexGuard<'_, Anchor> {
    anchor.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Time since a moment, and never less than that: it goes on while the machine sleeps, and when its clock
/// is set.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    monotonic: Instant,
    wall: SystemTime,
}

impl Stopwatch {
    /// Starts one.
    pub fn start() -> Self {
        Self {
            monotonic: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// What has passed. The monotonic clock stands still while Linux is suspended, the other one may jump.
    pub fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed().unwrap_or_default();
        self.monotonic.elapsed().max(wall)
    }
}

/// RFC 3339 in UTC, as every API answer shows times.
pub fn rfc3339(at: Millis) -> String {
    // Outside jiff's range lie only the years beyond 9999, where no request expires.
    Timestamp::from_millisecond(at)
        .unwrap_or(Timestamp::MAX)
        .to_string()
}

/// As HTTP's own headers show times: RFC 9110, section 5.6.7.
pub fn http_date(at: Millis) -> String {
    let at = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX);
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// In UTC, to be put in words for a reader whose time zone isn't known.
pub fn civil(at: Millis) -> DateTime {
    let at = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX);
    at.to_zoned(TimeZone::UTC).datetime()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchored_clock_goes_on_from_what_it_was_told() {
        let clock = Clock::anchored(1_000_000);
        let first = clock.now();
        assert!((1_000_000..1_060_000).contains(&first), "{first}");
        assert!(clock.now() >= first);
        clock.anchor(5);
        assert!((5..60_005).contains(&clock.now()));
    }

    #[test]
    fn times_are_shown_in_utc() {
        assert_eq!(rfc3339(1_795_219_200_000), "2026-11-21T00:00:00Z");
        assert_eq!(rfc3339(1_795_219_200_250), "2026-11-21T00:00:00.25Z");
        assert_eq!(
            civil(1_795_219_200_250).to_string(),
            "2026-11-21T00:00:00.25"
        );
        assert_eq!(
            http_date(1_795_219_200_250),
            "Sat, 21 Nov 2026 00:00:00 GMT"
        );
    }
}
