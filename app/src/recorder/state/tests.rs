use proptest::prelude::*;

use super::*;

fn walk(events: &[Event]) -> Option<Phase> {
    events
        .iter()
        .try_fold(Phase::Idle, |phase, event| phase.after(*event))
}

const TO_REVIEW: [Event; 6] = [
    Event::RequestAccess,
    Event::AccessGranted,
    Event::StartCountdown,
    Event::RecordingStarted,
    Event::Stop,
    Event::RecordingEnded,
];

#[test]
fn a_take_is_recorded_reviewed_and_submitted() {
    let sent = [&TO_REVIEW[..], &[Event::Submit, Event::SubmitAccepted]].concat();
    assert_eq!(walk(&sent), Some(Phase::Submitted));
}

#[test]
fn a_recording_is_paused_and_resumed() {
    let paused = [&TO_REVIEW[..4], &[Event::Pause]].concat();
    assert_eq!(walk(&paused), Some(Phase::Paused));
    let resumed = [&paused[..], &[Event::Resume, Event::Pause, Event::Stop]].concat();
    assert_eq!(walk(&resumed), Some(Phase::Stopping));
}

#[test]
fn a_take_is_discarded_only_after_a_confirmation() {
    let unconfirmed = [&TO_REVIEW[..], &[Event::RequestAccess]].concat();
    assert_eq!(walk(&unconfirmed), None);
    let kept = [&TO_REVIEW[..], &[Event::AskDiscard, Event::KeepTake]].concat();
    assert_eq!(walk(&kept), Some(Phase::Review));
    let again = [&[Event::AskDiscard, Event::DiscardTake], &TO_REVIEW[..]].concat();
    assert_eq!(
        walk(&[&TO_REVIEW[..], &again].concat()),
        Some(Phase::Review)
    );
}

#[test]
fn an_unplugged_camera_leaves_what_was_recorded() {
    for before in [
        &TO_REVIEW[..4],
        &[&TO_REVIEW[..4], &[Event::Pause]].concat(),
    ] {
        let unplugged = [before, &[Event::RecordingEnded]].concat();
        assert_eq!(walk(&unplugged), Some(Phase::Review));
    }
}

#[test]
fn access_can_be_granted_after_a_denial() {
    let denied = Event::AccessFailed(Obstacle::Denied);
    let granted = [
        Event::RequestAccess,
        denied,
        Event::RequestAccess,
        Event::AccessGranted,
    ];
    assert_eq!(walk(&granted), Some(Phase::Preview));
}

#[test]
fn a_recovered_take_can_be_submitted() {
    let recovered = [Event::TakeLoaded, Event::Submit, Event::SubmitAccepted];
    assert_eq!(walk(&recovered), Some(Phase::Submitted));
}

#[test]
fn a_take_that_is_not_accepted_can_be_replaced() {
    let refused = Event::End(Ending::TooLarge);
    let again = [
        &TO_REVIEW[..],
        &[refused, Event::DiscardTake, Event::RequestAccess],
    ]
    .concat();
    assert_eq!(walk(&again), Some(Phase::RequestingAccess));
    let expired = [
        &TO_REVIEW[..],
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
            let after = Phase::Ended(ending).after(event);
            assert_eq!(after, can_be_left.then_some(then), "{ending:?}");
        }
    }
}

#[test]
fn a_page_of_another_tab_can_be_taken_over() {
    let here = [Event::OpenedElsewhere, Event::PageAcquired];
    assert_eq!(walk(&here), Some(Phase::Idle));
    let there = [&TO_REVIEW[..4], &[Event::OpenedElsewhere]].concat();
    assert_eq!(walk(&there), Some(Phase::Elsewhere));
    let taken_over = [Event::OpenedElsewhere, Event::TakeLoaded];
    assert_eq!(walk(&taken_over), Some(Phase::Review));
}

#[test]
fn steps_can_be_cancelled() {
    for (to, event, then) in [
        (&TO_REVIEW[..1], Event::CloseSource, Phase::Idle),
        (&TO_REVIEW[..2], Event::CloseSource, Phase::Idle),
        (&TO_REVIEW[..3], Event::CancelCountdown, Phase::Preview),
    ] {
        assert_eq!(walk(&[to, &[event]].concat()), Some(then));
    }
    let cancelled = [&TO_REVIEW[..], &[Event::Submit, Event::SubmitCancelled]].concat();
    assert_eq!(walk(&cancelled), Some(Phase::Review));
}

#[test]
fn an_empty_recording_is_an_obstacle() {
    let blocked = Phase::Blocked(Obstacle::NoVideo);
    for phase in [Phase::Recording, Phase::Paused, Phase::Stopping] {
        assert_eq!(phase.after(Event::RecordingEmpty), Some(blocked));
    }
    assert_eq!(Phase::Review.after(Event::RecordingEmpty), None);
}

