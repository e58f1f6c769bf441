//! Detecting jumps of the wall clock: a pure state machine over readings of two clocks.
//!
//! Access follows the wall clock at once. Irreversible actions follow [`JumpGuard::observe`]: a wall clock that has
//! moved ahead of a stopwatch by more than [`TOLERANCE`] since the last reading is confirmed only after it has stayed
//! there for [`CONFIRMED_AFTER`] by the stopwatch. Until then the confirmed time continues by the stopwatch, so what
//! has expired by both clocks is still removed in time.

use super::time::Millis;

/// How far the wall clock may move ahead between two readings. That is more than a correction by NTP, and too little to
/// matter.
const TOLERANCE: Millis = 5 * 60 * 1000;

/// How long the wall clock must stay ahead until it is confirmed. NTP, or an operator, can correct it within that time.
pub(super) const CONFIRMED_AFTER: Millis = 10 * 60 * 1000;

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
pub(super) struct JumpGuard {
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

impl JumpGuard {
    /// Creates a detector that takes the first reading as confirmed.
    pub(super) fn new(first: Reading) -> Self {
        Self {
            confirmed: first.offset(),
            unconfirmed: None,
        }
    }

    /// Returns the confirmed time at this reading, and the change that it revealed. The confirmed time is never later
    /// than the reading's wall clock.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: Millis = 1000;
    const MINUTE: Millis = 60 * SECOND;
    const DAY: Millis = 24 * 60 * MINUTE;
    const START: Millis = 20_000 * DAY;

    /// A guard at the first reading, and readings by minutes since then and how far the wall clock was set.
    fn guard() -> (JumpGuard, impl Fn(Millis, Millis) -> Reading) {
        let reading = |minutes: Millis, set: Millis| Reading {
            wall: START + minutes * MINUTE + set,
            stopwatch: minutes * MINUTE,
        };
        (JumpGuard::new(reading(0, 0)), reading)
    }

    #[test]
    fn a_jump_is_believed_after_ten_minutes() {
        let (mut guard, at) = guard();
        let without = |minutes: Millis| START + minutes * MINUTE;
        let jumped = Some(Change::Jumped { ahead: DAY });
        assert_eq!(guard.observe(at(1, 0)), (without(1), None));
        assert_eq!(guard.observe(at(2, DAY)), (without(2), jumped));
        assert_eq!(guard.observe(at(11, DAY)), (without(11), None));
        let confirmed = Some(Change::Confirmed { ahead: DAY });
        assert_eq!(guard.observe(at(12, DAY)), (without(12) + DAY, confirmed));
        assert_eq!(guard.observe(at(13, DAY)), (without(13) + DAY, None));
    }

    #[test]
    fn a_jump_that_is_taken_back_never_counted() {
        let (mut guard, at) = guard();
        guard.observe(at(2, DAY));
        let returned = Some(Change::Returned);
        assert_eq!(guard.observe(at(11, 0)), (START + 11 * MINUTE, returned));
        // The next jump has a wait of its own.
        let jumped = Some(Change::Jumped { ahead: DAY });
        assert_eq!(guard.observe(at(12, DAY)), (START + 12 * MINUTE, jumped));
        assert_eq!(guard.observe(at(21, DAY)), (START + 21 * MINUTE, None));
    }

    #[test]
    fn a_second_jump_is_waited_for_from_its_own_moment() {
        let (mut guard, at) = guard();
        guard.observe(at(2, DAY));
        let jumped = Some(Change::Jumped { ahead: 2 * DAY });
        assert_eq!(guard.observe(at(9, 2 * DAY)), (START + 9 * MINUTE, jumped));
        assert_eq!(guard.observe(at(18, 2 * DAY)).1, None);
        let confirmed = Some(Change::Confirmed { ahead: 2 * DAY });
        assert_eq!(guard.observe(at(19, 2 * DAY)).1, confirmed);
    }

    #[test]
    fn small_corrections_and_steps_back_count_at_once() {
        let (mut guard, at) = guard();
        for (minutes, set) in [(1, TOLERANCE), (2, 0), (3, -DAY), (4, -DAY + TOLERANCE)] {
            let reading = at(minutes, set);
            assert_eq!(guard.observe(reading), (reading.wall, None), "{set}");
        }
    }

    #[test]
    fn a_long_silence_is_no_jump() {
        let (mut guard, at) = guard();
        let after_a_week = at(7 * 24 * 60, 0);
        assert_eq!(guard.observe(after_a_week), (after_a_week.wall, None));
    }

    proptest! {
        #[test]
        fn confirmed_time_never_runs_ahead(
            steps in prop::collection::vec((0..2 * CONFIRMED_AFTER, -3 * DAY..3 * DAY), 1..60),
        ) {
            let mut guard = JumpGuard::new(Reading { wall: START, stopwatch: 0 });
            let mut before = Reading { wall: START, stopwatch: 0 };
            let (mut confirmed, mut since_a_change) = (START, 0);
            let mut set = 0;
            for (passed, by) in steps {
                // Most steps don't set the clock.
                let by = if by % 3 == 0 { by } else { 0 };
                set += by;
                let stopwatch = before.stopwatch + passed;
                let reading = Reading { wall: START + stopwatch + set, stopwatch };
                let (now, change) = guard.observe(reading);
                prop_assert!(now <= reading.wall);
                // Confirmed time moves ahead of the stopwatch only when the clock wasn't set for ten minutes.
                since_a_change = if by.abs() > TOLERANCE { 0 } else { since_a_change + passed };
                let ahead = now - confirmed - passed;
                if ahead > TOLERANCE {
                    let was_confirmed = matches!(change, Some(Change::Confirmed { .. }));
                    prop_assert!(was_confirmed && since_a_change >= CONFIRMED_AFTER, "{ahead}");
                }
                (before, confirmed) = (reading, now);
            }
        }

        #[test]
        fn a_clock_that_is_left_alone_is_believed_in_the_end(
            jumps in prop::collection::vec(-3 * DAY..3 * DAY, 0..20),
        ) {
            let mut guard = JumpGuard::new(Reading { wall: START, stopwatch: 0 });
            let (mut set, mut stopwatch) = (0, 0);
            for by in jumps {
                (set, stopwatch) = (set + by, stopwatch + MINUTE);
                guard.observe(Reading { wall: START + stopwatch + set, stopwatch });
            }
            let later = Reading {
                wall: START + stopwatch + CONFIRMED_AFTER + set,
                stopwatch: stopwatch + CONFIRMED_AFTER,
            };
            prop_assert_eq!(guard.observe(later).0, later.wall);
        }
    }
}
