//! The injected clock: tests move it instead of waiting for an expiry.

mod jump;
mod stopwatch;
mod time;

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::Mutex;
use tracing::{error, warn};

use jump::{Change, JumpDetector, Reading};

pub use jump::KnownTime;
pub use stopwatch::Stopwatch;
pub use time::{Millis, civil, http_date, rfc3339};

/// A source of the current time.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// The database server's clock when it was last read, plus a stopwatch since then.
    /// So nodes whose own clocks differ, or jump, agree on what has expired.
    Anchored(Arc<Mutex<Guarded>>),
    /// A clock that stands still until a test moves it.
    Manual(Arc<Mutex<Guarded>>),
}

/// A reading of an anchored or a manual clock, and the guard of all its readings.
#[derive(Debug)]
pub struct Guarded {
    at: Reading,
    guard: JumpDetector,
}

impl Guarded {
    fn new(at: Reading) -> Arc<Mutex<Self>> {
        let guard = JumpDetector::new(at);
        Arc::new(Mutex::new(Self { at, guard }))
    }

    /// What an anchored clock shows now.
    fn elapsed(&self) -> Reading {
        let now = since_boot();
        let since = now.saturating_sub(self.at.stopwatch);
        Reading {
            wall: self.at.wall.saturating_add(since),
            stopwatch: now,
        }
    }
}

/// The guard of the machine's wall clock.
static SYSTEM_GUARD: LazyLock<Mutex<JumpDetector>> =
    LazyLock::new(|| Mutex::new(JumpDetector::new(system_reading())));

impl Clock {
    /// Creates a clock that starts at the current time.
    /// Only [`Clock::advance`] and [`Clock::jump`] move it.
    pub fn manual() -> Self {
        Self::manual_at(Self::System.now())
    }

    /// Creates a manual clock that starts at this time.
    pub fn manual_at(now: Millis) -> Self {
        Self::Manual(Guarded::new(Reading {
            wall: now,
            stopwatch: now,
        }))
    }

    /// Creates an anchored clock that shows `at` now.
    pub fn anchored(at: Millis) -> Self {
        Self::Anchored(Guarded::new(reading_at(at)))
    }

    /// The current time, which decides access.
    /// What may have expired isn't served, even if the clock is wrong.
    pub fn now(&self) -> Millis {
        match self {
            Self::System => Timestamp::now().as_millisecond(),
            Self::Anchored(anchor) => anchor.lock().elapsed().wall,
            Self::Manual(manual) => manual.lock().at.wall,
        }
    }

    /// The confirmed time, which decides what can't be undone: never later than [`Clock::now`].
    ///
    /// A wall clock that was set forward by more than five minutes is confirmed after ten minutes by a stopwatch. Such
    /// jumps are logged.
    pub fn confirmed(&self) -> Millis {
        self.observe().1
    }

    /// How far the clock is ahead of the confirmed time: 0, except for ten minutes after a jump or a long stop.
    pub fn unconfirmed(&self) -> Millis {
        let (reading, confirmed) = self.observe();
        reading.wall.saturating_sub(confirmed)
    }

    /// What the next server has to know of the time, and the current time.
    pub fn known(&self) -> (KnownTime, Millis) {
        // Which logs a change.
        self.observe();
        self.guarded(|guard, reading| (guard.known(reading), reading.wall))
    }

    /// Continues from what a server knew before.
    /// If this clock began more than five minutes later, because no server ran or because it is wrong, the time
    /// between is unconfirmed, which is logged.
    pub fn resume(&self, last: KnownTime) {
        if let Some(doubt) = self.guarded(|guard, reading| guard.resume(reading, last)) {
            warn!(
                ahead_seconds = doubt.ahead / 1000,
                wait_seconds = doubt.wait / 1000,
                "no server has run for a while, or the clock is wrong: what has expired meanwhile is refused, and removed \
                 only if the clock stays where it is"
            );
        }
    }

