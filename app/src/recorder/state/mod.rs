//! The state machine of the recording page. Pure.
//!
//! [`Phase::handle`] turns an [`Event`] into the next state and a list of [`Effect`]s, which the recorder carries out.
//! What exists only in one state is in its variant; what the browser holds, such as a stream, is in the recorder.

mod effect;
mod event;
mod reason;
mod timer;

pub use effect::Effect;
pub use event::Event;
pub use reason::{Ending, Obstacle};
pub use timer::Timer;

/// The state of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    /// Neither camera nor screen is open, and there is no take.
    Idle,
    /// Another tab of this browser has the page open and owns the recording.
    Elsewhere,
    /// The browser asks the person for access to camera or screen.
    RequestingAccess {
        /// The number of the attempt; the answer to an earlier one is late.
        attempt: u32,
    },
    /// Camera or screen couldn't be opened. The person may try again.
    Blocked(Obstacle),
    /// The person sees the preview; nothing is recorded.
    Preview {
        /// Whether a track is being replaced. A recording would end with the old one.
        is_replacing: bool,
    },
    /// The recording starts in a few seconds.
    Countdown {
        /// When the countdown began, in milliseconds on the page's clock.
        since: f64,
    },
    /// Recording, and uploading at the same time.
    Recording(Timer),
    /// The recording is paused.
    Paused(Timer),
    /// The person pressed Stop; the browser hands out the remaining pieces.
    Stopping(Timer),
    /// The person reviews the take.
    Review,
    /// The person is asked whether to discard the take.
    ConfirmingDiscard,
    /// The person pressed Send.
    Submitting,
    /// The server has confirmed the submission.
    Submitted,
    /// The link accepts no video any more, or it doesn't accept this take.
    Ended {
        /// Why.
        ending: Ending,
        /// The recording that was under way, until the browser has handed out the remaining pieces.
        recording: Option<Timer>,
    },
}

impl Phase {
    /// The state after an event, and what to do then, in this order.
    /// `None`: the event doesn't apply here, as when a button is pressed twice.
    pub fn handle(self, event: Event) -> Option<(Self, &'static [Effect])> {
        Some((self.after(event)?, self.effects_of(event)))
    }

    fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Ended { ending, .. }, Event::DiscardTake) if ending.allows_another_take() => {
                Some(Self::Idle)
            }
            (Self::Ended { ending, .. }, Event::OpenedElsewhere)
                if ending.allows_another_take() =>
            {
                Some(Self::Elsewhere)
            }
            (
                Self::Ended {
                    ending,
                    recording: Some(_),
                },
                Event::RecordingEnded | Event::RecordingEmpty,
            ) => Some(Self::Ended {
                ending,
                recording: None,
            }),
            (Self::Submitted | Self::Ended { .. }, _) => None,
            (_, Event::End(ending)) => Some(Self::Ended {
                ending,
                recording: self.timer(),
            }),
            (_, Event::OpenedElsewhere) => Some(Self::Elsewhere),
            (Self::Elsewhere, Event::PageAcquired) => Some(Self::Idle),
            (
                Self::Idle | Self::Blocked(_) | Self::Preview { .. },
                Event::RequestAccess { attempt },
            ) => Some(Self::RequestingAccess { attempt }),
            (Self::RequestingAccess { .. }, Event::AccessGranted)
            | (Self::Preview { is_replacing: true }, Event::TrackReplaced)
            | (Self::Countdown { .. }, Event::Stop { .. }) => Some(Self::Preview {
                is_replacing: false,
            }),
            (
                Self::RequestingAccess { .. } | Self::Preview { .. } | Self::Countdown { .. },
                Event::AccessFailed(obstacle),
            ) => Some(Self::Blocked(obstacle)),
            (Self::RequestingAccess { .. } | Self::Preview { .. }, Event::CloseSource) => {
                Some(Self::Idle)
            }
            (
                Self::Preview {
                    is_replacing: false,
                },
                Event::ReplaceTrack,
            ) => Some(Self::Preview { is_replacing: true }),
            (
                Self::Preview {
                    is_replacing: false,
                },
                Event::StartCountdown { now },
            ) => Some(Self::Countdown { since: now }),
            (Self::Countdown { .. }, Event::RecordingStarted(timer)) => {
                Some(Self::Recording(timer))
            }
            (Self::Recording(timer), Event::Pause { now }) => Some(Self::Paused(timer.paused(now))),
            (Self::Paused(timer), Event::Resume { now }) => {
                Some(Self::Recording(timer.resumed(now)))
            }
            (Self::Recording(timer) | Self::Paused(timer), Event::Stop { now }) => {
                Some(Self::Stopping(timer.paused(now)))
            }
            (Self::Recording(_) | Self::Paused(_) | Self::Stopping(_), Event::RecordingEnded) => {
                Some(Self::Review)
            }
            (Self::Recording(_) | Self::Paused(_) | Self::Stopping(_), Event::RecordingEmpty) => {
                Some(Self::Blocked(Obstacle::NoVideo))
            }
            (
                Self::Elsewhere | Self::Idle | Self::RequestingAccess { .. } | Self::Blocked(_),
                Event::TakeLoaded,
            ) => Some(Self::Review),
            (Self::Review, Event::AskDiscard) => Some(Self::ConfirmingDiscard),
            (Self::ConfirmingDiscard, Event::KeepTake) => Some(Self::Review),
            (Self::ConfirmingDiscard, Event::DiscardTake) => Some(Self::Idle),
            (Self::Review, Event::Submit) => Some(Self::Submitting),
            (Self::Submitting, Event::SubmitCancelled) => Some(Self::Review),
            (Self::Submitting, Event::SubmitAccepted) => Some(Self::Submitted),
            // A recording isn't ended by the submission of an earlier take.
            (Self::Recording(_) | Self::Paused(_) | Self::Stopping(_), Event::FoundSubmitted) => {
                None
            }
            (_, Event::FoundSubmitted) => Some(Self::Submitted),
            _ => None,
        }
    }

    /// The name in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Elsewhere => "elsewhere",
            Self::RequestingAccess { .. } => "requesting-access",
            Self::Blocked(obstacle) => obstacle.name(),
            Self::Preview { .. } => "preview",
            Self::Countdown { .. } => "countdown",
            Self::Recording(_) => "recording",
            Self::Paused(_) => "paused",
            Self::Stopping(_) => "stopping",
            Self::Review => "review",
            Self::ConfirmingDiscard => "confirming-discard",
            Self::Submitting => "submitting",
            Self::Submitted => "submitted",
            Self::Ended { ending, .. } => ending.name(),
        }
    }

    /// Whether camera or screen are open.
    pub fn is_live(self) -> bool {
        matches!(
            self,
            Self::Preview { .. }
                | Self::Countdown { .. }
                | Self::Recording(_)
                | Self::Paused(_)
                | Self::Stopping(_)
        )
    }

    /// Whether the take is shown before it is submitted.
    pub fn is_review(self) -> bool {
        matches!(
            self,
            Self::Review | Self::ConfirmingDiscard | Self::Submitting
        )
    }

    /// The timer of the recording whose pieces the browser still hands out.
    pub fn timer(self) -> Option<Timer> {
        match self {
            Self::Recording(timer) | Self::Paused(timer) | Self::Stopping(timer) => Some(timer),
            Self::Ended { recording, .. } => recording,
            _ => None,
        }
    }
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
