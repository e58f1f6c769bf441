//! Polls the state of the request: whether it is submitted or over, and whether another device is recording.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;

use super::bindings::Flag;
use super::controller::Recorder;
use super::state::{Ending, Phase};
use super::upload::client::{ClientError, TakeUrl};
use super::upload::page_state::PageStateJson;
use crate::browser;

/// The usual interval.
const INTERVAL: Duration = Duration::from_secs(10);

/// While another device records, or the server parses a file.
const SHORT_INTERVAL: Duration = Duration::from_secs(3);

/// While the page is hidden.
const HIDDEN_INTERVAL: Duration = Duration::from_secs(30);

impl Recorder {
    /// Polls until nothing more can happen here, and soon after each message: a change of the page's state.
    pub(super) async fn poll_state(self, mut changes: UnboundedReceiver<()>) {
        while !self.is_finished() {
            self.set_flag(Flag::ClosesSoon, self.closes_soon());
            let take = self.upload.get().take;
            match self.client().page_state(take.as_ref()).await {
                Ok(state) if state.is_submitted() => self.handle_submitted(take.as_ref()).await,
                Ok(state) => self.show_page_state(&state),
                // A submission that is under way reports its own result.
                Err(ClientError::Ended(
                    ending @ (Ending::Expired | Ending::TakenDown | Ending::Withdrawn),
                )) if !matches!(self.phase(), Phase::Submitting) => self.end(ending),
                Err(_) => {}
            }
            let is_urgent = self.has_flag(Flag::RecordedElsewhere) || self.has_flag(Flag::IsFile);
            let interval = match () {
                () if browser::is_hidden() => HIDDEN_INTERVAL,
                () if is_urgent => SHORT_INTERVAL,
                () => INTERVAL,
            };
            browser::timeout(interval, changes.next()).await;
            browser::sleep(browser::DRAWN).await;
        }
    }

    /// Whether nothing more can happen here.
    fn is_finished(self) -> bool {
        match self.phase() {
            Phase::Submitted => true,
            Phase::Ended { ending, .. } => !ending.allows_another_take(),
            _ => false,
        }
    }

    async fn handle_submitted(self, take: Option<&TakeUrl>) {
        if !matches!(self.phase(), Phase::Submitting | Phase::Submitted) {
            self.end_submitted(take).await;
        }
    }

    fn show_page_state(self, state: &PageStateJson) {
        let has_location = state.has_location();
        self.set_flag(Flag::HasLocation, has_location);
        // Only the review shows that flag.
        if has_location && matches!(self.phase(), Phase::Review) && !self.is_location_shown() {
            // A press of Send was meant before it was there.
            self.guard_buttons();
            self.note_location_shown();
        }
        self.set_flag(Flag::RecordedElsewhere, state.is_recorded_elsewhere());
    }
}
