//! What the recorder does after an event, beside showing and announcing the new state. Pure.

use super::{Event, Phase};

/// An order to the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Open the source that was chosen last.
    OpenSource,
    /// Close the source. A recording of it is dropped.
    CloseStream,
    /// Stop the recorder. The source stays open until it has handed out all pieces.
    StopRecorder,
    /// Upload what is recorded, without waiting for more.
    FlushUpload,
    /// End the take after its last piece, and show it in the review.
    FinishTake,
    /// Tell the person that the recording ended without them.
    NoteInterruption,
    /// Stop storing and uploading the take, and delete what may not stay stored. It stays in the page.
    CloseTake,
    /// Leave the take to the tab that has taken over.
    LeaveTake,
    /// Show and keep the receipt of the submission.
    IssueReceipt,
    /// Delete the take on this device.
    ForgetTake,
    /// Delete the take on this device and on the server.
    DeleteTake,
    /// Remember for a later visit that the take is to be submitted.
    RememberSubmission,
    /// Remember that no take is to be submitted.
    ForgetSubmission,
    /// Submit the take, now or as soon as all of it is committed.
    StartSubmission,
    /// Abort the submission.
    AbortSubmission,
}

impl Phase {
    /// What to do after an event in this state, in this order. Only for events that apply.
    pub(super) const fn effects_of(self, event: Event) -> &'static [Effect] {
        match (self, event) {
            (_, Event::OpenedElsewhere) => &[Effect::CloseStream, Effect::LeaveTake],
            (_, Event::RequestAccess { .. }) => &[Effect::CloseStream, Effect::OpenSource],
            (_, Event::AccessFailed(_) | Event::CloseSource | Event::TakeLoaded) => {
                &[Effect::CloseStream]
            }
            (_, Event::Pause { .. }) => &[Effect::FlushUpload],
            (Self::Recording(_) | Self::Paused(_), Event::Stop { .. }) => &[Effect::StopRecorder],
            (Self::Recording(_) | Self::Paused(_), Event::RecordingEnded) => &[
                Effect::CloseStream,
                Effect::FinishTake,
                Effect::NoteInterruption,
            ],
            (Self::Ended { .. }, Event::RecordingEmpty) | (_, Event::RecordingEnded) => {
                &[Effect::CloseStream, Effect::FinishTake]
            }
            // A recording of a take that isn't accepted may still be handing out its last pieces.
            (_, Event::RecordingEmpty | Event::DiscardTake) => {
                &[Effect::CloseStream, Effect::DeleteTake]
            }
            (_, Event::Submit) => &[Effect::RememberSubmission, Effect::StartSubmission],
            (_, Event::SubmitCancelled) => &[Effect::ForgetSubmission, Effect::AbortSubmission],
            (_, Event::SubmitAccepted) => &[Effect::IssueReceipt, Effect::ForgetTake],
            (_, Event::FoundSubmitted) => &[Effect::CloseStream, Effect::ForgetTake],
            // The recording isn't cut off, so that all of it can at least be saved on this device.
            (Self::Recording(_) | Self::Paused(_) | Self::Stopping(_), Event::End(ending)) => {
                match ending.allows_another_take() {
                    true => &[Effect::StopRecorder],
                    false => &[Effect::StopRecorder, Effect::CloseTake],
                }
            }
            (_, Event::End(ending)) if ending.allows_another_take() => &[Effect::CloseStream],
            (_, Event::End(_)) => &[Effect::CloseStream, Effect::CloseTake],
            (
                _,
                Event::PageAcquired
                | Event::AccessGranted
                | Event::ReplaceTrack
                | Event::TrackReplaced
                | Event::StartCountdown { .. }
                | Event::RecordingStarted(_)
                | Event::Resume { .. }
                | Event::Stop { .. }
                | Event::AskDiscard
                | Event::KeepTake,
            ) => &[],
        }
    }
}
