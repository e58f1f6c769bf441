use proptest::prelude::*;

use super::*;

const SECOND: Millis = 1000;
const MINUTE: Millis = 60 * SECOND;
const DAY: Millis = 24 * 60 * MINUTE;
const START: Millis = 20_000 * DAY;

/// A guard at the first reading, and readings by minutes since then and how far the wall clock was set.
fn guard() -> (JumpDetector, impl Fn(Millis, Millis) -> Reading) {
    let reading = |minutes: Millis, set: Millis| Reading {
        wall: START + minutes * MINUTE + set,
        stopwatch: minutes * MINUTE,
    };
    (JumpDetector::new(reading(0, 0)), reading)
}

#[test]
fn a_jump_is_confirmed_after_ten_minutes() {
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
fn a_second_jump_restarts_the_confirmation() {
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

/// What a detector left that never doubted.
fn known(confirmed: Millis) -> KnownTime {
    KnownTime {
        confirmed,
        waited: 0,
    }
}

/// A doubt with the whole wait before it.
fn doubt(ahead: Millis) -> Option<Doubt> {
    let wait = CONFIRMED_AFTER;
    Some(Doubt { ahead, wait })
}

#[test]
fn an_unobserved_time_step_is_confirmed_after_ten_minutes() {
    let (mut guard, at) = guard();
    let last = START - DAY;
    assert_eq!(guard.resume(at(0, 0), known(last)), doubt(DAY));
    assert_eq!(guard.observe(at(9, 0)), (last + 9 * MINUTE, None));
    let confirmed = Some(Change::Confirmed { ahead: DAY });
    assert_eq!(guard.observe(at(10, 0)), (START + 10 * MINUTE, confirmed));
    assert_eq!(guard.known(at(11, 0)), known(START + 11 * MINUTE));
}

#[test]
fn several_short_runs_wait_together_and_each_for_two_minutes() {
    let mut last = known(START - DAY);
    for (run, is_confirmed) in [(0, false), (1, false), (2, true)] {
        let begin = START + run * DAY;
        let at = |minutes: Millis| Reading {
            wall: begin + minutes * MINUTE,
            stopwatch: minutes * MINUTE,
        };
        let mut guard = JumpDetector::new(at(0));
        let doubt = guard.resume(at(0), last).expect("a doubt");
        assert_eq!(doubt.wait, (10 - 4 * run).max(2) * MINUTE, "run {run}");
        let (soon, _) = guard.observe(at(1));
        assert_eq!(soon, last.confirmed + MINUTE, "run {run}");
        last = guard.known(at(4));
        let confirmed = begin + 4 * MINUTE;
        assert_eq!(
            last == known(confirmed),
            is_confirmed,
            "run {run}: {last:?}"
        );
    }
}

#[test]
fn a_clock_that_was_wrong_at_the_start_and_is_set_right_never_counted() {
    let (mut guard, at) = guard();
    let last = START - DAY;
    assert_eq!(guard.resume(at(1, 0), known(last)), doubt(DAY));
    assert_eq!(guard.observe(at(2, 0)), (last + 2 * MINUTE, None));
    let right = at(3, -DAY);
    assert_eq!(guard.observe(right), (right.wall, Some(Change::Returned)));
}

#[test]
fn only_measured_time_is_confirmed() {
    let (mut guard, at) = guard();
    let later = at(24 * 60, 0);
    assert_eq!(guard.resume(later, known(START - MINUTE)), None);
    assert_eq!(guard.observe(later), (later.wall, None));
    let last = known(START - DAY);
    assert_eq!(guard.resume(later, last), doubt(DAY));
    assert_eq!(guard.resume(later, last), None, "a second time");
    assert_eq!(guard.observe(later), (later.wall - DAY, None));
}

#[test]
fn a_short_or_later_stop_is_confirmed_at_once() {
    for last in [START - TOLERANCE, START, START + DAY] {
        let (mut guard, at) = guard();
        assert_eq!(guard.resume(at(0, 0), known(last)), None, "{last}");
        assert_eq!(guard.observe(at(0, 0)), (START, None), "{last}");
    }
}

#[test]
fn a_jump_that_is_corrected_a_little_again_and_again_is_confirmed() {
    let (mut guard, at) = guard();
    guard.observe(at(2, DAY));
    for minutes in 3..12 {
        let corrected = at(minutes, DAY + minutes * MINUTE);
        assert_eq!(guard.observe(corrected).1, None, "{minutes}");
    }
    let last = at(12, DAY + 12 * MINUTE);
    assert_eq!(guard.observe(last).0, last.wall);
}

proptest! {
    #[test]
    fn confirmed_time_never_runs_ahead(
        stopped in 0..3 * DAY,
        waited in 0..2 * CONFIRMED_AFTER,
        steps in prop::collection::vec((0..2 * CONFIRMED_AFTER, -3 * DAY..3 * DAY), 1..60),
    ) {
        let mut guard = JumpDetector::new(Reading { wall: START, stopwatch: 0 });
        let mut before = Reading { wall: START, stopwatch: 0 };
        let last = KnownTime { confirmed: START - stopped, waited };
        let doubted = guard.resume(before, last).map_or(0, |it| it.ahead);
        // Until the clock is set, the wait of the process before counts, but for two minutes.
        let carried = if doubted > 0 { waited.min(CONFIRMED_AFTER - CONFIRMED_AFTER_START) } else { 0 };
        let (mut confirmed, mut since_a_change) = (START - doubted, carried);
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
    fn a_steady_clock_is_eventually_confirmed(
        jumps in prop::collection::vec(-3 * DAY..3 * DAY, 0..20),
    ) {
        let mut guard = JumpDetector::new(Reading { wall: START, stopwatch: 0 });
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
