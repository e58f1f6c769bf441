//! The JSON of a video's metadata and of its stills.
//!
//! The comments of the types are their descriptions in the OpenAPI document.

mod arrival;
mod transcript;

use serde::{Deserialize, Serialize};

pub use arrival::{Arrival, CapturedAs, moment};
pub use transcript::{Transcript, TranscriptSegment, TranscriptStatus};

/// The response to `GET /videos/{id}/metadata`. What an earlier version of the server didn't note is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct VideoMetadata {
    /// The video's id.
    pub id: String,
    /// The media type by the video's bytes, such as `video/webm`.
    pub media_type: String,
    /// The size of the served video in bytes.
    pub bytes: u64,
    /// Absent for a video that was submitted to an earlier version, which didn't determine them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = VideoProperties, required = false))]
    pub properties: Option<VideoProperties>,
    /// The stills of the video.
    pub stills: Stills,
    /// Many moments of the video in one picture. Absent where there is only one, or as long as there are no stills.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = ContactSheet, required = false))]
    pub contact_sheet: Option<ContactSheet>,
    /// The lines of the prompt that the sender ticked while recording or reviewing, in order of time. Absent: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ssr", schema(required = false))]
    pub ticks: Vec<TickedStep>,
    /// What is said in the video.
    // A node of the previous release doesn't send it.
    #[serde(default)]
    #[cfg_attr(feature = "ssr", schema(required = true))]
    pub transcript: Transcript,
    /// What the video is, as its sender says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = CapturedAs, required = false))]
    pub captured_as: Option<CapturedAs>,
    /// When its bytes arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = Arrival, required = false))]
    pub arrival: Option<Arrival>,
    /// When and how it arrived, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = String, required = false, example = "2026-11-21 12:01:03–12:02:41 UTC, while it was recorded, as its sender says"))]
    pub arrived: Option<String>,
    /// When the request was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = String, format = DateTime, required = false))]
    pub request_created_at: Option<String>,
    /// When the server had read all of the video.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = String, format = DateTime, required = false))]
    pub sealed_at: Option<String>,
    /// When the person submitted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = String, format = DateTime, required = false))]
    pub submitted_at: Option<String>,
}

/// Properties of a video, determined when it was sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct VideoProperties {
    /// SHA-256 of the served bytes, in hexadecimal digits.
    pub sha256: String,
    /// SHA-256 of the bytes that were uploaded: a recording is served with an index in front of them.
    pub received_sha256: String,
    /// The duration in milliseconds.
    pub duration_ms: u64,
    /// The width in pixels, after rotation.
    pub width: u32,
    /// The height in pixels, after rotation.
    pub height: u32,
    /// The codec of its pictures, as ffprobe names it: `vp8`, `vp9`, `av1`, `h264` or `hevc`. Absent: another one, or it
    /// wasn't noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = String, required = false, example = "hevc"))]
    pub codec: Option<String>,
    /// Whether the file says that its pictures are HDR (PQ, HLG or Dolby Vision). Stills of those look pale, because their
    /// colours aren't converted. Absent: it doesn't, or it wasn't noted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ssr", schema(required = false))]
    pub hdr: bool,
    /// Whether the video has an audio track.
    pub has_audio: bool,
    /// Whether the file contains the location where it was filmed.
    pub has_location: bool,
    /// Whether its end is missing: the file breaks off, or is shorter than its header says.
    pub truncated: bool,
    /// How much is missing, in milliseconds. Absent if nothing is, or if the file doesn't say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = u64, required = false))]
    pub missing_ms: Option<u64>,
}

/// The stills of a video.
// No enum: deserializing one with a tag beside its fields adds 8 KB to the WASM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Stills {
    /// Whether the stills are available.
    pub status: StillsStatus,
    /// 1 to 12 stills in order of time once the status is `ready`; empty before.
    pub pictures: Vec<Still>,
    /// Why the stills are unavailable, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = String, required = false))]
    pub reason: Option<String>,
}

/// A line of the prompt that the sender ticked at a moment of the video: nothing but their word that it is shown there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct TickedStep {
    /// The number of the line, from 1 on; empty ones don't count.
    pub line: u32,
    /// The line.
    pub text: String,
    /// The time in the video, in milliseconds.
    pub at_ms: u64,
}

/// Many moments of a video in one picture, spread evenly, with the time under each: a JPEG at
/// `GET /videos/{id}/contact-sheet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ContactSheet {
    /// The width in pixels, at most 1568.
    pub width: u32,
    /// The height in pixels, at most 1568.
    pub height: u32,
    /// The number of moments that it shows, at most 45.
    pub moments: u32,
}

/// The status of a video's stills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StillsStatus {
    /// Not made yet: ask again.
    Pending,
    /// Made.
    Ready,
    /// There are no stills, and there will be none.
    Unavailable,
}

impl Stills {
    /// Stills that aren't made yet.
    pub fn pending() -> Self {
        Self {
            status: StillsStatus::Pending,
            pictures: Vec::new(),
            reason: None,
        }
    }

    /// Stills that are made.
    pub fn ready(pictures: Vec<Still>) -> Self {
        Self {
            status: StillsStatus::Ready,
            pictures,
            reason: None,
        }
    }

    /// No stills, for this reason.
    pub fn unavailable(reason: String) -> Self {
        Self {
            status: StillsStatus::Unavailable,
            pictures: Vec::new(),
            reason: Some(reason),
        }
    }
}

/// A still, a JPEG at `GET /videos/{id}/stills/{at_ms}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Still {
    /// The time in the video, in milliseconds.
    pub at_ms: u64,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}