    /// Calls this with the clock's guard and a reading.
    fn guarded<T>(&self, call: impl FnOnce(&mut JumpDetector, Reading) -> T) -> T {
        match self {
            Self::System => {
                let mut guard = SYSTEM_GUARD.lock();
                // Read while the lock is held, so that readings are observed in order.
                call(&mut guard, system_reading())
            }
            Self::Anchored(anchor) => {
                let mut anchor = anchor.lock();
                let reading = anchor.elapsed();
                call(&mut anchor.guard, reading)
            }
            Self::Manual(manual) => {
                let mut manual = manual.lock();
                let reading = manual.at;
                call(&mut manual.guard, reading)
            }
        }
    }

    fn observe(&self) -> (Reading, Millis) {
        let (reading, (confirmed, change)) =
            self.guarded(|guard, reading| (reading, guard.observe(reading)));
        if let Some(change) = change {
            log(change);
        }
        (reading, confirmed)
    }

    /// The monotonic time since an arbitrary moment, for short periods within this process.
    pub fn monotonic(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            Self::System | Self::Anchored(_) => START.elapsed(),
            Self::Manual(manual) => {
                let at = manual.lock().at.stopwatch.max(0);
                Duration::from_millis(at.unsigned_abs())
            }
        }
    }

    /// Sets an anchored clock to `at`. Does nothing to other clocks.
    pub fn anchor(&self, at: Millis) {
        if let Self::Anchored(anchor) = self {
            anchor.lock().at = reading_at(at);
        }
    }

    /// Lets time pass on a manual clock.
    /// A negative time only sets its wall clock back. Does nothing to other clocks.
    pub fn advance(&self, by: Millis) {
        if let Self::Manual(manual) = self {
            let mut manual = manual.lock();
            manual.at.wall += by;
            manual.at.stopwatch += by.max(0);
        }
    }

    /// Sets a manual clock's wall clock forward or back, without letting time pass.
    /// Does nothing to other clocks.
    pub fn jump(&self, by: Millis) {
        if let Self::Manual(manual) = self {
            manual.lock().at.wall += by;
        }
    }
}

fn system_reading() -> Reading {
    reading_at(Timestamp::now().as_millisecond())
}

fn reading_at(wall: Millis) -> Reading {
    let stopwatch = since_boot();
    Reading { wall, stopwatch }
}

/// Milliseconds since boot, including suspension.
/// So a resume doesn't look like a jump of the wall clock.
#[cfg(target_os = "linux")]
fn since_boot() -> Millis {
    use rustix::time::{ClockId, clock_gettime};
    let since_boot = clock_gettime(ClockId::Boottime);
    since_boot.tv_sec * 1000 + since_boot.tv_nsec / 1_000_000
}

/// Milliseconds since the first call.
/// If they stand still during suspension, a resume looks like a jump.
#[cfg(not(target_os = "linux"))]
fn since_boot() -> Millis {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Millis::try_from(START.elapsed().as_millis()).unwrap_or(Millis::MAX)
}

fn log(change: Change) {
    let wait_seconds = jump::CONFIRMED_AFTER / 1000;
    match change {
        Change::Jumped { ahead } => error!(
            ahead_seconds = ahead / 1000,
            wait_seconds,
            "the clock jumped forward: what expired only by the jump is refused, and removed only if the clock stays there"
        ),
        Change::Returned => {
            warn!("the clock returned from its jump; nothing was removed because of it")
        }
        Change::Confirmed { ahead } => warn!(
            ahead_seconds = ahead / 1000,
            "confirmed a clock jump: what has expired by it is removed from now on"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchored_clock_continues_from_its_anchor() {
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
    fn the_systems_clock_is_confirmed_until_it_jumps() {
        let before = Clock::System.now();
        let confirmed = Clock::System.confirmed();
        assert!((before..=Clock::System.now()).contains(&confirmed));
        assert_eq!(Clock::System.unconfirmed(), 0);
    }
}
