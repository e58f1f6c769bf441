//! The state of the console's request. Pure.

use serde::{Deserialize, Serialize};

use crate::api::{CreatedRequest, PageState, RequestStatus, RequestView};

/// A created request: what the server issued, and the prompt that it was created with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedRequest {
    /// The request's id.
    pub id: String,
    /// The link for the person who records.
    pub link: String,
    /// The bearer token.
    pub token: String,
    /// When the request is deleted: RFC 3339, UTC.
    pub expires_at: String,
    /// The prompt.
    pub prompt: String,
    /// Whether the token was copied.
    #[serde(default)]
    pub token_copied: bool,
}

impl IssuedRequest {
    /// Joins the server's response to the prompt.
    pub fn new(created: CreatedRequest, prompt: String) -> Self {
        Self {
            id: created.id,
            link: created.submission_url,
            token: created.access_token,
            expires_at: created.expires_at,
            prompt,
            token_copied: false,
        }
    }
}

/// How far the person with the link has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// Nothing has been recorded.
    #[default]
    Link,
    /// A recording is growing.
    Recording,
    /// There is a recording, and it isn't submitted.
    Recorded,
    /// The video was submitted.
    Video,
    /// The video was submitted, and is damaged.
    Failed,
}

impl Progress {
    /// The progress before a submission, from what the link shows.
    pub fn of(link: &PageState) -> Self {
        match link {
            // Its takes are no longer told, and `poll_status` hears of the video in a moment.
            PageState {
                status: RequestStatus::Submitted,
                ..
            } => Self::Recorded,
            // The console names no take, so any that grows counts as another device's.
            PageState {
                recorded_elsewhere: true,
                ..
            } => Self::Recording,
            PageState { takes, .. } if takes.is_empty() => Self::Link,
            _ => Self::Recorded,
        }
    }

    /// The index of the step that it is in; the steps before it are done.
    pub const fn step(self) -> usize {
        match self {
            Self::Link => 0,
            Self::Recording | Self::Recorded => 1,
            // Nothing is left to do.
            Self::Video | Self::Failed => 3,
        }
    }
}

/// Whether the server can be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connectivity {
    /// It answers.
    #[default]
    Good,
    /// The browser has no network.
    Offline,
    /// There is a network, and the server doesn't answer.
    Unreachable,
    /// The server answers 429.
    RateLimited,
}

/// The state of the request. The last three are final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// There is no request.
    Blank,
    /// No video has been submitted yet.
    Waiting,
    /// A video was submitted.
    Submitted {
        /// The video's id.
        video: String,
    },
    /// The lifetime of the request is over.
    Expired,
    /// The request was deleted: here, or elsewhere with the same token.
    Deleted,
    /// The server doesn't accept the token.
    Rejected {
        /// The server's message.
        message: String,
    },
}

impl Phase {
    /// The state after a response, if it changes. A final state never does: a response may be late.
    pub fn after(&self, view: &RequestView) -> Option<Self> {
        if !self.is_open() {
            return None;
        }
        let next = match (view.status, &view.video) {
            (RequestStatus::Submitted, Some(video)) => Self::Submitted {
                video: video.id.clone(),
            },
            (RequestStatus::Expired, _) => Self::Expired,
            (RequestStatus::AwaitingSubmission, _) | (RequestStatus::Submitted, None) => {
                Self::Waiting
            }
        };
        (next != *self).then_some(next)
    }

    /// The state after an error response, if it is about the request.
    pub fn after_error(&self, status: u16, message: &str) -> Option<Self> {
        if !self.is_open() {
            return None;
        }
        match status {
            401 | 403 => Some(Self::Rejected {
                message: message.to_owned(),
            }),
            404 => Some(Self::Deleted),
            410 => Some(Self::Expired),
            _ => None,
        }
    }

    /// Whether the state may still change.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Waiting | Self::Submitted { .. })
    }

    /// The id of the submitted video.
    pub fn video(&self) -> Option<&str> {
        match self {
            Self::Submitted { video } => Some(video),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{TakeView, VideoView};

    fn view(status: RequestStatus) -> RequestView {
        let video = (status == RequestStatus::Submitted).then(|| VideoView {
            id: "v".to_owned(),
            url: String::new(),
            expires_at: String::new(),
        });
        RequestView {
            id: "r".to_owned(),
            status,
            expires_at: String::new(),
            video,
        }
    }

    #[test]
    fn responses_change_the_state_until_it_is_final() {
        let submitted = Phase::Submitted {
            video: "v".to_owned(),
        };
        let final_states = [
            Phase::Expired,
            Phase::Deleted,
            Phase::Rejected {
                message: String::new(),
            },
        ];
        for (status, want) in [
            (RequestStatus::AwaitingSubmission, None),
            (RequestStatus::Submitted, Some(submitted.clone())),
            (RequestStatus::Expired, Some(Phase::Expired)),
        ] {
            assert_eq!(Phase::Waiting.after(&view(status)), want);
            assert!(
                final_states
                    .iter()
                    .all(|it| it.after(&view(status)).is_none())
            );
            assert_eq!(Phase::Blank.after(&view(status)), None);
        }
        assert_eq!(submitted.after(&view(RequestStatus::Submitted)), None);
        assert_eq!(submitted.video(), Some("v"));
    }

    #[test]
    fn errors_change_the_state_only_if_they_are_about_the_request() {
        let rejected = Phase::Rejected {
            message: "no".to_owned(),
        };
        for (status, want) in [
            (401, Some(rejected.clone())),
            (403, Some(rejected)),
            (404, Some(Phase::Deleted)),
            (410, Some(Phase::Expired)),
            (429, None),
            (500, None),
        ] {
            assert_eq!(Phase::Waiting.after_error(status, "no"), want, "{status}");
            assert_eq!(Phase::Deleted.after_error(status, "no"), None, "{status}");
        }
    }

    #[test]
    fn the_progress_follows_the_takes() {
        let take = TakeView {
            offset: 1,
            complete: false,
            sealed: false,
            refused: false,
            has_location: false,
        };
        let (awaited, submitted) = (RequestStatus::AwaitingSubmission, RequestStatus::Submitted);
        for (status, takes, recorded_elsewhere, want) in [
            (awaited, vec![], false, Progress::Link),
            (awaited, vec![take], true, Progress::Recording),
            (awaited, vec![take], false, Progress::Recorded),
            (submitted, vec![], false, Progress::Recorded),
        ] {
            let link = PageState {
                status,
                expires_at: String::new(),
                takes,
                take: None,
                recorded_elsewhere,
            };
            assert_eq!(Progress::of(&link), want);
        }
    }
}
