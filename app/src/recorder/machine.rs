//! Where the person stands, and what can happen next. Pure.

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is on yet.
    Idle,
    /// The page is open in another tab of this browser, which has the recording.
    Elsewhere,
    /// The browser asks the person for permission.
    Asking,
    /// Camera or screen can't be had. The person may try again.
    Blocked(Obstacle),
    /// The person sees the camera's picture; nothing is recorded.
    Preview,
    /// It is about to be recorded.
    Countdown,
    /// The camera's picture is recorded, and sent as it comes.
    Recording,
    /// It isn't, for a while.
    Paused,
    /// Stop was pressed; the browser hands out the rest.
    Stopping,
    /// The person watches what was recorded.
    Review,
    /// The person is asked whether to throw it away.
    Reconsidering,
    /// Send was pressed.
    Submitting,
    /// The server has confirmed the submission.
    Sent,
    /// The link takes no video any more, or this one can't be taken.
    Over(Ending),
}

/// What keeps camera or screen from us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The person or a policy said no.
    Denied,
    /// There is none.
    NoCamera,
    /// Another program has it.
    Busy,
    /// The page came without HTTPS, so the browser hides the camera.
    Insecure,
    /// This browser can't record.
    Unsupported,
    /// It was on, and gave nothing.
    NoPicture,
    /// The person chose no screen, or the system keeps it from the browser.
    NoScreen,
}

/// Why it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The link's time has passed.
    Expired,
    /// A video was submitted from elsewhere.
    AlreadySubmitted,
    /// The request was deleted.
    Withdrawn,
    /// The recording is longer than the server takes.
    TooLarge,
    /// The server doesn't take this recording.
    Refused,
    /// The recording can't be played.
    Unplayable,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Another tab has the page.
    OpenElsewhere,
    /// Not any more.
    HereNow,
    /// The person wants camera or screen, first or again after an obstacle, or another one.
    Ask,
    /// Here it is.
    Ready,
    /// It can't be had.
    Failed(Obstacle),
    /// The person wants it off.
    Close,
    /// The person wants to record.
    Count,
    /// The person thinks better of it.
    Cancel,
    /// The recorder runs.
    Record,
    /// The person pauses.
    Pause,
    /// The person goes on.
    Resume,
    /// The person wants to stop.
    Stop,
    /// The recorder has handed out all it had. Without Stop before it: a camera was unplugged, a call came.
    Recorded,
    /// The recorder ended with nothing.
    NothingRecorded,
    /// Here is a take to look at: kept from an earlier visit, or a file.
    TakeAtHand,
    /// The person thinks of recording again.
    Reconsider,
    /// And thinks better of it.
    Keep,
    /// The take is thrown away.
    Discard,
    /// The person sends the take.
    Submit,
    /// There is something to know before it is sent.
    Warn,
    /// The server has it.
    Received,
    /// The link is closed, or this take can't be taken.
    End(Ending),
}

impl Phase {
    /// What follows. `None`: this can't happen here, as when a button is pressed twice.
    pub fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Over(ending), Event::Discard) if ending.is_about_the_take() => Some(Self::Idle),
            (Self::Sent | Self::Over(_), _) => None,
            (_, Event::End(ending)) => Some(Self::Over(ending)),
            (Self::Idle, Event::OpenElsewhere) => Some(Self::Elsewhere),
            (Self::Elsewhere, Event::HereNow) => Some(Self::Idle),
            (Self::Idle | Self::Blocked(_) | Self::Preview, Event::Ask) => Some(Self::Asking),
            (Self::Asking, Event::Ready) => Some(Self::Preview),
            (Self::Asking | Self::Preview | Self::Countdown, Event::Failed(obstacle)) => {
                Some(Self::Blocked(obstacle))
            }
            (Self::Preview | Self::Countdown | Self::Blocked(_), Event::Close) => Some(Self::Idle),
            (Self::Preview, Event::Count) => Some(Self::Countdown),
            (Self::Countdown, Event::Cancel) => Some(Self::Preview),
            (Self::Countdown, Event::Record) => Some(Self::Recording),
            (Self::Recording, Event::Pause) => Some(Self::Paused),
            (Self::Paused, Event::Resume) => Some(Self::Recording),
            (Self::Recording | Self::Paused, Event::Stop) => Some(Self::Stopping),
            (Self::Recording | Self::Paused | Self::Stopping, Event::Recorded) => {
                Some(Self::Review)
            }
            (Self::Recording | Self::Paused | Self::Stopping, Event::NothingRecorded) => {
                Some(Self::Blocked(Obstacle::NoPicture))
            }
            (Self::Idle | Self::Blocked(_), Event::TakeAtHand) => Some(Self::Review),
            (Self::Review, Event::Reconsider) => Some(Self::Reconsidering),
            (Self::Reconsidering, Event::Keep) => Some(Self::Review),
            (Self::Reconsidering, Event::Discard) => Some(Self::Idle),
            (Self::Review, Event::Submit) => Some(Self::Submitting),
            (Self::Submitting, Event::Warn) => Some(Self::Review),
            (Self::Submitting, Event::Received) => Some(Self::Sent),
            _ => None,
        }
    }

    /// As it stands in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Elsewhere => "elsewhere",
            Self::Asking => "asking",
            Self::Blocked(obstacle) => obstacle.name(),
            Self::Preview => "preview",
            Self::Countdown => "countdown",
            Self::Recording => "recording",
            Self::Paused => "paused",
            Self::Stopping => "stopping",
            Self::Review => "review",
            Self::Reconsidering => "reconsidering",
            Self::Submitting => "submitting",
            Self::Sent => "sent",
            Self::Over(ending) => ending.name(),
        }
    }

    /// Whether camera or screen are on.
    pub fn is_live(self) -> bool {
        matches!(
            self,
            Self::Preview | Self::Countdown | Self::Recording | Self::Paused | Self::Stopping
        )
    }
}

impl Obstacle {
    /// As a state in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Denied => "blocked-denied",
            Self::NoCamera => "blocked-no-camera",
            Self::Busy => "blocked-busy",
            Self::Insecure => "blocked-insecure",
            Self::Unsupported => "blocked-unsupported",
            Self::NoPicture => "blocked-no-picture",
            Self::NoScreen => "blocked-no-screen",
        }
    }
}

impl Ending {
    /// As a state in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expired => "over-expired",
            Self::AlreadySubmitted => "over-submitted",
            Self::Withdrawn => "over-withdrawn",
            Self::TooLarge => "over-too-large",
            Self::Refused => "over-refused",
            Self::Unplayable => "over-unplayable",
        }
    }

    /// Whether the link is fine, and another take may be.
    pub fn is_about_the_take(self) -> bool {
        matches!(self, Self::TooLarge | Self::Refused | Self::Unplayable)
    }
}

#[cfg(test)]
mod tests {
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

    const ENDINGS: [Ending; 6] = [
        Ending::Expired,
        Ending::AlreadySubmitted,
        Ending::Withdrawn,
        Ending::TooLarge,
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
                            Event::Received | Event::Discard | Event::End(_) | Event::NothingRecorded
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
                prop_assert!(next != Phase::Sent || pressed);
                pressed = next == Phase::Submitting && (pressed || event == Event::Submit);
                phase = next;
            }
        }
    }
}
