//! Time, injected: expiry is tested by moving a clock, never by waiting.

mod jump;

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::TimeZone;
use parking_lot::Mutex;
use tracing::{error, warn};

use jump::{Change, JumpGuard, Reading};

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
    Manual(Arc<Mutex<Manual>>),
}

/// A moment on two clocks.
#[derive(Debug)]
pub struct Anchor {
    at: Reading,
    guard: JumpGuard,
}

impl Anchor {
    fn new(wall: Millis) -> Self {
        let at = Reading {
            wall,
            stopwatch: stopwatch(),
        };
        Self {
            at,
            guard: JumpGuard::new(at),
        }
    }

    fn reading(&self) -> Reading {
        let stopwatch = stopwatch();
        let since = stopwatch.saturating_sub(self.at.stopwatch);
        Reading {
            wall: self.at.wall.saturating_add(since),
            stopwatch,
        }
    }
}

/// Two clocks that tests move.
#[derive(Debug)]
pub struct Manual {
    at: Reading,
    guard: JumpGuard,
}

/// Of this process: the machine has one wall clock.
static SYSTEM_GUARD: LazyLock<Mutex<JumpGuard>> =
    LazyLock::new(|| Mutex::new(JumpGuard::new(system_reading())));

impl Clock {
    /// A clock that starts at the present and moves only by [`Clock::advance`] and [`Clock::jump`].
    pub fn manual() -> Self {
        let now = Self::System.now();
        let at = Reading {
            wall: now,
            stopwatch: now,
        };
        let guard = JumpGuard::new(at);
        Self::Manual(Arc::new(Mutex::new(Manual { at, guard })))
    }

    /// A clock that was just told the time.
    pub fn anchored(at: Millis) -> Self {
        Self::Anchored(Arc::new(Mutex::new(Anchor::new(at))))
    }

    /// The present, for access: what may be over is served no more, even if the clock was set wrong.
    pub fn now(&self) -> Millis {
        match self {
            Self::System => Timestamp::now().as_millisecond(),
            Self::Anchored(anchor) => anchor.lock().reading().wall,
            Self::Manual(manual) => manual.lock().at.wall,
        }
    }

    /// The present as far as it is confirmed, for what can't be undone: never later than [`Clock::now`].
    ///
    /// A wall clock that was set forward by more than five minutes counts only when it has stood there for ten minutes
    /// by a stopwatch. Such jumps are logged.
    pub fn confirmed(&self) -> Millis {
        self.observe().1
    }

    /// How far the clock was set forward without being confirmed yet; 0 but for ten minutes after a jump.
    pub fn unconfirmed(&self) -> Millis {
        let (reading, confirmed) = self.observe();
        reading.wall.saturating_sub(confirmed)
    }

    fn observe(&self) -> (Reading, Millis) {
        let (reading, (confirmed, change)) = match self {
            Self::System => {
                let mut guard = SYSTEM_GUARD.lock();
                // Read under the lock: readings come in their order.
                let reading = system_reading();
                (reading, guard.observe(reading))
            }
            Self::Anchored(anchor) => {
                let mut anchor = anchor.lock();
                let reading = anchor.reading();
                (reading, anchor.guard.observe(reading))
            }
            Self::Manual(manual) => {
                let mut manual = manual.lock();
                let reading = manual.at;
                (reading, manual.guard.observe(reading))
            }
        };
        if let Some(change) = change {
            log(change);
        }
        (reading, confirmed)
    }

