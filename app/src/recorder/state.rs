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
    /// The operator has taken the request down.
    TakenDown,
    /// The recording is longer than the server takes.
    TooLarge,
    /// The file was changed or moved, or isn't all on this device.
    Unreadable,
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
    /// Not any more, and nothing was kept of what it had.
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
    /// There is something to know before it is sent, or the person would rather not send it yet.
    Warn,
    /// The server has it.
    Received,
    /// The server has had it before: Send was pressed on an earlier visit, or taken back too late.
    FoundSent,
    /// The link is closed, or this take can't be taken.
    End(Ending),
}

impl Phase {
    /// What follows. `None`: this can't happen here, as when a button is pressed twice.
    pub fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Over(ending), Event::Discard) if ending.is_about_the_take() => Some(Self::Idle),
            (Self::Over(ending), Event::OpenElsewhere) if ending.is_about_the_take() => {
                Some(Self::Elsewhere)
            }
            (Self::Sent | Self::Over(_), _) => None,
            (_, Event::End(ending)) => Some(Self::Over(ending)),
            (_, Event::OpenElsewhere) => Some(Self::Elsewhere),
            (Self::Elsewhere, Event::HereNow) => Some(Self::Idle),
            (Self::Idle | Self::Blocked(_) | Self::Preview, Event::Ask) => Some(Self::Asking),
            (Self::Asking, Event::Ready) => Some(Self::Preview),
            (Self::Asking | Self::Preview | Self::Countdown, Event::Failed(obstacle)) => {
                Some(Self::Blocked(obstacle))
            }
            (Self::Asking | Self::Preview, Event::Close) => Some(Self::Idle),
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
            (Self::Elsewhere | Self::Idle | Self::Asking | Self::Blocked(_), Event::TakeAtHand) => {
                Some(Self::Review)
            }
            (Self::Review, Event::Reconsider) => Some(Self::Reconsidering),
            (Self::Reconsidering, Event::Keep) => Some(Self::Review),
            (Self::Reconsidering, Event::Discard) => Some(Self::Idle),
            (Self::Review, Event::Submit) => Some(Self::Submitting),
            (Self::Submitting, Event::Warn) => Some(Self::Review),
            (Self::Submitting, Event::Received) => Some(Self::Sent),
            // What is being recorded stays with the person.
            (Self::Recording | Self::Paused | Self::Stopping, Event::FoundSent) => None,
            (_, Event::FoundSent) => Some(Self::Sent),
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
            Self::TakenDown => "over-taken-down",
            Self::TooLarge => "over-too-large",
            Self::Unreadable => "over-unreadable",
            Self::Refused => "over-refused",
            Self::Unplayable => "over-unplayable",
        }
    }

    /// Whether the link is fine, and another take may be.
    pub fn is_about_the_take(self) -> bool {
        matches!(
            self,
            Self::TooLarge | Self::Unreadable | Self::Refused | Self::Unplayable
        )
    }
}

#[cfg(test)]
mod tests;
