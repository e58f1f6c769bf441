//! Detecting jumps of the wall clock: a pure state machine over readings of two clocks.
//!
//! Access follows the wall clock at once. Irreversible actions follow [`JumpDetector::observe`]: a wall clock that has
//! moved ahead of a stopwatch by more than [`TOLERANCE`] since the last reading is confirmed only after it has stayed
//! there for [`CONFIRMED_AFTER`] by the stopwatch. Until then the confirmed time continues by the stopwatch, so what
//! has expired by both clocks is still removed in time. [`JumpDetector::resume`] does the same for the time before the first
//! reading: a machine may start with a wrong clock.

#[cfg(test)]
mod tests;

use super::time::Millis;

/// How far the wall clock may move ahead between two readings.
/// That is more than a correction by NTP, and too little to matter.
const TOLERANCE: Millis = 5 * 60 * 1000;

/// How long the wall clock must stay ahead until it is confirmed.
/// NTP, or an operator, can correct it within that time.
pub(super) const CONFIRMED_AFTER: Millis = 10 * 60 * 1000;

/// How long it must stay ahead after a start at least, whatever earlier processes have waited: time for NTP.
const CONFIRMED_AFTER_START: Millis = 2 * 60 * 1000;

/// What one process leaves to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownTime {
    /// The confirmed time.
    pub confirmed: Millis,
    /// For how many milliseconds a wall clock that is ahead of it has stood there; 0 if it isn't ahead.
    pub waited: Millis,
}

/// Time that nothing has measured, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    /// How far the wall clock is ahead of the confirmed time.
    pub ahead: Millis,
    /// How long it must stay there until it is confirmed.
    pub wait: Millis,
}

/// Two clocks, read at the same moment, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The wall clock: time since 1970. May be set.
    pub wall: Millis,
    /// The stopwatch: time since an arbitrary moment, including suspension. Is never set.
    pub stopwatch: Millis,
}

impl Reading {
    /// The wall clock's time when the stopwatch was at 0. Changes only when the wall clock is set.
    fn offset(self) -> Millis {
        self.wall.saturating_sub(self.stopwatch)
    }
}

/// A change that a reading has revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The wall clock was set forward, and isn't confirmed yet.
    Jumped { ahead: Millis },
    /// The wall clock returned before it was confirmed.
    Returned,
    /// The wall clock has stayed ahead for long enough, and is confirmed from now on.
    Confirmed { ahead: Millis },
}

/// The jump detector of one wall clock.
#[derive(Debug)]
pub(super) struct JumpDetector {
    /// The confirmed time of the first reading.
    began: Millis,
    /// The confirmed offset.
    confirmed: Millis,
    unconfirmed: Option<Unconfirmed>,
}

#[derive(Clone, Copy, Debug)]
struct Unconfirmed {
    offset: Millis,
    /// The stopwatch at the jump.
    since: Millis,
}

impl JumpDetector {
    /// Creates a detector that takes the first reading as confirmed.
    pub(super) fn new(first: Reading) -> Self {
        Self {
            began: first.wall,
            confirmed: first.offset(),
            unconfirmed: None,
        }
    }

    /// Continues from what another detector left.
    /// If the first reading of this one was ahead of that by more than the tolerance, the wall clock counts as set
    /// forward in between: nothing has measured that time. Returns by how much, and how long it must stay there.
    ///
    /// The wait goes on where the other one's ended. Otherwise a server that never runs for long would confirm nothing.
    pub(super) fn resume(&mut self, reading: Reading, last: KnownTime) -> Option<Doubt> {
        let ahead = self.began.saturating_sub(last.confirmed);
        if ahead <= TOLERANCE {
            return None;
        }
        self.began = last.confirmed;
        self.confirmed = self.confirmed.saturating_sub(ahead);
        let waited = last.waited.min(CONFIRMED_AFTER - CONFIRMED_AFTER_START);
        self.unconfirmed = Some(Unconfirmed {
            offset: reading.offset(),
            since: reading.stopwatch.saturating_sub(waited),
        });
        Some(Doubt {
            ahead,
            wait: CONFIRMED_AFTER - waited,
        })
    }

    /// What to leave to the next process, at this reading.
    pub(super) fn known(&mut self, reading: Reading) -> KnownTime {
        let (confirmed, _) = self.observe(reading);
        let waited = self
            .unconfirmed
            .map_or(0, |it| reading.stopwatch.saturating_sub(it.since));
        KnownTime { confirmed, waited }
    }

    /// Returns the confirmed time at this reading, and the change that it revealed.
    /// The confirmed time is never later than the reading's wall clock.
    pub(super) fn observe(&mut self, reading: Reading) -> (Millis, Option<Change>) {
        let change = self.change(reading);
        let confirmed = self.confirmed.saturating_add(reading.stopwatch);
        (confirmed.min(reading.wall), change)
    }

    fn change(&mut self, reading: Reading) -> Option<Change> {
        let offset = reading.offset();
        let ahead = offset.saturating_sub(self.confirmed);
        if ahead <= TOLERANCE {
            self.confirmed = offset;
            return self.unconfirmed.take().map(|_| Change::Returned);
        }
        let stands = self
            .unconfirmed
            .filter(|it| it.offset.abs_diff(offset) <= TOLERANCE.unsigned_abs());
        // As before the jump, small corrections count at once.
        if let (Some(unconfirmed), Some(_)) = (&mut self.unconfirmed, stands) {
            unconfirmed.offset = offset;
        }
        match stands {
            // The first jump, or another one before confirmation: the wait begins now.
            None => {
                self.unconfirmed = Some(Unconfirmed {
                    offset,
                    since: reading.stopwatch,
                });
                Some(Change::Jumped { ahead })
            }
            Some(it) if reading.stopwatch.saturating_sub(it.since) >= CONFIRMED_AFTER => {
                self.confirmed = offset;
                self.unconfirmed = None;
                Some(Change::Confirmed { ahead })
            }
            Some(_) => None,
        }
    }
}