    /// Time since some moment, which never goes back: for what counts in seconds and is forgotten with the
    /// process.
    pub fn ticking(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            Self::System | Self::Anchored(_) => START.elapsed(),
            Self::Manual(manual) => {
                let at = manual.lock().at.stopwatch.max(0);
                Duration::from_millis(at.unsigned_abs())
            }
        }
    }

    /// Tells an anchored clock the time anew. The others have their own.
    pub fn anchor(&self, at: Millis) {
        if let Self::Anchored(anchor) = self {
            let mut anchor = anchor.lock();
            anchor.at = Reading {
                wall: at,
                stopwatch: stopwatch(),
            };
        }
    }

    /// Lets time pass on a manual clock; a negative one is only set back. The others stay as they are.
    pub fn advance(&self, by: Millis) {
        if let Self::Manual(manual) = self {
            let mut manual = manual.lock();
            manual.at.wall += by;
            manual.at.stopwatch += by.max(0);
        }
    }

    /// Sets a manual clock forward or back, while no time passes. The others stay as they are.
    pub fn jump(&self, by: Millis) {
        if let Self::Manual(manual) = self {
            manual.lock().at.wall += by;
        }
    }
}

fn system_reading() -> Reading {
    Reading {
        wall: Timestamp::now().as_millisecond(),
        stopwatch: stopwatch(),
    }
}

/// Milliseconds since some moment, which go on while the machine is suspended: a resume is no jump of the wall clock.
#[cfg(target_os = "linux")]
fn stopwatch() -> Millis {
    use rustix::time::{ClockId, clock_gettime};
    let since_boot = clock_gettime(ClockId::Boottime);
    since_boot.tv_sec * 1000 + since_boot.tv_nsec / 1_000_000
}

/// Milliseconds since some moment. Where they stand still in a suspended machine, its resume is taken for a jump.
#[cfg(not(target_os = "linux"))]
fn stopwatch() -> Millis {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Millis::try_from(START.elapsed().as_millis()).unwrap_or(Millis::MAX)
}

fn log(change: Change) {
    let wait_seconds = jump::CONFIRMED_AFTER / 1000;
    match change {
        Change::Jumped { ahead } => error!(
            ahead_seconds = ahead / 1000,
            wait_seconds,
            "the clock jumped forward: what is over by it alone is refused, and removed only when the clock stays there"
        ),
        Change::Returned => warn!("the clock is back from its jump, which removed nothing"),
        Change::Confirmed { ahead } => warn!(
            ahead_seconds = ahead / 1000,
            "the clock stayed where it jumped to: what is over by it is removed from now on"
        ),
    }
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

    /// One that was started so long ago.
    #[cfg(test)]
    pub fn started(ago: Duration) -> Self {
        let now = Self::start();
        Self {
            wall: now.wall - ago,
            ..now
        }
    }

    /// What has passed. The monotonic clock stands still while Linux is suspended, the other one may jump.
    pub fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed().unwrap_or_default();
        self.monotonic.elapsed().max(wall)
    }
}

/// RFC 3339 in UTC, as every API answer shows times: always with milliseconds, so that they sort as text.
pub fn rfc3339(at: Millis) -> String {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    // Outside jiff's range lie only the years beyond 9999, where no request expires.
    let at = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX);
    PRINTER.timestamp_to_string(&at)
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
    fn a_jump_of_the_anchor_is_unconfirmed() {
        const DAY: Millis = 24 * 60 * 60 * 1000;
        let clock = Clock::anchored(DAY);
        assert_eq!(clock.unconfirmed(), 0);
        clock.anchor(2 * DAY);
        assert!(clock.now() >= 2 * DAY);
        assert!((DAY..DAY + 60_000).contains(&clock.confirmed()));
        clock.anchor(DAY);
        assert_eq!(clock.unconfirmed(), 0);
        assert!(clock.confirmed() >= DAY);
    }

    #[test]
    fn the_systems_clock_is_confirmed_while_nobody_sets_it() {
        let before = Clock::System.now();
        let confirmed = Clock::System.confirmed();
        assert!((before..=Clock::System.now()).contains(&confirmed));
        assert_eq!(Clock::System.unconfirmed(), 0);
    }

    #[test]
    fn times_are_shown_in_utc() {
        assert_eq!(rfc3339(1_795_219_200_000), "2026-11-21T00:00:00.000Z");
        assert_eq!(rfc3339(1_795_219_200_250), "2026-11-21T00:00:00.250Z");
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
