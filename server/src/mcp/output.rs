//! What the tools answer, for programs. Everything that matters is in here: some clients show a model nothing
//! else.
//!
//! What may be missing is left out and never `null`, which the schemas of some clients can't say.

use app::api::RequestStatus;
use app::facts::StillsState;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// Of `request_video_evidence`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Created {
    /// Names the request in the other tools.
    pub request_id: String,
    /// Always "awaiting_submission".
    pub status: Status,
    /// The only thing to give to the person who should record.
    pub submission_url: String,
    /// Opens the request and its video. Keep it to yourself; it is not shown again.
    pub access_token: String,
    /// When the request and its video will be gone: RFC 3339, UTC.
    pub expires_at: String,
    /// What to do now.
    pub next_step: String,
    /// How long to leave it before get_video_evidence is worth calling.
    pub poll_after_seconds: u64,
}

/// Of `get_video_evidence`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Evidence {
    /// The request.
    pub request_id: String,
    /// Where it stands.
    pub status: Status,
    /// When the request and its video are gone: RFC 3339, UTC.
    pub expires_at: String,
    /// What to do now.
    pub next_step: String,
    /// While something is still to come, a submission or pictures: how long to leave it before calling again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub poll_after_seconds: Option<u64>,
    /// Once there is one.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Submitted>,
}

/// What there is once somebody has submitted.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Submitted {
    /// Facts about the video.
    pub video: Video,
    /// Pictures of it.
    pub pictures: Pictures,
    /// How this answer gives the video.
    pub delivered: Delivered,
    /// How far to trust what is seen and heard in it.
    pub notice: String,
}

/// A video.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Video {
    /// Names it.
    pub id: String,
    /// GET it with the header "Authorization: Bearer" and the access_token; any part of it with Range.
    pub url: String,
    /// Such as "video/webm".
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
    /// From then on the URL answers 410: RFC 3339, UTC.
    pub expires_at: String,
    /// How long it plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub duration_ms: Option<u64>,
    /// In pixels, as it is shown upright.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub width: Option<u64>,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub height: Option<u64>,
    /// Whether it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub sound: Option<bool>,
    /// Whether the file says where it was filmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub located: Option<bool>,
    /// SHA-256 of its bytes, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub sha256: Option<String>,
}

/// Pictures of a video.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Pictures {
    /// "made", "in_the_making" (call again in a moment) or "none".
    pub state: PicturesState,
    /// Those that are image blocks of this answer, in the same order.
    pub shown: Vec<Picture>,
    /// Those that are not.
    pub more: Vec<Picture>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub why: Option<String>,
}

/// A picture of a video, a JPEG.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Picture {
    /// Which moment of the video it shows.
    pub at_ms: u64,
    /// In pixels.
    pub width: u64,
    /// Likewise.
    pub height: u64,
    /// GET it as the video.
    pub url: String,
}

/// How an answer gives a video.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Delivered {
    /// "inline": as an embedded resource and as a link; "link": as a link only.
    #[serde(rename = "as")]
    pub way: Way,
    /// Why it is no embedded resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub why: Option<String>,
    /// How to get the video by its URL, all of it or any part.
    pub how_to_fetch: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum Way {
    Inline,
    Link,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum Status {
    AwaitingSubmission,
    Submitted,
    Expired,
}

impl From<RequestStatus> for Status {
    fn from(status: RequestStatus) -> Self {
        match status {
            RequestStatus::AwaitingSubmission => Self::AwaitingSubmission,
            RequestStatus::Submitted => Self::Submitted,
            RequestStatus::Expired => Self::Expired,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum PicturesState {
    InTheMaking,
    Made,
    None,
}

impl From<StillsState> for PicturesState {
    fn from(state: StillsState) -> Self {
        match state {
            StillsState::InTheMaking => Self::InTheMaking,
            StillsState::Made => Self::Made,
            StillsState::None => Self::None,
        }
    }
}

/// Of `delete_video_request`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Deleted {
    /// The request.
    pub request_id: String,
    /// Always true: it and its video are gone.
    pub deleted: bool,
    /// What to do now.
    pub next_step: String,
}
