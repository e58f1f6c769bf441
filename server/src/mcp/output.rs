//! What the tools answer, as JSON.
//! What may be missing is left out and never `null`, which the schemas of some clients can't say.

use app::api::RequestStatus;
use app::format::duration;
use app::video_metadata::{
    Arrival, CapturedAs, StillsStatus, TickedStep, TranscriptStatus, VideoProperties,
};
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

/// The result of `get_video_evidence`: the text before stills and video.
///
/// The fields that a model needs first come first, and nothing is repeated.
#[derive(Serialize)]
pub(super) struct Evidence {
    /// The status of the request.
    pub status: Status,
    /// The next step for the agent.
    pub next_step: String,
    /// The seconds to wait before the next call, while a submission or stills are pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll_after_seconds: Option<u64>,
    /// The id of the request.
    pub request_id: String,
    /// When the request and its video are deleted: RFC 3339, UTC.
    pub expires_at: String,
    /// The submission, once there is one.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Submitted>,
}

/// The part of the result that exists after a submission.
#[derive(Serialize)]
pub(super) struct Submitted {
    /// A warning about how far to trust the video's content.
    pub notice: &'static str,
    /// The video's metadata.
    pub video: Video,
    /// The lines of the prompt that the sender ticked, and when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ticks: Vec<Tick>,
    /// Many moments of the video in one picture. Absent if the stills show as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_sheet: Option<ContactSheet>,
    /// The video's stills.
    pub stills: Stills,
    /// Whether there is a transcript, where the server makes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Transcript>,
    /// How this result delivers the video.
    pub delivered: Delivered,
}

/// A line of the prompt that the sender ticked.
#[derive(Serialize)]
pub(super) struct Tick {
    /// The number of the line, from 1 on.
    pub line: u32,
    /// The time in the video, in milliseconds.
    pub at_ms: u64,
    /// The same in words: `2. number plate: ticked at 0:07`.
    pub ticked: String,
}

impl From<&TickedStep> for Tick {
    fn from(
        &TickedStep {
            line,
            ref text,
            at_ms,
        }: &TickedStep,
    ) -> Self {
        let step = text.trim_end_matches('.');
        #[expect(clippy::cast_precision_loss, reason = "durations are far smaller")]
        let at = duration(at_ms as f64);
        Self {
            line,
            at_ms,
            ticked: format!("{line}. {step}: ticked at {at}"),
        }
    }
}

/// The metadata of a video.
#[derive(Serialize)]
pub(super) struct Video {
    /// The media type, such as "video/webm".
    pub media_type: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The properties of the media, once they are known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub properties: Option<VideoProperties>,
    /// When and how the video arrived, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrived: Option<String>,
    /// What the video is, as its sender says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured_as: Option<CapturedAs>,
    /// When the bytes arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrival: Option<Arrival>,
    /// When the request was created: RFC 3339, UTC, like the next two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_created_at: Option<String>,
    /// When the server had read all of the video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sealed_at: Option<String>,
    /// When the person submitted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted_at: Option<String>,
    /// The URL of a signed receipt: GET it like the video, and keep the server's `/.well-known/jwks.json` with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_url: Option<String>,
}

/// The contact sheet of a video.
#[derive(Serialize)]
pub(super) struct ContactSheet {
    /// Whether it is the first of the result's image blocks.
    pub is_first_image: bool,
    /// The number of moments that it shows, with the time under each.
    pub moments: u32,
    /// The URL of the picture: GET it like the video.
    pub url: String,
}

/// The stills of a video.
#[derive(Serialize)]
pub(super) struct Stills {
    /// "ready", "pending" (call again after `poll_after_seconds`) or "unavailable".
    pub status: StillsStatus,
    /// The positions in the video that the result's image blocks show, in the same order, after a contact sheet.
    pub at_ms: Vec<u64>,
    /// Why stored stills take the place of the pictures that the call asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
    /// The sizes of pictures on demand, in the same order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<PictureSize>,
    /// The positions of further stills.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_at_ms: Vec<u64>,
    /// The URL template of a still: GET it like the video, with a position filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stills_url: Option<String>,
    /// Why there are no stills.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The size of a picture in pixels.
#[derive(Serialize)]
pub(super) struct PictureSize {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
}

/// Whether there is a transcript. Its text is a block of its own.
#[derive(Serialize)]
pub(super) struct Transcript {
    /// "ready", "pending" (call again after `poll_after_seconds`), "none" or "failed".
    pub status: TranscriptStatus,
    /// The language, as the transcriber names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The URL of all of it as WebVTT: GET it like the video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captions_url: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a result delivers a video.
#[derive(Serialize)]
pub(super) struct Delivered {
    /// "inline": as an embedded resource and as a link; "link": as a link only.
    #[serde(rename = "as")]
    pub mode: DeliveryMode,
    /// Why the video is not embedded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A shell command that downloads the video.
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
