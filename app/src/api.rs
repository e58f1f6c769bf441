//! What travels as JSON: the `/v1` interface, and the few answers that the recording page reads.
//!
//! On the server the first of them also carry their JSON schemas. What their comments say is what the
//! interface's description says.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

/// The shortest and the longest prompt, in Unicode characters.
pub const PROMPT_CHARS: std::ops::RangeInclusive<usize> = 1..=2000;

/// The shortest and the longest lifetime of a request, in hours.
pub const LIFETIME_HOURS: std::ops::RangeInclusive<i64> = 1..=48;

/// What is asked for.
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
    /// After so many hours the request and its video are gone: 1 to 48.
    #[serde(deserialize_with = "whole_number")]
    #[cfg_attr(feature = "ssr", schema(minimum = 1, maximum = 48, examples(24)))]
    pub expires_in_hours: i64,
}

/// An integer as JSON Schema has it: `24.0` is one.
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
            let no_such = || E::invalid_value(Unexpected::Unsigned(number), &self);
            i64::try_from(number).map_err(|_| no_such())
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<i64, E> {
            // Beyond this a float no longer tells one integer from the next.
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

/// A request that was just created: the only answer that ever carries its token.
// And so without `Debug`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct CreatedRequest {
    /// Names the request.
    #[cfg_attr(feature = "ssr", schema(examples("h7Qm2xT9bLr4KcWvNd8sYp")))]
    pub id: String,
    /// Always `awaiting_submission`.
    pub status: RequestStatus,
    /// The page where a human records. Whoever has this link may submit, and never watch.
    #[cfg_attr(
        feature = "ssr",
        schema(
            format = "uri",
            examples("https://evidence.example.org/r/h7Qm2xT9bLr4KcWvNd8sYp"),
        )
    )]
    pub submission_url: String,
    /// The bearer token for this request and its video. It is shown this once.
    #[cfg_attr(feature = "ssr", schema(examples("vidence_…")))]
    pub access_token: String,
    /// When the request and its video will be gone: RFC 3339, UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, examples("2026-11-22T09:30:00.000Z")))]
    pub expires_at: String,
}

/// Where a request stands: it awaits a submission, it has its video, or its time is over and nothing of it
/// is served any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequestStatus {
    /// Nobody has submitted yet.
    AwaitingSubmission,
    /// There is a video.
    Submitted,
    /// Over; a video, if there was one, is no longer served.
    Expired,
}

/// A request, as its creator sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema), schema(as = Request))]
pub struct RequestView {
    /// Names the request.
    #[cfg_attr(feature = "ssr", schema(examples("h7Qm2xT9bLr4KcWvNd8sYp")))]
    pub id: String,
    /// Where it stands.
    pub status: RequestStatus,
    /// When the request and its video will be gone: RFC 3339, UTC.
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
    /// Names the video.
    #[cfg_attr(feature = "ssr", schema(examples("Zt5vGq8nMw3XyRj6HkBc2a")))]
    pub id: String,
    /// Where this service streams it. It takes the request's token.
    #[cfg_attr(
        feature = "ssr",
        schema(
            format = "uri",
            examples("https://evidence.example.org/v1/videos/Zt5vGq8nMw3XyRj6HkBc2a"),
        )
    )]
    pub url: String,
    /// From then on the URL answers 410: RFC 3339, UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime, examples("2026-11-22T09:30:00.000Z")))]
    pub expires_at: String,
}

/// The body of every error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema), schema(as = Error))]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct ErrorDetail {
    /// Stable, for programs.
    pub code: String,
    /// For people; may change.
    pub message: String,
}

/// The answer to `GET /r/{id}/state` and `POST /r/{id}/submission`: what may be
/// known to whoever has the link, and so to whoever asked for the video. It names no take: by its name a take
/// can be added to, thrown away and submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageState {
    /// Where the request stands. An expired one answers 410 instead.
    pub status: RequestStatus,
    /// RFC 3339, UTC.
    pub expires_at: String,
    /// Takes that exist; none after a submission, of which the link tells only that it was received.
    pub takes: Vec<TakeView>,
    /// The one of them that the caller knows the name of and asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<TakeView>,
    /// Whether another take than the one asked about grew within the last [`GROWING_SECONDS`]: another device is
    /// recording. Never after a submission.
    pub recorded_elsewhere: bool,
}

/// An open take that grew within so many seconds is being recorded.
pub const GROWING_SECONDS: u32 = 15;

/// One take, as whoever has the link sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeView {
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
    /// Whether it is a video already, so that a submission succeeds at once.
    pub sealed: bool,
    /// Whether it can't become one.
    pub refused: bool,
    /// Whether the file says where it was filmed. Not known before it is sealed.
    pub has_location: bool,
}

/// Body of `POST /r/{id}/submission`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The take to submit.
    pub take: String,
}
