//! What the controller asks the server for again and again.

use std::time::Duration;

use leptos::prelude::*;

use super::Controller;
use crate::browser;
use crate::console::client::{self, ApiError};
use crate::console::polling::{PollContext, PollResult, PollSchedule};
use crate::console::state::{Connectivity, IssuedRequest, Progress};
use crate::console::text;
use crate::video_metadata::{StillsStatus, TranscriptStatus};

/// So many internal errors in a row aren't a moment's: the video is damaged.
const LASTING: u32 = 3;

impl Controller {
    /// Polls the status until the request is over.
    pub(super) async fn poll_status(self, request: IssuedRequest) {
        let mut schedule = PollSchedule::default();
        while self.is_current(&request) {
            let began = browser::unix_now();
            // After a failure the response should come at once, to show that the server is back.
            let long_poll = self.connectivity.get_untracked() == Connectivity::Good;
            let result = match client::request_status(&request.id, &request.token, long_poll).await
            {
                // Deleted meanwhile.
                _ if !self.is_current(&request) => return,
                Ok(view) => {
                    self.connectivity.set(Connectivity::Good);
                    let next = self.phase.with_untracked(|phase| phase.after(&view));
                    if let Some(next) = next {
                        self.enter(next);
                    }
                    let took_ms = (browser::unix_now() - began).max(0.0);
                    PollResult::Answered(Duration::from_secs_f64(took_ms / 1000.0))
                }
                Err(error) => self.apply_poll_error(&error),
            };
            wait(&mut schedule, result, self.video().is_some()).await;
        }
    }

    /// Polls how far the person with the link has come, until the video is submitted.
    ///
    /// Its failures aren't shown: `poll_status` shows its own.
    pub(super) async fn poll_progress(self, request: String) {
        let mut schedule = PollSchedule::default();
        while self.is_awaited(&request) {
            let result = match client::link_state(&request).await {
                Ok(link) => {
                    let progress = Progress::of(&link);
                    if self.is_awaited(&request) && self.progress.get_untracked() != progress {
                        self.progress.set(progress);
                    }
                    PollResult::Answered(Duration::ZERO)
                }
                Err(error) => poll_result(&error),
            };
            wait(&mut schedule, result, false).await;
        }
    }

    /// Polls the metadata until stills and transcript are made.
    /// Again where a video can't be played: it may be deleted, or damaged.
    pub async fn poll_metadata(self) {
        let mut schedule = PollSchedule::default();
        let (mut known, mut internal_errors) = (None, 0);
        while let (Some(request), Some(video)) = (self.request.get_untracked(), self.video()) {
            let result = match client::video_metadata(&video, &request.token).await {
                _ if !self.is_current(&request) => return,
                Ok(metadata) => {
                    self.connectivity.set(Connectivity::Good);
                    self.progress.set(Progress::Video);
                    self.failure.set(None);
                    internal_errors = 0;
                    let is_final = metadata.stills.status != StillsStatus::Pending
                        && metadata.transcript.status != TranscriptStatus::Pending;
                    // While only the transcript is pending, nothing that is shown changes.
                    let statuses = (metadata.stills.status, metadata.transcript.status);
                    if known.replace(statuses) != Some(statuses) {
                        self.metadata.set(Some(metadata));
                    }
                    if is_final {
                        return;
                    }
                    PollResult::Answered(Duration::ZERO)
                }
                // One that the server expects to pass has a `Retry-After`.
                Err(
                    ref error @ ApiError::Rejected {
                        status: 500,
                        retry_after: None,
                        ..
                    },
                ) => {
                    internal_errors += 1;
                    if internal_errors >= LASTING {
                        self.progress.set(Progress::Failed);
                        self.failure.set(Some(text::error(error)));
                    }
                    PollResult::Failed
                }
                Err(error) => self.apply_poll_error(&error),
            };
            // Stills come soon, so at the interval of a request without a video.
            wait(&mut schedule, result, false).await;
        }
    }

    fn apply_poll_error(self, error: &ApiError) -> PollResult {
        self.apply_error(error);
        let result = poll_result(error);
        let connectivity = match result {
            PollResult::RateLimited(_) => Connectivity::RateLimited,
            _ if browser::is_offline() => Connectivity::Offline,
            _ => Connectivity::Unreachable,
        };
        self.connectivity.set(connectivity);
        result
    }
}

fn poll_result(error: &ApiError) -> PollResult {
    match error {
        ApiError::Rejected {
            status: 429,
            retry_after,
            ..
        } => PollResult::RateLimited(*retry_after),
        _ => PollResult::Failed,
    }
}

async fn wait(schedule: &mut PollSchedule, result: PollResult, submitted: bool) {
    let context = PollContext {
        hidden: browser::is_hidden(),
        submitted,
    };
    let delay = schedule.next_delay(result, context, browser::jitter());
    match result {
        // A `Retry-After` holds even if the person returns to the page.
        PollResult::RateLimited(_) => browser::sleep(delay).await,
        _ => browser::sleep_or_return(delay).await,
    }
}
