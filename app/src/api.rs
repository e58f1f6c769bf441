//! The JSON of the `/v1` API, and of the few endpoints that the recording page calls.
//!
//! On the server the types of `/v1` also have JSON schemas, whose descriptions in the OpenAPI document are the comments
//! here.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

/// Allowed lengths of a prompt, in Unicode characters.
pub const PROMPT_CHARS: std::ops::RangeInclusive<usize> = 1..=2000;

/// Allowed lifetimes of a request, in hours.
pub const LIFETIME_HOURS: std::ops::RangeInclusive<i64> = 1..=48;

/// The body of `POST /v1/requests`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CreateRequest {
    /// The instruction shown to the person who records: 1 to 2000 Unicode characters of plain text.
    #[cfg_attr(
        feature = "ssr",
        schema(
            min_length = 1,
            max_length = 2000,
            examples("Walk once around the car. Show the dent in the left door from close up."),
        )
    )]
    pub prompt: String,
    /// The lifetime in hours, 1 to 48; then the request and its video are deleted.
    #[serde(deserialize_with = "whole_number")]
    #[cfg_attr(feature = "ssr", schema(minimum = 1, maximum = 48, examples(24)))]
    pub expires_in_hours: i64,
}

/// Deserializes an integer as JSON Schema defines it: `24.0` is one.
pub fn whole_number<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    struct WholeNumber;

    impl Visitor<'_> for WholeNumber {
        type Value = i64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an integer")
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
            Ok(number)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
            let invalid = || E::invalid_value(Unexpected::Unsigned(number), &self);
            i64::try_from(number).map_err(|_| invalid())
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<i64, E> {
            // A larger float doesn't represent every integer.
            const EXACT: f64 = (1_u64 << 53) as f64;
            if number.fract() == 0.0 && number.abs() <= EXACT {
                #[expect(clippy::cast_possible_truncation, reason = "whole and small enough")]
                return Ok(number as i64);
            }
            Err(E::invalid_type(Unexpected::Float(number), &self))
        }
    }

    from.deserialize_i64(WholeNumber)
}

/// A request that was just created. No other response contains its token.
// No `Debug`, which could log the token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct CreatedRequest {
    /// The request's id.
    #[cfg_attr(feature = "ssr", schema(examples("h7Qm2xT9bLr4KcWvNd8sYp")))]
    pub id: String,
    /// Always `awaiting_submission`.
    pub status: RequestStatus,
    /// The page where a person records. The link permits submitting, not watching.
    #[cfg_attr(
        feature = "ssr",
        schema(
            format = "uri",
            examples("https://evidence.example.org/r/h7Qm2xT9bLr4KcWvNd8sYp"),
        )
    )]
    pub submission_url: String,
    /// The bearer token for this request and its video. No other response contains it.
    #[cfg_attr(feature = "ssr", schema(examples("vidence_…")))]
    pub access_token: String,
    /// When the request and its video are deleted: RFC 3339, UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, examples("2026-11-22T09:30:00.000Z")))]
    pub expires_at: String,
}

/// The status of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequestStatus {
    /// No video has been submitted yet.
    AwaitingSubmission,
    /// The video has been submitted.
    Submitted,
    /// The lifetime is over, and a submitted video is no longer served.
    Expired,
}

/// A request, as its creator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema), schema(as = Request))]
pub struct RequestView {
    /// The request's id.
    #[cfg_attr(feature = "ssr", schema(examples("h7Qm2xT9bLr4KcWvNd8sYp")))]
    pub id: String,
    /// The status of the request.
    pub status: RequestStatus,
    /// When the request and its video are deleted: RFC 3339, UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, examples("2026-11-22T09:30:00.000Z")))]
    pub expires_at: String,
    /// Present exactly when the status is `submitted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ssr", schema(value_type = VideoView, required = false))]
    pub video: Option<VideoView>,
}

/// A submitted video.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema), schema(as = Video))]
pub struct VideoView {
    /// The video's id.
    #[cfg_attr(feature = "ssr", schema(examples("Zt5vGq8nMw3XyRj6HkBc2a")))]
    pub id: String,
    /// Where the video is streamed, with the request's token.
    #[cfg_attr(
        feature = "ssr",
        schema(
            format = "uri",
            examples("https://evidence.example.org/v1/videos/Zt5vGq8nMw3XyRj6HkBc2a"),
        )
    )]
    pub url: String,
    /// When the URL begins to answer 410: RFC 3339, UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, examples("2026-11-22T09:30:00.000Z")))]
    pub expires_at: String,
}

/// The body of every error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema), schema(as = Error))]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorDetail,
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ErrorDetail {
    /// A stable code, for programs.
    pub code: String,
    /// A message for people, which may change.
    pub message: String,
}

/// The response to `GET /r/{id}/state` and `POST /r/{id}/submission`: what the link's holders may know.
///
/// The creator of the request is one of them, too. It contains no take's name, with which a take can be appended to,
/// deleted and submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageState {
    /// The status of the request. An expired one answers 410 instead.
    pub status: RequestStatus,
    /// When the link closes: RFC 3339, UTC.
    pub expires_at: String,
    /// The request's takes; none after a submission, about which the link shows only that it was received.
    pub takes: Vec<TakeView>,
    /// The take that the client named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<TakeView>,
    /// Whether another device is recording: a take that the client didn't name grew within the last
    /// [`GROWING_SECONDS`]. False after a submission.
    pub recorded_elsewhere: bool,
}

/// An open take that grew within this time is being recorded.
pub const GROWING_SECONDS: u32 = 15;

/// A take, as the link's holders see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeView {
    /// Committed bytes.
    pub offset: u64,
    /// Whether these are all bytes of the take.
    pub complete: bool,
    /// Whether it is sealed, so that a submission succeeds at once.
    pub sealed: bool,
    /// Whether it can't be sealed.
    pub refused: bool,
    /// Whether the file contains the location where it was filmed; false before it is sealed, and in
    /// `takes` of all: only who sent it is told.
    pub has_location: bool,
}

/// The body of `POST /r/{id}/submission`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The id of the take to submit.
    pub take: String,
    /// Which lines of the prompt the sender has ticked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ticks: Vec<Tick>,
    /// Whether the sender was told that what is said may be turned into text. Otherwise it isn't.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_transcribe: bool,
}

impl Submission {
    /// A submission without ticks and transcript.
    pub fn of(take: impl Into<String>) -> Self {
        Self {
            take: take.into(),
            ticks: Vec::new(),
            may_transcribe: false,
        }
    }
}

/// A line of the prompt that the sender has ticked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tick {
    /// The number of the line, from 1 on; empty ones don't count.
    pub line: u32,
    /// The moment of the video, in milliseconds.
    pub at_ms: u64,
}
