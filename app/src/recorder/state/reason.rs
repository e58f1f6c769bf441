//! Why camera or screen can't be opened, and why the link or the take isn't accepted. Pure.

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
