use super::properties::ENDINGS;
use super::*;

const REQUEST_ACCESS: Event = Event::RequestAccess { attempt: 1 };

const PREVIEW: Phase = Phase::Preview {
    is_replacing: false,
};

/// From the first press to the review: a recording from 10 s to 30 s.
fn to_review() -> [Event; 6] {
    [
        REQUEST_ACCESS,
        Event::AccessGranted,
        Event::StartCountdown { now: 7_000.0 },
        Event::RecordingStarted(timer()),
        Event::Stop { now: 30_000.0 },
        Event::RecordingEnded,
    ]
}

fn timer() -> Timer {
    Timer::started(10_000.0, 60_000.0)
}

fn walk(events: &[Event]) -> Option<Phase> {
    events
        .iter()
        .try_fold(Phase::Idle, |phase, event| phase.after(*event))
}

fn ended(ending: Ending) -> Phase {
    Phase::Ended {
        ending,
        recording: None,
    }
}

/// A recording that runs, is paused, and is being stopped.
fn recorded() -> [Phase; 3] {
    [
        Phase::Recording(timer()),
        Phase::Paused(timer()),
        Phase::Stopping(timer()),
    ]
}

#[test]
fn a_take_is_recorded_reviewed_and_submitted() {
    let sent = [&to_review()[..], &[Event::Submit, Event::SubmitAccepted]].concat();
    assert_eq!(walk(&sent), Some(Phase::Submitted));
}

#[test]
fn a_recording_is_paused_and_resumed() {
    let paused = [&to_review()[..4], &[Event::Pause { now: 15_000.0 }]].concat();
    let timer_paused = timer().paused(15_000.0);
    assert_eq!(walk(&paused), Some(Phase::Paused(timer_paused)));
    let events = [
        Event::Resume { now: 20_000.0 },
        Event::Pause { now: 21_000.0 },
        Event::Stop { now: 30_000.0 },
    ];
    let stopping = walk(&[&paused[..], &events].concat());
    let elapsed = stopping
        .and_then(Phase::timer)
        .map(|it| it.elapsed(40_000.0));
    assert_eq!(elapsed, Some(6_000.0));
}

#[test]
fn a_take_is_discarded_only_after_a_confirmation() {
    let unconfirmed = [&to_review()[..], &[REQUEST_ACCESS]].concat();
    assert_eq!(walk(&unconfirmed), None);
    let kept = [&to_review()[..], &[Event::AskDiscard, Event::KeepTake]].concat();
    assert_eq!(walk(&kept), Some(Phase::Review));
    let again = [&[Event::AskDiscard, Event::DiscardTake], &to_review()[..]].concat();
    assert_eq!(
        walk(&[&to_review()[..], &again].concat()),
        Some(Phase::Review)
    );
}

#[test]
fn a_recording_that_ends_by_itself_is_kept_and_noted() {
    for phase in recorded() {
        let (next, effects) = phase.handle(Event::RecordingEnded).expect("it applies");
        assert_eq!(next, Phase::Review);
        let is_stopping = matches!(phase, Phase::Stopping(_));
        let is_noted = effects.contains(&Effect::NoteInterruption);
        assert_eq!(is_noted, !is_stopping, "{phase:?}");
        assert!(effects.starts_with(&[Effect::CloseStream, Effect::FinishTake]));
    }
}

#[test]
fn access_can_be_granted_after_a_denial() {
    let denied = Event::AccessFailed(Obstacle::Denied);
    let granted = [
        REQUEST_ACCESS,
        denied,
        Event::RequestAccess { attempt: 2 },
        Event::AccessGranted,
    ];
    assert_eq!(walk(&granted), Some(PREVIEW));
}

#[test]
fn stale_attempts_are_distinguished() {
    let first = walk(&[REQUEST_ACCESS]);
    let second = walk(&[
        REQUEST_ACCESS,
        Event::CloseSource,
        Event::RequestAccess { attempt: 2 },
    ]);
    assert_ne!(first, second);
}

#[test]
fn nothing_is_recorded_while_a_track_is_replaced() {
    let countdown = Event::StartCountdown { now: 7_000.0 };
    let replacing = PREVIEW.after(Event::ReplaceTrack);
    assert_eq!(replacing, Some(Phase::Preview { is_replacing: true }));
    let replacing = replacing.expect("it applies");
    assert_eq!(replacing.after(countdown), None);
    assert_eq!(replacing.after(Event::ReplaceTrack), None, "one at a time");
    assert_eq!(replacing.after(Event::CloseSource), Some(Phase::Idle));
    assert_eq!(replacing.after(Event::TrackReplaced), Some(PREVIEW));
    assert_eq!(PREVIEW.after(Event::TrackReplaced), None);
}

#[test]
fn a_recovered_take_can_be_submitted() {
    let recovered = [Event::TakeLoaded, Event::Submit, Event::SubmitAccepted];
    assert_eq!(walk(&recovered), Some(Phase::Submitted));
}

