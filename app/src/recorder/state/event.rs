//! The inputs of the state machine. Times are in milliseconds on the page's clock.

use super::reason::{Ending, Obstacle};
use super::timer::Timer;

/// An input of the state machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Another tab has the page open.
    OpenedElsewhere,
    /// This tab owns the page, and there is no take to recover.
    PageAcquired,
    /// The person wants to open camera or screen: for the first time, again after an obstacle, or another one.
    RequestAccess {
        /// The number of the attempt.
        attempt: u32,
    },
    /// The source is open.
    AccessGranted,
    /// The source couldn't be opened, or was lost before the recording.
    AccessFailed(Obstacle),
    /// The person closes the source.
    CloseSource,
    /// The person wants another camera or microphone, or none.
    ReplaceTrack,
    /// The track was replaced.
    TrackReplaced,
    /// The person wants to record.
    StartCountdown {
        /// The time.
        now: f64,
    },
    /// The recorder was started.
    RecordingStarted(Timer),
    /// The person pauses, and the recorder has paused.
    Pause {
        /// The time.
        now: f64,
    },
    /// The person resumes, and the recorder has resumed.
    Resume {
        /// The time.
        now: f64,
    },
    /// The person stops the recording or the countdown.
    Stop {
        /// The time.
        now: f64,
    },
    /// The recorder has handed out all pieces.
    /// Without a Stop before it: a camera was unplugged, a call came in.
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
