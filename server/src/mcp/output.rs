//! What the tools answer, as JSON. What may be missing is left out and never `null`, which the schemas of some clients
//! can't say.

use app::api::RequestStatus;
use app::video_metadata::{StillsStatus, VideoProperties};
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

/// Of `get_video_evidence`: the text in front of pictures and video. What a model needs first comes first, and everything
/// is said once.
#[derive(Serialize)]
pub(super) struct Evidence {
    /// Where the request stands.
    pub status: Status,
    /// What to do now.
    pub next_step: String,
    /// While something is still to come, a submission or pictures: how long to leave it before calling again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll_after_seconds: Option<u64>,
    /// The request.
    pub request_id: String,
    /// When the request and its video are gone: RFC 3339, UTC.
    pub expires_at: String,
    /// Once there is one.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Submitted>,
}

/// What there is once somebody has submitted.
#[derive(Serialize)]
pub(super) struct Submitted {
    /// How far to trust what is seen and heard in the video.
    pub notice: &'static str,
    /// Facts about the video.
    pub video: Video,
    /// Pictures of it.
    pub stills: Stills,
    /// How this answer gives the video.
    pub delivered: Delivered,
}

/// A video.
#[derive(Serialize)]
pub(super) struct Video {
    /// Such as "video/webm".
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
    /// How it plays, once that is known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub properties: Option<VideoProperties>,
}

/// Pictures of a video.
#[derive(Serialize)]
pub(super) struct Stills {
    /// "ready", "pending" (call again in a moment) or "unavailable".
    pub status: StillsStatus,
    /// Which moment of the video each of the answer's image blocks shows, in their order.
    pub at_ms: Vec<u64>,
    /// Further moments of which there are pictures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_at_ms: Vec<u64>,
    /// GET one of them, with the moment in its place, as the video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stills_url: Option<String>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How an answer gives a video.
#[derive(Serialize)]
pub(super) struct Delivered {
    /// "inline": as an embedded resource and as a link; "link": as a link only.
    #[serde(rename = "as")]
    pub way: DeliveryMode,
    /// Why it is no embedded resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A command for a shell that gets the video.
    pub how_to_fetch: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeliveryMode {
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
