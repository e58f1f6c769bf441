//! Where the person stands, and what can happen next. Pure.

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is on yet.
    Idle,
    /// The browser asks the person for permission.
    Asking,
    /// The camera can't be had. The person may try again.
    Blocked(Obstacle),
    /// The person sees the camera's picture; nothing is recorded.
    Preview,
    /// The camera's picture is recorded, and sent as it comes.
    Recording,
    /// Stop was pressed; the browser hands out the rest.
    Stopping,
    /// The person watches what was recorded.
    Review,
    /// Send was pressed.
    Submitting,
    /// The server has confirmed the submission.
    Sent,
    /// The link takes no video any more, or this one can't be taken.
    Over(Ending),
}

/// What keeps the camera from us.
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
    /// The person wants the camera, first or again after an obstacle or a rejected take.
    AskCamera,
    /// Here it is.
    CameraReady,
    /// It can't be had.
    CameraFailed(Obstacle),
    /// The person wants to record, and the recorder runs.
    Record,
    /// The person wants to stop.
    Stop,
    /// The recorder has handed out all it had. Without Stop before it: a camera was unplugged, a call came.
    Recorded,
    /// The recorder ended with nothing.
    NothingRecorded,
    /// The person sends the take.
    Submit,
    /// The server has it.
    Received,
    /// The link is closed.
    End(Ending),
}

impl Phase {
    /// What follows. `None`: this can't happen here, as when a button is pressed twice.
    pub fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Sent | Self::Over(_), _) => None,
            (_, Event::End(ending)) => Some(Self::Over(ending)),
            (Self::Idle | Self::Blocked(_) | Self::Review, Event::AskCamera) => Some(Self::Asking),
            (Self::Asking, Event::CameraReady) => Some(Self::Preview),
            (Self::Asking | Self::Preview, Event::CameraFailed(obstacle)) => {
                Some(Self::Blocked(obstacle))
            }
            (Self::Preview, Event::Record) => Some(Self::Recording),
            (Self::Recording, Event::Stop) => Some(Self::Stopping),
            (Self::Recording | Self::Stopping, Event::Recorded) => Some(Self::Review),
            (Self::Recording | Self::Stopping, Event::NothingRecorded) => {
                Some(Self::Blocked(Obstacle::NoPicture))
            }
            (Self::Review, Event::Submit) => Some(Self::Submitting),
            (Self::Submitting, Event::Received) => Some(Self::Sent),
            _ => None,
        }
    }

    /// Whether leaving the page now would lose something.
    pub fn holds_a_take(self) -> bool {
        matches!(
            self,
            Self::Recording | Self::Stopping | Self::Review | Self::Submitting
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: [Event; 10] = [
        Event::AskCamera,
        Event::CameraReady,
        Event::CameraFailed(Obstacle::Denied),
        Event::Record,
        Event::Stop,
        Event::Recorded,
        Event::NothingRecorded,
        Event::Submit,
        Event::Received,
        Event::End(Ending::Expired),
    ];

    fn walk(events: &[Event]) -> Option<Phase> {
        events
            .iter()
            .try_fold(Phase::Idle, |phase, event| phase.after(*event))
    }

    const TO_REVIEW: [Event; 5] = [
        Event::AskCamera,
        Event::CameraReady,
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
    fn a_person_records_again() {
        let again = [&TO_REVIEW[..], &TO_REVIEW[..]].concat();
        assert_eq!(walk(&again), Some(Phase::Review));
    }

    #[test]
    fn a_camera_that_is_pulled_leaves_what_was_recorded() {
        let pulled = [
            Event::AskCamera,
            Event::CameraReady,
            Event::Record,
            Event::Recorded,
        ];
        assert_eq!(walk(&pulled), Some(Phase::Review));
    }

    #[test]
    fn a_refusal_can_be_mended() {
        let denied = Event::CameraFailed(Obstacle::Denied);
        let mended = [
            Event::AskCamera,
            denied,
            Event::AskCamera,
            Event::CameraReady,
        ];
        assert_eq!(walk(&mended), Some(Phase::Preview));
    }

    #[test]
    fn nothing_follows_an_end() {
        for phase in [Phase::Sent, Phase::Over(Ending::Expired)] {
            assert!(
                EVENTS.iter().all(|event| phase.after(*event).is_none()),
                "{phase:?}"
            );
        }
    }

    #[test]
    fn pressing_a_button_twice_counts_once() {
        for (phase, event) in [
            (Phase::Asking, Event::AskCamera),
            (Phase::Recording, Event::Record),
            (Phase::Stopping, Event::Stop),
            (Phase::Submitting, Event::Submit),
        ] {
            assert_eq!(phase.after(event), None, "{event:?}");
        }
    }
}
