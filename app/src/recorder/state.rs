//! The state machine of the recording page. Pure.

/// The state of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Neither camera nor screen is open, and there is no take.
    Idle,
    /// Another tab of this browser has the page open and owns the recording.
    Elsewhere,
    /// The browser asks the person for access to camera or screen.
    RequestingAccess,
    /// Camera or screen couldn't be opened. The person may try again.
    Blocked(Obstacle),
    /// The person sees the preview; nothing is recorded.
    Preview,
    /// The recording starts in a few seconds.
    Countdown,
    /// Recording, and uploading at the same time.
    Recording,
    /// The recording is paused.
    Paused,
    /// The person pressed Stop; the browser hands out the remaining pieces.
    Stopping,
    /// The person reviews the take.
    Review,
    /// The person is asked whether to discard the take.
    ConfirmingDiscard,
    /// The person pressed Send.
    Submitting,
    /// The server has confirmed the submission.
    Submitted,
    /// The link accepts no video any more, or it doesn't accept this take.
    Ended(Ending),
}

/// Why camera or screen couldn't be opened or recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The person or a policy denied access.
    Denied,
    /// There is no camera.
    NoCamera,
    /// Another program uses the camera.
    Busy,
    /// The page was loaded without HTTPS, so the browser gives no access.
    Insecure,
    /// This browser can't record.
    Unsupported,
    /// The source was open, and gave no frames.
    NoVideo,
    /// The person chose no screen, or the system denies the browser access to it.
    NoScreen,
}

/// Why the link or the take isn't accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The lifetime of the link is over.
    Expired,
    /// Another take was submitted.
    AlreadySubmitted,
    /// The request was deleted.
    Withdrawn,
    /// The operator has taken the request down.
    TakenDown,
    /// The take is larger than the server accepts.
    TooLarge,
    /// The file was changed or moved, or isn't all on this device.
    Unreadable,
    /// The server doesn't accept this take.
    Refused,
    /// The take can't be played.
    Unplayable,
}

/// An input of the state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Another tab has the page open.
    OpenedElsewhere,
    /// This tab owns the page, and there is no take to recover.
    PageAcquired,
    /// The person wants to open camera or screen: for the first time, again after an obstacle, or another one.
    RequestAccess,
    /// The source is open.
    AccessGranted,
    /// The source couldn't be opened, or was lost before the recording.
    AccessFailed(Obstacle),
    /// The person closes the source.
    CloseSource,
    /// The person wants to record.
    StartCountdown,
    /// The person cancels the countdown.
    CancelCountdown,
    /// The recorder was started.
    RecordingStarted,
    /// The person pauses.
    Pause,
    /// The person resumes.
    Resume,
    /// The person stops.
    Stop,
    /// The recorder has handed out all pieces. Without a Stop before it: a camera was unplugged, a call came in.
    RecordingEnded,
    /// The recorder ended without having handed out a video.
    RecordingEmpty,
    /// There is a take to review: recovered from an earlier visit, or a file.
    TakeLoaded,
    /// The person wants to record again.
    AskDiscard,
    /// The person keeps the take after all.
    KeepTake,
    /// The take is discarded.
    DiscardTake,
    /// The person sends the take.
    Submit,
    /// The person cancels the submission, or has to read a notice before it.
    SubmitCancelled,
    /// The server has accepted the submission.
    SubmitAccepted,
    /// The server had this take submitted already: on an earlier visit, or because it was cancelled too late.
    FoundSubmitted,
    /// The link is closed, or doesn't accept this take.
    End(Ending),
}

/// What the recorder does after an event, beside showing and announcing the new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideEffect {
    /// Close the source. A recording of it is dropped.
    CloseStream,
    /// Stop the recorder; the source is closed once it has handed out all pieces. Without a recording: close the
    /// source.
    StopRecording,
    /// Stop storing and uploading the take, and delete what is stored of it. It stays in the page.
    CloseTake,
    /// Delete the take on this device.
    ForgetTake,
    /// Delete the take on this device and on the server.
    DeleteTake,
}

impl Event {
    /// What to do after the event, in this order.
    pub const fn side_effects(self) -> &'static [SideEffect] {
        match self {
            Self::OpenedElsewhere
            | Self::RequestAccess
            | Self::AccessFailed(_)
            | Self::CloseSource
            | Self::TakeLoaded => &[SideEffect::CloseStream],
            Self::Stop => &[SideEffect::StopRecording],
            // The recording isn't cut off, so that all of it can at least be saved on this device.
            Self::End(ending) if ending.allows_another_take() => &[SideEffect::StopRecording],
            Self::End(_) => &[SideEffect::StopRecording, SideEffect::CloseTake],
            Self::RecordingEmpty => &[SideEffect::DeleteTake],
            // A recording of a take that isn't accepted may still be handing out its last pieces.
            Self::DiscardTake => &[SideEffect::CloseStream, SideEffect::DeleteTake],
            Self::SubmitAccepted => &[SideEffect::ForgetTake],
            Self::FoundSubmitted => &[SideEffect::CloseStream, SideEffect::ForgetTake],
            Self::PageAcquired
            | Self::AccessGranted
            | Self::StartCountdown
            | Self::CancelCountdown
            | Self::RecordingStarted
            | Self::Pause
            | Self::Resume
            | Self::RecordingEnded
            | Self::AskDiscard
            | Self::KeepTake
            | Self::Submit
            | Self::SubmitCancelled => &[],
        }
    }
}

