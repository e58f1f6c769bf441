//! The request at hand: makes it, follows it, deletes it. Carries out what the phase allows.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};

use super::client::{self, Failure};
use super::polling::{Heard, Pace, Setting};
use super::state::Phase;
use super::text;
use crate::api::{CreateRequest, CreatedRequest};
use crate::browser;
use crate::video_metadata::{StillsStatus, VideoMetadata};

/// The token survives a reload of this tab, and nothing else: without it nobody could watch or delete what
/// a person may just be recording, for up to two days, because somebody's finger slipped. `sessionStorage`
/// is the narrowest place that does: only this tab reads it (and one that is duplicated from it), it goes with
/// the tab, and it is emptied here as soon as the request is over. A script that could read it could read the page, where the token stands
/// anyway; the content security policy lets none but ours run. Never `localStorage`, a cookie, or a URL.
const MEMORY: &str = "vidence.request";

/// What a creation gave, and what it was asked with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The request.
    pub id: String,
    /// For the human.
    pub link: String,
    /// For whoever asks.
    pub token: String,
    /// RFC 3339, UTC.
    pub expires_at: String,
    /// What the human is asked for.
    pub prompt: String,
}

/// Whether the server can be heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contact {
    /// It can.
    #[default]
    Good,
    /// The browser has no network.
    Offline,
    /// There is a network, and no answer.
    Silent,
    /// It asks to be asked later.
    Busy,
}

/// Cheap to copy: it is handles.
#[derive(Clone, Copy)]
pub struct Session {
    /// Where it stands.
    pub phase: RwSignal<Phase>,
    /// There is one as long as the request is open.
    pub given: RwSignal<Option<Given>>,
    /// Whether a reload would find it again.
    pub remembered: RwSignal<bool>,
    /// How the line to the server is.
    pub contact: RwSignal<Contact>,
    /// A creation or a deletion is under way.
    pub busy: RwSignal<bool>,
    /// Why the last one failed.
    pub complaint: RwSignal<Option<String>>,
    /// Of the video, once there is one.
    pub metadata: RwSignal<Option<VideoMetadata>>,
}

impl Session {
    /// Without a request.
    pub fn new() -> Self {
        Self {
            phase: RwSignal::new(Phase::Blank),
            given: RwSignal::new(None),
            remembered: RwSignal::new(false),
            contact: RwSignal::new(Contact::Good),
            busy: RwSignal::new(false),
            complaint: RwSignal::new(None),
            metadata: RwSignal::new(None),
        }
    }

    /// Goes on with the request that this tab had before it was reloaded.
    pub fn resume(self) {
        let text = browser::get(MEMORY);
        let given = text.and_then(|text| serde_json::from_str(&text).ok());
        if let Some(given) = given {
            self.remembered.set(true);
            self.begin(given);
        }
    }