#[test]
fn a_press_on_send_is_remembered_until_it_is_taken_back() {
    let (_, effects) = Phase::Review.handle(Event::Submit).expect("it applies");
    assert_eq!(
        effects,
        [Effect::RememberSubmission, Effect::StartSubmission]
    );
    let cancelled = Phase::Submitting.handle(Event::SubmitCancelled);
    let (_, effects) = cancelled.expect("it applies");
    assert_eq!(effects, [Effect::ForgetSubmission, Effect::AbortSubmission]);
}

#[test]
fn a_take_that_is_not_accepted_can_be_replaced() {
    let refused = Event::End(Ending::TooLarge);
    let again = [
        &to_review()[..],
        &[refused, Event::DiscardTake, REQUEST_ACCESS],
    ]
    .concat();
    let requested = Phase::RequestingAccess { attempt: 1 };
    assert_eq!(walk(&again), Some(requested));
    let expired = [
        &to_review()[..],
        &[Event::End(Ending::Expired), Event::DiscardTake],
    ]
    .concat();
    assert_eq!(walk(&expired), None);
}

#[test]
fn only_an_ending_of_the_take_can_be_left() {
    for ending in ENDINGS {
        let can_be_left = ending.allows_another_take();
        for (event, then) in [
            (Event::OpenedElsewhere, Phase::Elsewhere),
            (Event::DiscardTake, Phase::Idle),
        ] {
            let after = ended(ending).after(event);
            assert_eq!(after, can_be_left.then_some(then), "{ending:?}");
        }
    }
}

#[test]
fn an_ending_does_not_cut_off_the_recording() {
    for phase in recorded() {
        for ending in ENDINGS {
            let (end, effects) = phase.handle(Event::End(ending)).expect("it applies");
            assert_eq!(end.timer(), phase.timer());
            assert_eq!(effects.first(), Some(&Effect::StopRecorder));
            let is_closed = effects.contains(&Effect::CloseTake);
            assert_eq!(is_closed, !ending.allows_another_take());
            for last in [Event::RecordingEnded, Event::RecordingEmpty] {
                let finished = [Effect::CloseStream, Effect::FinishTake];
                assert_eq!(end.handle(last), Some((ended(ending), &finished[..])));
                assert_eq!(ended(ending).handle(last), None, "reported twice");
            }
        }
    }
}

#[test]
fn a_page_of_another_tab_can_be_taken_over() {
    let here = [Event::OpenedElsewhere, Event::PageAcquired];
    assert_eq!(walk(&here), Some(Phase::Idle));
    let there = [&to_review()[..4], &[Event::OpenedElsewhere]].concat();
    assert_eq!(walk(&there), Some(Phase::Elsewhere));
    let taken_over = [Event::OpenedElsewhere, Event::TakeLoaded];
    assert_eq!(walk(&taken_over), Some(Phase::Review));
}

#[test]
fn steps_can_be_cancelled() {
    for (to, event, then) in [
        (1, Event::CloseSource, Phase::Idle),
        (2, Event::CloseSource, Phase::Idle),
        (3, Event::Stop { now: 8_000.0 }, PREVIEW),
    ] {
        assert_eq!(walk(&[&to_review()[..to], &[event]].concat()), Some(then));
    }
    let cancelled = [&to_review()[..], &[Event::Submit, Event::SubmitCancelled]].concat();
    assert_eq!(walk(&cancelled), Some(Phase::Review));
}

#[test]
fn a_cancelled_countdown_keeps_the_source() {
    let countdown = Phase::Countdown { since: 7_000.0 };
    let stop = Event::Stop { now: 8_000.0 };
    assert_eq!(countdown.handle(stop), Some((PREVIEW, &[][..])));
}

#[test]
fn an_empty_recording_is_an_obstacle() {
    let blocked = Phase::Blocked(Obstacle::NoVideo);
    for phase in recorded() {
        assert_eq!(phase.after(Event::RecordingEmpty), Some(blocked));
    }
    assert_eq!(Phase::Review.after(Event::RecordingEmpty), None);
}

#[test]
fn a_take_found_submitted_ends_everything_but_a_recording() {
    for phase in recorded() {
        assert_eq!(phase.after(Event::FoundSubmitted), None);
    }
    for phase in [Phase::Idle, Phase::Review, Phase::Submitting] {
        assert_eq!(phase.after(Event::FoundSubmitted), Some(Phase::Submitted));
    }
    assert_eq!(Phase::Submitted.after(Event::FoundSubmitted), None);
}

#[test]
fn pressing_a_button_twice_counts_once() {
    let now = 9_000.0;
    for (phase, event) in [
        (
            Phase::RequestingAccess { attempt: 1 },
            Event::RequestAccess { attempt: 2 },
        ),
        (
            Phase::Countdown { since: now },
            Event::StartCountdown { now },
        ),
        (Phase::Recording(timer()), Event::RecordingStarted(timer())),
        (Phase::Paused(timer()), Event::Pause { now }),
        (Phase::Stopping(timer()), Event::Stop { now }),
        (Phase::Submitting, Event::Submit),
    ] {
        assert_eq!(phase.after(event), None, "{event:?}");
    }
}
