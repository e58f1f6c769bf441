use proptest::prelude::*;

use super::*;

fn walk(events: &[Event]) -> Option<Phase> {
    events
        .iter()
        .try_fold(Phase::Idle, |phase, event| phase.after(*event))
}

const TO_REVIEW: [Event; 6] = [
    Event::Ask,
    Event::Ready,
    Event::Count,
    Event::Record,
    Event::Stop,
    Event::Recorded,
];

#[test]
fn a_person_records_looks_and_sends() {
    let sent = [&TO_REVIEW[..], &[Event::Submit, Event::Received]].concat();
    assert_eq!(walk(&sent), Some(Phase::Sent));
}

#[test]
fn a_person_pauses_and_goes_on() {
    let paused = [&TO_REVIEW[..4], &[Event::Pause]].concat();
    assert_eq!(walk(&paused), Some(Phase::Paused));
    let on = [&paused[..], &[Event::Resume, Event::Pause, Event::Stop]].concat();
    assert_eq!(walk(&on), Some(Phase::Stopping));
}

#[test]
fn a_person_is_asked_before_a_take_is_thrown_away() {
    let straight = [&TO_REVIEW[..], &[Event::Ask]].concat();
    assert_eq!(walk(&straight), None);
    let kept = [&TO_REVIEW[..], &[Event::Reconsider, Event::Keep]].concat();
    assert_eq!(walk(&kept), Some(Phase::Review));
    let again = [&[Event::Reconsider, Event::Discard], &TO_REVIEW[..]].concat();
    assert_eq!(
        walk(&[&TO_REVIEW[..], &again].concat()),
        Some(Phase::Review)
    );
}

#[test]
fn a_camera_that_is_pulled_leaves_what_was_recorded() {
    for before in [
        &TO_REVIEW[..4],
        &[&TO_REVIEW[..4], &[Event::Pause]].concat(),
    ] {
        let pulled = [before, &[Event::Recorded]].concat();
        assert_eq!(walk(&pulled), Some(Phase::Review));
    }
}

#[test]
fn a_refusal_can_be_mended() {
    let denied = Event::Failed(Obstacle::Denied);
    let mended = [Event::Ask, denied, Event::Ask, Event::Ready];
    assert_eq!(walk(&mended), Some(Phase::Preview));
}

#[test]
fn a_take_from_an_earlier_visit_can_be_sent() {
    let resumed = [Event::TakeAtHand, Event::Submit, Event::Received];
    assert_eq!(walk(&resumed), Some(Phase::Sent));
}

#[test]
fn a_take_that_can_t_be_taken_is_not_the_end() {
    let refused = Event::End(Ending::TooLarge);
    let again = [&TO_REVIEW[..], &[refused, Event::Discard, Event::Ask]].concat();
    assert_eq!(walk(&again), Some(Phase::Asking));
    let expired = [
        &TO_REVIEW[..],
        &[Event::End(Ending::Expired), Event::Discard],
    ]
    .concat();
    assert_eq!(walk(&expired), None);
}

#[test]
fn only_a_take_that_can_t_be_taken_makes_room_for_another_tab() {
    for ending in ENDINGS {
        let about_the_take = ending.is_about_the_take();
        for (event, then) in [
            (Event::OpenElsewhere, Phase::Elsewhere),
            (Event::Discard, Phase::Idle),
        ] {
            let after = Phase::Over(ending).after(event);
            assert_eq!(after, about_the_take.then_some(then), "{ending:?}");
        }
    }
}

#[test]
fn a_page_that_another_tab_had_can_be_used_again() {
    let here = [Event::OpenElsewhere, Event::HereNow];
    assert_eq!(walk(&here), Some(Phase::Idle));
    let there = [&TO_REVIEW[..4], &[Event::OpenElsewhere]].concat();
    assert_eq!(walk(&there), Some(Phase::Elsewhere));
    let taken_over = [Event::OpenElsewhere, Event::TakeAtHand];
    assert_eq!(walk(&taken_over), Some(Phase::Review));
}

