//! Submits the take once the person has pressed Send and all of it is committed.

use std::time::Duration;

use futures_util::future::abortable;
use leptos::task::spawn_local;

use crate::browser;
use crate::browser::storage::local_storage;
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Ending, Event, Phase};
use crate::recorder::upload::client::{ClientError, TakeUrl};
use crate::recorder::upload::retry::RetryLoop;

/// How often to ask whether the server has parsed a file.
const PARSED_INTERVAL: Duration = Duration::from_secs(1);

/// Between submissions while the server seals. It delays its responses itself, so this is short.
const SEALING_INTERVAL: Duration = Duration::from_secs(1);

/// The key in `localStorage` for the name of the take for which the person has pressed Send.
const KEY: &str = "vidence.wanted";

/// Whether the person has pressed Send for this take.
pub(super) fn is_requested(take_name: &str) -> bool {
    local_storage::get(KEY).as_deref() == Some(take_name)
}

/// Forgets that; synchronously, so that a cancelled submission isn't repeated after a crash.
/// A take of another link, in another tab, stays noted.
pub(in crate::recorder) fn forget(take_name: &str) {
    if is_requested(take_name) {
        local_storage::set(KEY, "");
    }
}

impl Recorder {
    /// Aborts the submission that is under way.
    /// The server may have accepted it already; the poll of its state finds that.
    pub(in crate::recorder) fn abort_submission(self) {
        if let Some(task) = self.submission.take() {
            task.abort();
        }
    }

    /// Notes for a later visit that the take is to be submitted.
    pub(in crate::recorder) fn remember_submission(self) {
        local_storage::set(KEY, &self.take_name());
    }

    /// Submits the take if the person has pressed Send and all of it is committed.
    pub(in crate::recorder) fn submit_if_complete(self) {
        let upload = self.upload.get();
        let is_ready = matches!(self.phase(), Phase::Submitting) && upload.complete;
        let Some(take) = upload.take.filter(|_| is_ready) else {
            return;
        };
        // The last byte and the button may both lead here.
        if self.submission.borrow().is_some() {
            return;
        }
        let (submission, handle) = abortable(async move { self.submit_take(&take).await });
        self.submission.replace(Some(handle));
        spawn_local(async move {
            // The handle of an aborted submission was taken already.
            if submission.await.is_ok() {
                self.submission.replace(None);
            }
        });
    }

    async fn submit_take(self, take: &TakeUrl) {
        if self.has_unknown_location(take).await {
            self.try_dispatch(Event::SubmitCancelled);
            self.set_flag(Flag::HasLocation, true);
            return self.note_location_shown();
        }
        match submit_with_retries(self, take).await {
            Ok(()) => self.try_dispatch(Event::SubmitAccepted),
            Err(Ending::Withdrawn) => self.retry_withdrawn_take().await,
            Err(ending) => self.end(ending),
        }
    }

    /// Whether a file contains a location, and the person hasn't been told.
    /// Waits until the server has parsed the file.
    async fn has_unknown_location(self, take: &TakeUrl) -> bool {
        if !self.has_flag(Flag::IsFile) || self.is_location_shown() {
            return false;
        }
        while matches!(self.phase(), Phase::Submitting) {
            match self.client().page_state(Some(take)).await {
                Ok(state) if state.is_parsed() || !state.has_take() => {
                    return state.has_location();
                }
                Ok(_) => self.upload.update(|it| it.sealing = true),
                // The response to the submission will say why.
                Err(ClientError::Ended(_)) => return false,
                // Without a network nothing can be submitted either.
                Err(_) => {}
            }
            browser::sleep(PARSED_INTERVAL).await;
        }
        false
    }
}

/// Submits a take with what the page and `boot.js` note of it, and retries until the server accepts or rejects it.
async fn submit_with_retries(recorder: Recorder, take: &TakeUrl) -> Result<(), Ending> {
    let (client, status) = (recorder.client(), recorder.upload);
    let mut retries = RetryLoop::new(status);
    let mut has_details = true;
    loop {
        let details = if has_details {
            recorder.page.data("submission")
        } else {
            String::new()
        };
        match client.submit(take, &details).await {
            Ok(()) => return Ok(()),
            // A server of an earlier release knows none of them.
            Err(ClientError::Ended(Ending::Refused)) if !details.is_empty() => {
                has_details = false;
            }
            Err(ClientError::NotReady) => {
                retries.reset();
                status.update(|it| it.sealing = true);
                browser::sleep_or_wake(SEALING_INTERVAL).await;
            }
            Err(error) => {
                status.update(|it| it.sealing = false);
                if error == ClientError::Ended(Ending::Unplayable) {
                    // Best effort: it would count towards the takes that the request may have.
                    let _ = client.delete_take(take).await;
                }
                retries.wait_after(error).await?;
            }
        }
    }
}
