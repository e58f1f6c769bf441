//! Polls the request's state: whether it was submitted or is over, and whether another device is recording.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use leptos::prelude::*;

use super::bindings::Flag;
use super::client::{Failure, State, TakeUrl};
use super::controller::Recorder;
use super::state::{Ending, Phase};
use crate::browser;

/// How often, as a rule.
const INTERVAL: Duration = Duration::from_secs(10);

/// How often while another device records, or the server looks into a file that was chosen.
const SHORT_INTERVAL: Duration = Duration::from_secs(3);

/// How often while the page is hidden.
const HIDDEN_INTERVAL: Duration = Duration::from_secs(30);

impl Recorder {
    /// Polls for as long as there is something to do here; at once when the person does something else.
    pub(super) async fn poll_state(self, mut changes: UnboundedReceiver<()>) {
        while !self.is_done() {
            let take = self.upload.get_untracked().take;
            match self.link.state(take.as_ref()).await {
                Ok(state) if state.is_submitted() => self.end_if_not_ours(take.as_ref()).await,
                Ok(state) => self.show_state(&state),
                // While the submission is under way, its own answer says how it went.
                Err(Failure::Over(
                    ending @ (Ending::Expired | Ending::TakenDown | Ending::Withdrawn),
                )) if self.phase() != Phase::Submitting => self.end(ending),
                Err(_) => {}
            }
            let interval = match () {
                () if browser::is_hidden() => HIDDEN_INTERVAL,
                () if self.has(Flag::OtherRecords) || self.has(Flag::IsFile) => SHORT_INTERVAL,
                () => INTERVAL,
            };
            browser::within(interval, changes.next()).await;
        }
    }

    /// Whether nothing more can happen here.
    fn is_done(self) -> bool {
        match self.phase() {
            Phase::Sent => true,
            Phase::Over(ending) => !ending.is_about_the_take(),
            _ => false,
        }
    }

    async fn end_if_not_ours(self, take: Option<&TakeUrl>) {
        if !matches!(self.phase(), Phase::Submitting | Phase::Sent) {
            self.was_submitted(take).await;
        }
    }

    fn show_state(self, state: &State) {
        self.flag(Flag::Located, state.is_located());
        // Where it is shown.
        if state.is_located() && self.phase() == Phase::Review {
            self.knows_place.set(true);
        }
        self.flag(Flag::OtherRecords, state.is_recorded_elsewhere());
    }
}
