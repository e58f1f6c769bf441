//! What is said in a video.

use serde::{Deserialize, Serialize};

/// What is said in a video, as a program understood it: words of the video, which may be wrong.
// The browser reads the status alone, because captions have the rest, which would add 3 KB to the WASM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Transcript {
    /// Whether the transcript is available.
    pub status: TranscriptStatus,
    /// The language, as the transcriber names it: a code or an English name, in lower case.
    #[cfg_attr(
        feature = "ssr",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(feature = "ssr"), serde(skip))]
    #[cfg_attr(feature = "ssr", schema(value_type = String, required = false))]
    pub language: Option<String>,
    /// What is said, in order of time, once the status is `ready`; empty before.
    #[cfg_attr(not(feature = "ssr"), serde(skip))]
    pub segments: Vec<TranscriptSegment>,
    /// Up to where the video was transcribed, in milliseconds. Absent if it was to its end.
    #[cfg_attr(
        feature = "ssr",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(feature = "ssr"), serde(skip))]
    #[cfg_attr(feature = "ssr", schema(value_type = u64, required = false))]
    pub until_ms: Option<u64>,
    /// Why there is no transcript, for people.
    #[cfg_attr(
        feature = "ssr",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    #[cfg_attr(not(feature = "ssr"), serde(skip))]
    #[cfg_attr(feature = "ssr", schema(value_type = String, required = false))]
    pub reason: Option<String>,
}

/// The status of a video's transcript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TranscriptStatus {
    /// This server made no transcripts when the video was submitted.
    #[default]
    Off,
    /// There is nothing to transcribe.
    None,
    /// Not made yet: ask again.
    Pending,
    /// Made.
    Ready,
    /// The transcriber failed, and there will be no transcript.
    Failed,
}

/// Some words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct TranscriptSegment {
    /// When they begin in the video, in milliseconds.
    pub from_ms: u64,
    /// When they end.
    pub to_ms: u64,
    /// The words, in one line.
    pub text: String,
}

impl Transcript {
    /// No transcript with this status, and perhaps a reason.
    pub fn missing(status: TranscriptStatus, reason: Option<String>) -> Self {
        Self {
            status,
            reason,
            ..Self::default()
        }
    }
}
