//! What travels about a video beside `/v1`: facts, and which pictures there are of it. What comments say here is what the
//! interface's description says.

use serde::{Deserialize, Serialize};

/// The answer to `GET /videos/{id}/metadata`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct VideoMetadata {
    /// The video.
    pub id: String,
    /// Such as `video/webm`: what its bytes say.
    pub media_type: String,
    /// How many bytes are served.
    pub bytes: u64,
    /// Absent for a video that was submitted to a version of this service that didn't look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = VideoProperties, required = false))]
    pub properties: Option<VideoProperties>,
    /// Pictures of it.
    pub stills: Stills,
}

/// What sealing saw in a video.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct VideoProperties {
    /// Of the bytes that are served, in hexadecimal digits.
    pub sha256: String,
    /// Likewise, of those that were sent: a recording is served with an index in front of it, as it had none.
    pub received_sha256: String,
    /// How long it plays.
    pub duration_ms: u64,
    /// In pixels, as it is shown upright.
    pub width: u32,
    /// Likewise.
    pub height: u32,
    /// Whether there is any.
    pub has_audio: bool,
    /// Whether the file says where it was filmed.
    pub has_location: bool,
    /// Whether its end is missing: it breaks off, or is shorter than it says.
    pub truncated: bool,
    /// How much is missing. Absent where nothing is, or the file doesn't say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = u64, required = false))]
    pub missing_ms: Option<u64>,
}

/// The pictures of a video.
// Flat: reading an enum with its tag beside its fields would cost the browser 8 KB of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Stills {
    /// How they stand.
    pub status: StillsStatus,
    /// 1 to 12 of them once they are made, in the order of time; none before.
    pub pictures: Vec<Still>,
    /// Why there are none, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = String, required = false))]
    pub reason: Option<String>,
}

/// How the pictures of a video stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StillsStatus {
    /// Not yet: ask again.
    Pending,
    /// There are some.
    Ready,
    /// There are none, and none will come.
    Unavailable,
}

impl Stills {
    /// They may still come.
    pub fn pending() -> Self {
        Self {
            status: StillsStatus::Pending,
            pictures: Vec::new(),
            reason: None,
        }
    }

    /// These.
    pub fn ready(pictures: Vec<Still>) -> Self {
        Self {
            status: StillsStatus::Ready,
            pictures,
            reason: None,
        }
    }

    /// None, and why.
    pub fn unavailable(reason: String) -> Self {
        Self {
            status: StillsStatus::Unavailable,
            pictures: Vec::new(),
            reason: Some(reason),
        }
    }
}

/// A picture, as JPEG at `GET /videos/{id}/stills/{at_ms}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Still {
    /// Which moment of the video it shows.
    pub at_ms: u64,
    /// In pixels.
    pub width: u32,
    /// Likewise.
    pub height: u32,
}