    /// Makes a request.
    pub fn create(self, prompt: String, expires_in_hours: i64) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        self.complaint.set(None);
        let wish = CreateRequest {
            prompt,
            expires_in_hours,
        };
        spawn_local(async move {
            match client::create(&wish).await {
                Ok(created) => {
                    let given = Given::new(created, wish.prompt);
                    let text = serde_json::to_string(&given).unwrap_or_default();
                    self.remembered.set(browser::set(MEMORY, &text));
                    self.begin(given);
                }
                Err(failure) => self.complaint.set(Some(text::failure(&failure))),
            }
            self.busy.set(false);
        });
    }

    /// Deletes the request and its video.
    pub fn delete(self) {
        let Some(Given { id, token, .. }) = self.given.get_untracked() else {
            return;
        };
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        self.complaint.set(None);
        spawn_local(async move {
            match client::delete(&id, &token).await {
                Ok(()) => self.go(Phase::Deleted),
                Err(failure) => {
                    self.refused(&failure);
                    if self.phase.with_untracked(Phase::is_open) {
                        self.complaint.set(Some(text::failure(&failure)));
                    }
                }
            }
            self.busy.set(false);
        });
    }

    /// From an end back to the beginning.
    pub fn start_over(self) {
        self.complaint.set(None);
        self.contact.set(Contact::Good);
        self.phase.set(Phase::Blank);
    }

    /// The video can't be played, or not on: perhaps it is gone. Looks.
    pub async fn look_at_video(self) {
        let (Some(given), Some(video)) = (self.given.get_untracked(), self.video()) else {
            return;
        };
        if let Err(failure) = client::metadata(&video, &given.token).await {
            self.refused(&failure);
        }
    }

    /// The video's id. Not tracked.
    pub fn video(self) -> Option<String> {
        self.phase
            .with_untracked(|it| it.video().map(str::to_owned))
    }

    fn begin(self, given: Given) {
        self.given.set(Some(given.clone()));
        self.phase.set(Phase::Waiting);
        spawn_local(self.follow(given));
    }

    fn go(self, phase: Phase) {
        match &phase {
            Phase::Submitted { .. } => {
                self.phase.set(phase);
                spawn_local(self.learn());
            }
            _ => {
                self.phase.set(phase);
                browser::remove(MEMORY);
                self.given.set(None);
                self.metadata.set(None);
            }
        }
    }

    /// Asks for the status until the request is over.
    async fn follow(self, given: Given) {
        let mut pace = Pace::default();
        while self.is_at(&given) {
            let asked_at = browser::now();
            // What went wrong before should soon be known to be over.
            let hold = self.contact.get_untracked() == Contact::Good;
            let heard = match client::status(&given.id, &given.token, hold).await {
                // Deleted while this was on its way: the answer is no news.
                _ if !self.is_at(&given) => return,
                Ok(view) => {
                    self.contact.set(Contact::Good);
                    let next = self.phase.with_untracked(|phase| phase.after(&view));
                    if let Some(next) = next {
                        self.go(next);
                    }
                    let took = (browser::now() - asked_at).max(0.0);
                    Heard::Status(Duration::from_secs_f64(took / 1000.0))
                }
                Err(failure) => self.unanswered(&failure),
            };
            rest(&mut pace, heard, self.video().is_some()).await;
        }
    }

    /// Asks for facts until nothing more will be known.
    async fn learn(self) {
        let mut pace = Pace::default();
        while let (Some(given), Some(video)) = (self.given.get_untracked(), self.video()) {
            let heard = match client::metadata(&video, &given.token).await {
                _ if !self.is_at(&given) => return,
                Ok(metadata) => {
                    let settled = metadata.stills.status != StillsStatus::Pending;
                    self.metadata.set(Some(metadata));
                    if settled {
                        return;
                    }
                    Heard::Status(Duration::ZERO)
                }
                Err(failure) => self.unanswered(&failure),
            };
            // Pictures come soon: as if one were waiting for the video.
            rest(&mut pace, heard, false).await;
        }
    }

    fn unanswered(self, failure: &Failure) -> Heard {
        self.refused(failure);
        let (contact, heard) = match failure {
            Failure::Refused {
                status: 429,
                retry_after,
                ..
            } => (Contact::Busy, Heard::TooOften(*retry_after)),
            _ if browser::is_offline() => (Contact::Offline, Heard::Nothing),
            _ => (Contact::Silent, Heard::Nothing),
        };
        self.contact.set(contact);
        heard
    }

    /// Takes a refusal to heart, if it is about the request itself.
    fn refused(self, failure: &Failure) {
        if let Failure::Refused {
            status, message, ..
        } = failure
        {
            let next = self
                .phase
                .with_untracked(|phase| phase.refused(*status, message));
            if let Some(next) = next {
                self.go(next);
            }
        }
    }

    /// Whether this is still the request at hand, and open.
    fn is_at(self, given: &Given) -> bool {
        self.given
            .with_untracked(|now| now.as_ref().is_some_and(|now| now.id == given.id))
    }
}

async fn rest(pace: &mut Pace, heard: Heard, submitted: bool) {
    let setting = Setting {
        hidden: browser::is_hidden(),
        submitted,
    };
    let rest = pace.next(heard, setting, browser::jitter());
    match heard {
        // Not earlier, whoever comes back.
        Heard::TooOften(_) => browser::wait(rest).await,
        _ => browser::wait_or_back(rest).await,
    }
}

impl Given {
    fn new(created: CreatedRequest, prompt: String) -> Self {
        Self {
            id: created.id,
            link: created.submission_url,
            token: created.access_token,
            expires_at: created.expires_at,
            prompt,
        }
    }
}
