//! Creates a request, polls it and deletes it, as far as its state allows.

mod polls;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::client::{self, ApiError};
use super::state::{Connectivity, IssuedRequest, Phase, Progress};
use super::{stored, text};
use crate::api::CreateRequest;
use crate::video_metadata::VideoMetadata;

/// The state of the console, as signals. Copies share it.
#[derive(Clone, Copy)]
pub struct Controller {
    /// The state of the request.
    pub phase: RwSignal<Phase>,
    /// How far the person with the link has come, as long as the request is open.
    pub progress: RwSignal<Progress>,
    /// The request, as long as it is open.
    pub request: RwSignal<Option<IssuedRequest>>,
    /// Whether the request survives a reload.
    pub is_stored: RwSignal<bool>,
    /// Whether the token was copied.
    pub token_copied: RwSignal<bool>,
    /// Whether the server can be reached.
    pub connectivity: RwSignal<Connectivity>,
    /// Whether a creation or a deletion is under way.
    pub is_pending: RwSignal<bool>,
    /// Why the last creation or deletion failed.
    pub error: RwSignal<Option<String>>,
    /// The metadata of the video.
    pub metadata: RwSignal<Option<VideoMetadata>>,
    /// Why the video can't be shown.
    pub failure: RwSignal<Option<String>>,
}

impl Controller {
    /// Without a request.
    pub fn new() -> Self {
        Self {
            phase: RwSignal::new(Phase::Blank),
            progress: RwSignal::new(Progress::default()),
            request: RwSignal::new(None),
            is_stored: RwSignal::new(false),
            token_copied: RwSignal::new(false),
            connectivity: RwSignal::new(Connectivity::Good),
            is_pending: RwSignal::new(false),
            error: RwSignal::new(None),
            metadata: RwSignal::new(None),
            failure: RwSignal::new(None),
        }
    }

    /// Restores the request that this tab had before a reload.
    pub fn restore(self) {
        if let Some(request) = stored::load() {
            self.is_stored.set(true);
            self.open(request);
        }
    }

    /// Creates a request.
    pub fn create(self, prompt: String, expires_in_hours: i64) {
        if !self.begin_action() {
            return;
        }
        let body = CreateRequest {
            prompt,
            expires_in_hours,
        };
        spawn_local(async move {
            match client::create_request(&body).await {
                Ok(created) => {
                    let request = IssuedRequest::new(created, body.prompt);
                    self.is_stored.set(stored::save(&request));
                    self.open(request);
                }
                Err(error) => self.error.set(Some(text::error(&error))),
            }
            self.is_pending.set(false);
        });
    }

    /// Remembers that the token was copied.
    pub fn note_token_copied(self) {
        self.token_copied.set(true);
        if let Some(mut request) = self.request.get_untracked() {
            request.token_copied = true;
            self.is_stored.set(stored::save(&request));
        }
    }

    /// Deletes the request and its video.
    pub fn delete(self) {
        let Some(IssuedRequest { id, token, .. }) = self.request.get_untracked() else {
            return;
        };
        if !self.begin_action() {
            return;
        }
        spawn_local(async move {
            match client::delete_request(&id, &token).await {
                Ok(()) => self.enter(Phase::Deleted),
                Err(error) => {
                    self.apply_error(&error);
                    if self.phase.with_untracked(Phase::is_open) {
                        self.error.set(Some(text::error(&error)));
                    }
                }
            }
            self.is_pending.set(false);
        });
    }

    /// `false`: a creation or a deletion is under way.
    fn begin_action(self) -> bool {
        if self.is_pending.get_untracked() {
            return false;
        }
        self.is_pending.set(true);
        self.error.set(None);
        true
    }

    /// Leaves a final state.
    pub fn start_over(self) {
        self.error.set(None);
        self.connectivity.set(Connectivity::Good);
        self.phase.set(Phase::Blank);
    }

    /// The video's id. Not tracked.
    pub fn video(self) -> Option<String> {
        self.phase
            .with_untracked(|it| it.video().map(str::to_owned))
    }

    fn open(self, request: IssuedRequest) {
        self.token_copied.set(request.token_copied);
        self.progress.set(Progress::default());
        self.failure.set(None);
        self.request.set(Some(request.clone()));
        self.phase.set(Phase::Waiting);
        spawn_local(self.poll_progress(request.id.clone()));
        spawn_local(self.poll_status(request));
    }

    fn enter(self, phase: Phase) {
        let has_video = phase.video().is_some();
        // A server that runs with another store by mistake accepts the token again later: after a reload.
        let is_over = !matches!(phase, Phase::Rejected { .. });
        self.phase.set(phase);
        if has_video {
            self.progress.set(Progress::Video);
            spawn_local(self.poll_metadata());
        } else {
            if is_over {
                stored::remove();
            }
            self.request.set(None);
            self.metadata.set(None);
        }
    }

    /// Changes the state if the error is about the request itself.
    fn apply_error(self, error: &ApiError) {
        if let ApiError::Rejected {
            status, message, ..
        } = error
        {
            let next = self
                .phase
                .with_untracked(|phase| phase.after_error(*status, message));
            if let Some(next) = next {
                self.enter(next);
            }
        }
    }

    /// Whether this is still the request of the console, and open.
    fn is_current(self, request: &IssuedRequest) -> bool {
        self.has_request(&request.id)
    }

    /// Whether this is still the request of the console, without a video.
    fn is_awaited(self, request: &str) -> bool {
        self.has_request(request) && self.video().is_none()
    }

    fn has_request(self, id: &str) -> bool {
        self.request
            .with_untracked(|it| it.as_ref().is_some_and(|it| it.id == id))
    }
}