#[test]
fn a_take_found_submitted_ends_everything_but_a_recording() {
    for phase in [Phase::Recording, Phase::Paused, Phase::Stopping] {
        assert_eq!(phase.after(Event::FoundSubmitted), None);
    }
    for phase in [Phase::Idle, Phase::Review, Phase::Submitting] {
        assert_eq!(phase.after(Event::FoundSubmitted), Some(Phase::Submitted));
    }
    assert_eq!(Phase::Submitted.after(Event::FoundSubmitted), None);
}

#[test]
fn pressing_a_button_twice_counts_once() {
    for (phase, event) in [
        (Phase::RequestingAccess, Event::RequestAccess),
        (Phase::Countdown, Event::StartCountdown),
        (Phase::Recording, Event::RecordingStarted),
        (Phase::Paused, Event::Pause),
        (Phase::Stopping, Event::Stop),
        (Phase::Submitting, Event::Submit),
    ] {
        assert_eq!(phase.after(event), None, "{event:?}");
    }
}

const OBSTACLES: [Obstacle; 7] = [
    Obstacle::Denied,
    Obstacle::NoCamera,
    Obstacle::Busy,
    Obstacle::Insecure,
    Obstacle::Unsupported,
    Obstacle::NoVideo,
    Obstacle::NoScreen,
];

const ENDINGS: [Ending; 8] = [
    Ending::Expired,
    Ending::AlreadySubmitted,
    Ending::Withdrawn,
    Ending::TakenDown,
    Ending::TooLarge,
    Ending::Unreadable,
    Ending::Refused,
    Ending::Unplayable,
];

/// Whether there is a take that isn't submitted.
fn has_take(phase: Phase) -> bool {
    match phase {
        Phase::Recording
        | Phase::Paused
        | Phase::Stopping
        | Phase::Review
        | Phase::ConfirmingDiscard
        | Phase::Submitting => true,
        Phase::Ended(ending) => ending.allows_another_take(),
        _ => false,
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::OpenedElsewhere),
        Just(Event::PageAcquired),
        Just(Event::RequestAccess),
        Just(Event::AccessGranted),
        prop::sample::select(&OBSTACLES[..]).prop_map(Event::AccessFailed),
        Just(Event::CloseSource),
        Just(Event::StartCountdown),
        Just(Event::CancelCountdown),
        Just(Event::RecordingStarted),
        Just(Event::Pause),
        Just(Event::Resume),
        Just(Event::Stop),
        Just(Event::RecordingEnded),
        Just(Event::RecordingEmpty),
        Just(Event::TakeLoaded),
        Just(Event::AskDiscard),
        Just(Event::KeepTake),
        Just(Event::DiscardTake),
        Just(Event::Submit),
        Just(Event::SubmitCancelled),
        Just(Event::SubmitAccepted),
        Just(Event::FoundSubmitted),
        prop::sample::select(&ENDINGS[..]).prop_map(Event::End),
    ]
}

proptest! {
    #[test]
    fn a_take_is_lost_only_by_events_that_end_it(
        events in prop::collection::vec(any_event(), 0..200),
    ) {
        let mut phase = Phase::Idle;
        for event in events {
            let Some(next) = phase.after(event) else { continue };
            if has_take(phase) && !has_take(next) {
                prop_assert!(
                    matches!(
                        event,
                        Event::SubmitAccepted | Event::FoundSubmitted | Event::OpenedElsewhere | Event::DiscardTake | Event::End(_) | Event::RecordingEmpty
                    ),
                    "{phase:?} lost it to {event:?}"
                );
            }
            phase = next;
        }
    }

    /// At an ending a recording may still be handing out its last pieces.
    #[test]
    fn a_source_is_open_in_the_live_states_only(
        events in prop::collection::vec(any_event(), 0..200),
    ) {
        let mut phase = Phase::Idle;
        let mut is_open = false;
        for event in events {
            let Some(next) = phase.after(event) else { continue };
            phase = next;
            if event == Event::AccessGranted {
                is_open = true;
            }
            // The recorder closes the source at the end of the recording, before it sends these events.
            let is_recorded = matches!(event, Event::RecordingEnded | Event::RecordingEmpty);
            if is_recorded || event.side_effects().contains(&SideEffect::CloseStream) {
                is_open = false;
            }
            let may_be_open = phase.is_live() || matches!(phase, Phase::Ended(_));
            prop_assert!(is_open || !phase.is_live(), "{event:?}");
            prop_assert!(!is_open || may_be_open, "{event:?}");
        }
    }

    /// After a cancellation Send has to be pressed again.
    #[test]
    fn nothing_is_submitted_without_a_press_on_send(
        events in prop::collection::vec(any_event(), 0..200),
    ) {
        let mut phase = Phase::Idle;
        let mut pressed = false;
        for event in events {
            let Some(next) = phase.after(event) else { continue };
            // A take that is found submitted was sent by an earlier press.
            prop_assert!(next != Phase::Submitted || pressed || event == Event::FoundSubmitted);
            pressed = next == Phase::Submitting && (pressed || event == Event::Submit);
            phase = next;
        }
    }
}
