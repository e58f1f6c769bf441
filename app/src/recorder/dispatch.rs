//! Passes presses and events to the state machine, and carries out its effects.

use leptos::task::spawn_local;

use super::bindings::{Action, Flag};
use super::controller::Recorder;
use super::state::{Effect, Ending, Event, Phase};
use super::take::submit;
use crate::browser::{self, WakeLock};

impl Recorder {
    /// Passes an event to the state machine, and carries out its effects.
    /// `false`: the event doesn't apply now.
    pub(super) fn dispatch(self, event: Event) -> bool {
        let before = self.phase();
        let Some((phase, effects)) = before.handle(event) else {
            return false;
        };
        if phase.name() == before.name() {
            // Only the data of the state have changed, of which the page shows nothing.
            self.phase.set(phase);
        } else {
            self.enter(phase);
        }
        for effect in effects {
            self.carry_out(*effect);
        }
        true
    }

    fn enter(self, phase: Phase) {
        self.phase.set(phase);
        self.page.announce_state(phase);
        self.guard_buttons();
        browser::after(browser::DRAWN, move || self.keep_screen_on());
        let _ = self.phase_changes.unbounded_send(());
    }

    /// The screen stays on while the person is recorded, and while the take is being sent. Requested anew in each state:
    /// WebKit refuses it more than five seconds after a press.
    fn keep_screen_on(self) {
        let phase = self.phase();
        let keep_on = phase.is_live() || matches!(phase, Phase::Submitting);
        self.wake_lock.replace(keep_on.then(WakeLock::new));
    }

    fn carry_out(self, effect: Effect) {
        match effect {
            Effect::OpenSource => self.open_source(),
            Effect::CloseStream => self.close_stream(),
            Effect::StopRecorder => self.stop_recorder(),
            Effect::FlushUpload => browser::after(browser::DRAWN, move || self.flush_upload()),
            Effect::FinishTake => self.finish_take(),
            Effect::NoteInterruption => self.note_interruption(),
            Effect::CloseTake => self.close_take(),
            Effect::LeaveTake => self.leave_take(),
            Effect::IssueReceipt => self.issue_receipt(),
            Effect::ForgetTake => self.forget_take(),
            Effect::DeleteTake => self.delete_take(),
            Effect::RememberSubmission => self.remember_submission(),
            Effect::ForgetSubmission => submit::forget(&self.take_name()),
            Effect::StartSubmission => self.submit_if_complete(),
            Effect::AbortSubmission => self.abort_submission(),
        }
    }

    /// Does what a button is for, as far as it applies now.
    pub(super) fn perform(self, action: Action) {
        match action {
            Action::Retry => self.request_access(),
            Action::OpenCamera => self.open_camera(),
            Action::ShareScreen => self.share_screen(),
            Action::FlipCamera => self.flip_camera(),
            Action::SwitchTorch => self.switch_torch(),
            Action::Close => self.try_dispatch(Event::CloseSource),
            Action::Record => self.start_countdown(),
            Action::SkipCountdown => self.start_recording(),
            Action::Pause => self.pause_recording(),
            Action::Resume => self.resume_recording(),
            Action::Stop => self.stop(),
            Action::Submit => self.try_dispatch(Event::Submit),
            Action::CancelSubmit => self.try_dispatch(Event::SubmitCancelled),
            Action::TakeOver => self.take_over(),
            Action::AskDiscard => self.try_dispatch(Event::AskDiscard),
            Action::Keep => self.try_dispatch(Event::KeepTake),
            Action::Discard => self.discard(),
            Action::Save => self.save_clip(),
            Action::SaveReceipt => self.save_receipt(),
            Action::Copy => spawn_local(async move {
                let copied = browser::copy_to_clipboard(&browser::page_url()).await;
                self.set_flag(Flag::Copied, copied);
            }),
        }
    }

    /// Ends the page, or the take, because the link doesn't accept it.
    pub(super) fn end(self, ending: Ending) {
        self.try_dispatch(Event::End(ending));
    }

    /// Passes an event that may be late.
    pub(super) fn try_dispatch(self, event: Event) {
        let _ = self.dispatch(event);
    }
}