#[test]
fn a_person_thinks_better_of_it() {
    for (to, event, then) in [
        (&TO_REVIEW[..1], Event::Close, Phase::Idle),
        (&TO_REVIEW[..2], Event::Close, Phase::Idle),
        (&TO_REVIEW[..3], Event::Cancel, Phase::Preview),
    ] {
        assert_eq!(walk(&[to, &[event]].concat()), Some(then));
    }
    let warned = [&TO_REVIEW[..], &[Event::Submit, Event::Warn]].concat();
    assert_eq!(walk(&warned), Some(Phase::Review));
}

#[test]
fn a_recorder_that_gave_nothing_is_an_obstacle() {
    let nothing = Phase::Blocked(Obstacle::NoPicture);
    for phase in [Phase::Recording, Phase::Paused, Phase::Stopping] {
        assert_eq!(phase.after(Event::NothingRecorded), Some(nothing));
    }
    assert_eq!(Phase::Review.after(Event::NothingRecorded), None);
}

#[test]
fn a_take_that_was_sent_before_ends_everything_but_a_recording() {
    for phase in [Phase::Recording, Phase::Paused, Phase::Stopping] {
        assert_eq!(phase.after(Event::FoundSent), None);
    }
    for phase in [Phase::Idle, Phase::Review, Phase::Submitting] {
        assert_eq!(phase.after(Event::FoundSent), Some(Phase::Sent));
    }
    assert_eq!(Phase::Sent.after(Event::FoundSent), None);
}

#[test]
fn pressing_a_button_twice_counts_once() {
    for (phase, event) in [
        (Phase::Asking, Event::Ask),
        (Phase::Countdown, Event::Count),
        (Phase::Recording, Event::Record),
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
    Obstacle::NoPicture,
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

/// Whether something that was recorded is at hand and not sent.
fn holds_a_take(phase: Phase) -> bool {
    match phase {
        Phase::Recording
        | Phase::Paused
        | Phase::Stopping
        | Phase::Review
        | Phase::Reconsidering
        | Phase::Submitting => true,
        Phase::Over(ending) => ending.is_about_the_take(),
        _ => false,
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::OpenElsewhere),
        Just(Event::HereNow),
        Just(Event::Ask),
        Just(Event::Ready),
        prop::sample::select(&OBSTACLES[..]).prop_map(Event::Failed),
        Just(Event::Close),
        Just(Event::Count),
        Just(Event::Cancel),
        Just(Event::Record),
        Just(Event::Pause),
        Just(Event::Resume),
        Just(Event::Stop),
        Just(Event::Recorded),
        Just(Event::NothingRecorded),
        Just(Event::TakeAtHand),
        Just(Event::Reconsider),
        Just(Event::Keep),
        Just(Event::Discard),
        Just(Event::Submit),
        Just(Event::Warn),
        Just(Event::Received),
        Just(Event::FoundSent),
        prop::sample::select(&ENDINGS[..]).prop_map(Event::End),
    ]
}

proptest! {
    /// Whatever happens in whatever order.
    #[test]
    fn a_take_is_let_go_of_only_when_it_is_sent_thrown_away_or_over(
        events in prop::collection::vec(any_event(), 0..200),
    ) {
        let mut phase = Phase::Idle;
        for event in events {
            let Some(next) = phase.after(event) else { continue };
            if holds_a_take(phase) && !holds_a_take(next) {
                prop_assert!(
                    matches!(
                        event,
                        Event::Received | Event::FoundSent | Event::OpenElsewhere | Event::Discard | Event::End(_) | Event::NothingRecorded
                    ),
                    "{phase:?} lost it to {event:?}"
                );
            }
            phase = next;
        }
    }

    /// And after a warning it takes another press.
    #[test]
    fn nothing_is_sent_without_a_press_on_send(
        events in prop::collection::vec(any_event(), 0..200),
    ) {
        let mut phase = Phase::Idle;
        let mut pressed = false;
        for event in events {
            let Some(next) = phase.after(event) else { continue };
            // What is found sent was sent by a press before.
            prop_assert!(next != Phase::Sent || pressed || event == Event::FoundSent);
            pressed = next == Phase::Submitting && (pressed || event == Event::Submit);
            phase = next;
        }
    }
}
