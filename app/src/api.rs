//! What travels as JSON: the `/v1` interface, and the few answers that the recording page reads.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

/// The shortest and the longest prompt, in Unicode characters.
pub const PROMPT_CHARS: std::ops::RangeInclusive<usize> = 1..=2000;

/// The shortest and the longest lifetime of a request, in hours.
pub const LIFETIME_HOURS: std::ops::RangeInclusive<i64> = 1..=48;

/// Body of `POST /v1/requests`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateRequest {
    /// The instruction shown to the person who records: [`PROMPT_CHARS`].
    pub prompt: String,
    /// The lifetime: [`LIFETIME_HOURS`].
    #[serde(deserialize_with = "whole_number")]
    pub expires_in_hours: i64,
}

/// An integer as JSON Schema has it: `24.0` is one.
fn whole_number<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
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

/// The answer to a creation. The only one that ever carries the token, and so without `Debug`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedRequest {
    /// The new request.
    pub id: String,
    /// Always [`RequestStatus::AwaitingSubmission`].
    pub status: RequestStatus,
    /// The page for the human.
    pub submission_url: String,
    /// The bearer secret for this request.
    pub access_token: String,
    /// RFC 3339, UTC.
    pub expires_at: String,
}

/// Where a request stands, as callers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestStatus {
    /// Nobody has submitted yet.
    AwaitingSubmission,
    /// There is a video.
    Submitted,
    /// Over; a video, if there was one, is no longer served.
    Expired,
}

/// The answer to `GET /v1/requests/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestView {
    /// The request.
    pub id: String,
    /// Where it stands.
    pub status: RequestStatus,
    /// RFC 3339, UTC.
    pub expires_at: String,
    /// Present exactly when the status is [`RequestStatus::Submitted`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<VideoView>,
}

/// A submitted video.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoView {
    /// The video.
    pub id: String,
    /// `GET /v1/videos/{id}` of this service.
    pub url: String,
    /// RFC 3339, UTC. From then on the URL answers 410.
    pub expires_at: String,
}

/// Body of every error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorDetail {
    /// Stable, for programs.
    pub code: String,
    /// For people; may change.
    pub message: String,
}

/// The answer to `GET /r/{id}/state`: what the page may know. Nothing in it lets anybody watch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageState {
    /// Where the request stands. An expired one answers 410 instead.
    pub status: RequestStatus,
    /// RFC 3339, UTC.
    pub expires_at: String,
    /// Takes that exist; after submission only the submitted one.
    pub takes: Vec<TakeView>,
}

/// One take, as the page sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeView {
    /// The take.
    pub id: String,
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
}

/// Body of `POST /r/{id}/submission`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The take to submit.
    pub take: String,
}