impl Phase {
    /// The state after an event. `None`: the event doesn't apply here, as when a button is pressed twice.
    pub fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Ended(ending), Event::DiscardTake) if ending.allows_another_take() => {
                Some(Self::Idle)
            }
            (Self::Ended(ending), Event::OpenedElsewhere) if ending.allows_another_take() => {
                Some(Self::Elsewhere)
            }
            (Self::Submitted | Self::Ended(_), _) => None,
            (_, Event::End(ending)) => Some(Self::Ended(ending)),
            (_, Event::OpenedElsewhere) => Some(Self::Elsewhere),
            (Self::Elsewhere, Event::PageAcquired) => Some(Self::Idle),
            (Self::Idle | Self::Blocked(_) | Self::Preview, Event::RequestAccess) => {
                Some(Self::RequestingAccess)
            }
            (Self::RequestingAccess, Event::AccessGranted) => Some(Self::Preview),
            (
                Self::RequestingAccess | Self::Preview | Self::Countdown,
                Event::AccessFailed(obstacle),
            ) => Some(Self::Blocked(obstacle)),
            (Self::RequestingAccess | Self::Preview, Event::CloseSource) => Some(Self::Idle),
            (Self::Preview, Event::StartCountdown) => Some(Self::Countdown),
            (Self::Countdown, Event::CancelCountdown) => Some(Self::Preview),
            (Self::Countdown, Event::RecordingStarted) => Some(Self::Recording),
            (Self::Recording, Event::Pause) => Some(Self::Paused),
            (Self::Paused, Event::Resume) => Some(Self::Recording),
            (Self::Recording | Self::Paused, Event::Stop) => Some(Self::Stopping),
            (Self::Recording | Self::Paused | Self::Stopping, Event::RecordingEnded) => {
                Some(Self::Review)
            }
            (Self::Recording | Self::Paused | Self::Stopping, Event::RecordingEmpty) => {
                Some(Self::Blocked(Obstacle::NoVideo))
            }
            (
                Self::Elsewhere | Self::Idle | Self::RequestingAccess | Self::Blocked(_),
                Event::TakeLoaded,
            ) => Some(Self::Review),
            (Self::Review, Event::AskDiscard) => Some(Self::ConfirmingDiscard),
            (Self::ConfirmingDiscard, Event::KeepTake) => Some(Self::Review),
            (Self::ConfirmingDiscard, Event::DiscardTake) => Some(Self::Idle),
            (Self::Review, Event::Submit) => Some(Self::Submitting),
            (Self::Submitting, Event::SubmitCancelled) => Some(Self::Review),
            (Self::Submitting, Event::SubmitAccepted) => Some(Self::Submitted),
            // A recording isn't ended by the submission of an earlier take.
            (Self::Recording | Self::Paused | Self::Stopping, Event::FoundSubmitted) => None,
            (_, Event::FoundSubmitted) => Some(Self::Submitted),
            _ => None,
        }
    }

    /// The name in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Elsewhere => "elsewhere",
            Self::RequestingAccess => "requesting-access",
            Self::Blocked(obstacle) => obstacle.name(),
            Self::Preview => "preview",
            Self::Countdown => "countdown",
            Self::Recording => "recording",
            Self::Paused => "paused",
            Self::Stopping => "stopping",
            Self::Review => "review",
            Self::ConfirmingDiscard => "confirming-discard",
            Self::Submitting => "submitting",
            Self::Submitted => "submitted",
            Self::Ended(ending) => ending.name(),
        }
    }

    /// Whether camera or screen are open.
    pub fn is_live(self) -> bool {
        matches!(
            self,
            Self::Preview | Self::Countdown | Self::Recording | Self::Paused | Self::Stopping
        )
    }
}

impl Obstacle {
    /// The name of the state in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Denied => "blocked-denied",
            Self::NoCamera => "blocked-no-camera",
            Self::Busy => "blocked-busy",
            Self::Insecure => "blocked-insecure",
            Self::Unsupported => "blocked-unsupported",
            Self::NoVideo => "blocked-no-video",
            Self::NoScreen => "blocked-no-screen",
        }
    }
}

impl Ending {
    /// The name of the state in the markup.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expired => "ended-expired",
            Self::AlreadySubmitted => "ended-submitted",
            Self::Withdrawn => "ended-withdrawn",
            Self::TakenDown => "ended-taken-down",
            Self::TooLarge => "ended-too-large",
            Self::Unreadable => "ended-unreadable",
            Self::Refused => "ended-refused",
            Self::Unplayable => "ended-unplayable",
        }
    }

    /// Whether only this take isn't accepted, and another one may be.
    pub const fn allows_another_take(self) -> bool {
        matches!(
            self,
            Self::TooLarge | Self::Unreadable | Self::Refused | Self::Unplayable
        )
    }
}

#[cfg(test)]
mod tests;
