//! What holds after any events, in any order.

use proptest::prelude::*;

use super::*;

const OBSTACLES: [Obstacle; 7] = [
    Obstacle::Denied,
    Obstacle::NoCamera,
    Obstacle::Busy,
    Obstacle::Insecure,
    Obstacle::Unsupported,
    Obstacle::NoVideo,
    Obstacle::NoScreen,
];

pub(super) const ENDINGS: [Ending; 8] = [
    Ending::Expired,
    Ending::AlreadySubmitted,
    Ending::Withdrawn,
    Ending::TakenDown,
    Ending::TooLarge,
    Ending::Unreadable,
    Ending::Refused,
    Ending::Unplayable,
];

fn any_event() -> impl Strategy<Value = Event> {
    let now = 0.0;
    prop_oneof![
        Just(Event::OpenedElsewhere),
        Just(Event::PageAcquired),
        any::<u32>().prop_map(|attempt| Event::RequestAccess { attempt }),
        Just(Event::AccessGranted),
        prop::sample::select(&OBSTACLES[..]).prop_map(Event::AccessFailed),
        Just(Event::CloseSource),
        Just(Event::ReplaceTrack),
        Just(Event::TrackReplaced),
        Just(Event::StartCountdown { now }),
        Just(Event::RecordingStarted(Timer::started(now, 60_000.0))),
        Just(Event::Pause { now }),
        Just(Event::Resume { now }),
        Just(Event::Stop { now }),
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

fn any_events() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(any_event(), 0..200)
}

/// What the recorder holds, as the effects leave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Held {
    stream: bool,
    recorder: bool,
    take: bool,
}

impl Held {
    /// The recorder opens the source, and begins the take, before it sends the event that says so.
    fn update(&mut self, event: Event, effects: &[Effect]) {
        match event {
            Event::AccessGranted => self.stream = true,
            Event::RecordingStarted(_) => (self.recorder, self.take) = (true, true),
            _ => {}
        }
        for effect in effects {
            match effect {
                Effect::CloseStream => (self.stream, self.recorder) = (false, false),
                Effect::LeaveTake | Effect::ForgetTake | Effect::DeleteTake => self.take = false,
                _ => {}
            }
        }
        // A file or a stored take is loaded afterwards.
        self.take |= event == Event::TakeLoaded;
    }
}

fn is_recorded(phase: Phase) -> bool {
    matches!(
        phase,
        Phase::Recording(_) | Phase::Paused(_) | Phase::Stopping(_)
    )
}

/// Whether there is a take that isn't submitted.
fn has_take(phase: Phase) -> bool {
    is_recorded(phase)
        || matches!(
            phase,
            Phase::Review | Phase::ConfirmingDiscard | Phase::Submitting
        )
}

/// Whether there may be a take: one that isn't accepted can be played and saved.
fn may_have_take(phase: Phase) -> bool {
    has_take(phase) || matches!(phase, Phase::Ended { .. })
}

proptest! {
    #[test]
    fn a_take_is_lost_only_by_events_that_end_it(events in any_events()) {
        let mut phase = Phase::Idle;
        for event in events {
            let Some(next) = phase.after(event) else { continue };
            let ends_take = matches!(
                event,
                Event::SubmitAccepted
                    | Event::FoundSubmitted
                    | Event::OpenedElsewhere
                    | Event::DiscardTake
                    | Event::End(_)
                    | Event::RecordingEmpty
            );
            let is_lost = has_take(phase) && !has_take(next);
            prop_assert!(!is_lost || ends_take, "{phase:?} lost it to {event:?}");
            phase = next;
        }
    }

    /// At an ending the recorder may still be handing out its last pieces, which need the stream.
    #[test]
    fn held_resources_follow_from_the_state(events in any_events()) {
        let (mut phase, mut held) = (Phase::Idle, Held::default());
        for event in events {
            let Some((next, effects)) = phase.handle(event) else { continue };
            phase = next;
            held.update(event, effects);
            prop_assert_eq!(held.recorder, phase.timer().is_some(), "{:?}", event);
            let has_stream = phase.is_live() || phase.timer().is_some();
            prop_assert_eq!(held.stream, has_stream, "{:?}", event);
            prop_assert!(held.take || !has_take(phase), "{event:?} lost the take");
            prop_assert!(!held.take || may_have_take(phase), "{event:?} left a take");
        }
    }

    #[test]
    fn only_a_recording_is_stopped(events in any_events()) {
        let mut phase = Phase::Idle;
        for event in events {
            let Some((next, effects)) = phase.handle(event) else { continue };
            let stops = effects.contains(&Effect::StopRecorder);
            prop_assert!(!stops || is_recorded(phase), "{phase:?} {event:?}");
            phase = next;
        }
    }

    /// After a cancellation Send has to be pressed again.
    #[test]
    fn nothing_is_submitted_without_a_press_on_send(events in any_events()) {
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

    #[test]
    fn the_timer_counts_what_is_recorded(steps in prop::collection::vec((0..10_000_u32, 0..2_u8), 1..40)) {
        let mut phase = Phase::Recording(Timer::started(0.0, 60_000.0));
        let (mut now, mut recorded) = (0.0, 0.0);
        for (duration, step) in steps {
            now += f64::from(duration);
            if matches!(phase, Phase::Recording(_)) {
                recorded += f64::from(duration);
            }
            let event = if step == 0 { Event::Pause { now } } else { Event::Resume { now } };
            phase = phase.after(event).unwrap_or(phase);
            let elapsed = phase.timer().map(|it| it.elapsed(now));
            prop_assert_eq!(elapsed, Some(recorded));
        }
    }
}
