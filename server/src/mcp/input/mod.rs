//! The inputs of the tools. Their schemas inform agents; this module and the services validate them.
//!
//! rmcp doesn't validate arguments against the schemas.

#[cfg(test)]
mod tests;

use std::time::Duration;

use app::api::{CreateRequest, whole_number};
use rmcp::model::JsonObject;
use rmcp::schemars::{self, JsonSchema};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::id::RequestId;
use crate::service::Error;
use crate::service::json_error;
use crate::service::videos::picture::Moments;

/// The longest id or token in bytes, including surrounding text.
const MAX_TEXT_CHARS: usize = 500;

/// The longest wait of a call in seconds: some clients abandon a call after a minute.
const MAX_WAIT: f64 = 45.0;

/// The latest moment that the schema names in milliseconds: no request lives longer. A later one means the end.
const MAX_MOMENT_MS: u64 = 48 * 60 * 60 * 1000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestVideo {
    /// What the person should record, in plain words that need no other context: what to show,
    /// from where, and in which order. Shown to them as plain text: each line is a step that they can tick.
    #[schemars(length(min = 1, max = 2000))]
    pub prompt: String,
    /// After so many hours the request and its video are gone. 24 is a good choice.
    #[serde(deserialize_with = "hours")]
    #[schemars(with = "i64", range(min = 1, max = 48))]
    pub expires_in_hours: i64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetEvidence {
    /// The request_id that request_video_evidence returned.
    #[serde(deserialize_with = "request_id")]
    #[schemars(with = "String", length(min = 1, max = MAX_TEXT_CHARS))]
    pub request_id: RequestId,
    /// The access_token that request_video_evidence returned with it.
    #[serde(deserialize_with = "access_token")]
    #[schemars(with = "String", length(min = 1, max = MAX_TEXT_CHARS))]
    pub access_token: String,
    /// How to get the video. "auto": as the program that you run in takes it. "inline": within the answer if it is small
    /// enough, otherwise as a link. "link": as a link, with fewer pictures, where long answers are cut short.
    #[serde(default, deserialize_with = "delivery")]
    #[schemars(with = "Delivery")]
    pub delivery: Delivery,
    /// Up to so many seconds the call waits for a submission and its pictures, instead of answering at once that there
    /// are none.
    #[serde(default, rename = "wait_seconds", deserialize_with = "wait")]
    #[schemars(with = "i64", range(min = 0, max = 45), extend("default" = 0))]
    pub wait: Duration,
    /// Instead of the overview: the picture next to this moment of the video, in milliseconds.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "moment"
    )]
    #[schemars(with = "i64", range(min = 0, max = MAX_MOMENT_MS))]
    pub at_ms: Option<u64>,
    /// Instead of the overview: up to eight pictures from this moment on, in milliseconds, until to_ms.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "moment"
    )]
    #[schemars(with = "i64", range(min = 0, max = MAX_MOMENT_MS))]
    pub from_ms: Option<u64>,
    /// The end of what from_ms begins; without it the end of the video.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "moment"
    )]
    #[schemars(with = "i64", range(min = 0, max = MAX_MOMENT_MS))]
    pub to_ms: Option<u64>,
    /// Whether the picture at at_ms has the resolution in which it was recorded, to read small print.
    #[serde(default, deserialize_with = "flag")]
    #[schemars(with = "bool")]
    pub full_resolution: bool,
}

impl GetEvidence {
    /// The moments to show instead of the overview. `None`: the overview is wanted.
    pub(super) fn moments(&self) -> Result<Option<Moments>, Error> {
        let invalid = |why: &str| Err(Error::Invalid(why.to_owned()));
        match (self.at_ms, self.from_ms, self.to_ms) {
            (Some(at), None, None) => Ok(Some(Moments::At(at))),
            (Some(_), ..) => invalid("at_ms is one moment; leave it out, or from_ms and to_ms"),
            _ if self.full_resolution => {
                invalid("full_resolution needs at_ms: only a single picture is that large")
            }
            (None, None, None) => Ok(None),
            (None, from, to) => {
                let (from, to) = (from.unwrap_or(0), to.unwrap_or(u64::MAX));
                match from <= to {
                    true => Ok(Some(Moments::Between(from, to))),
                    false => invalid("from_ms must not be greater than to_ms"),
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum Delivery {
    #[default]
    Auto,
    Inline,
    Link,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteRequest {
    /// The request_id that request_video_evidence returned.
    #[serde(deserialize_with = "request_id")]
    #[schemars(with = "String", length(min = 1, max = MAX_TEXT_CHARS))]
    pub request_id: RequestId,
    /// The access_token that request_video_evidence returned with it.
    #[serde(deserialize_with = "access_token")]
    #[schemars(with = "String", length(min = 1, max = MAX_TEXT_CHARS))]
    pub access_token: String,
}

impl From<RequestVideo> for CreateRequest {
    fn from(input: RequestVideo) -> Self {
        Self {
            prompt: input.prompt,
            expires_in_hours: input.expires_in_hours,
        }
    }
}

// Models make typing errors, and a failed call may mean a repeated request to a human. Unambiguous input is accepted.

fn short<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    match text.len() {
        0..=MAX_TEXT_CHARS => Ok(text),
        _ => Err(D::Error::custom("it is too long")),
    }
}

/// Reads an id, or a link that contains it.
fn request_id<'de, D: Deserializer<'de>>(from: D) -> Result<RequestId, D::Error> {
    let text = short(from)?;
    let path = text.trim().split(['?', '#']).next().unwrap_or_default();
    // `/r/{id}` for the human, `/v1/requests/{id}` for programs.
    let mut parts = path
        .split('/')
        .skip_while(|it| !["r", "requests"].contains(it));
    Ok(RequestId::parse_sent(parts.nth(1).unwrap_or(path)))
}

/// Reads a token, or the value of an `Authorization` header field that contains it.
fn access_token<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = short(from)?;
    let text = text.trim();
    let token = match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim_start(),
        _ => text,
    };
    Ok(token.to_owned())
}

fn delivery<'de, D: Deserializer<'de>>(from: D) -> Result<Delivery, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// Reads seconds from a number or a text. The result is at most [`MAX_WAIT`].
fn wait<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let given = Value::deserialize(from)?;
    let seconds = match &given {
        Value::Null => Some(0.0),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|it: &f64| it.is_finite()),
        _ => None,
    };
    let seconds = seconds.ok_or_else(|| D::Error::custom("it must be a number of seconds"))?;
    Ok(Duration::from_secs_f64(seconds.clamp(0.0, MAX_WAIT)))
}

/// Reads milliseconds from a number or a text.
fn moment<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let given = Value::deserialize(from)?;
    let read = match &given {
        Value::Null => return Ok(None),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let read = read.filter(|it: &f64| *it >= 0.0 && it.is_finite());
    let millis = read.ok_or_else(|| D::Error::custom("it must be a number of milliseconds"))?;
    // Saturates: a moment behind the end means the end.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    Ok(Some(millis.round() as u64))
}

/// Reads a flag, which some models write as a text.
fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(false),
        Value::Bool(flag) => Ok(flag),
        Value::String(text) if text == "true" => Ok(true),
        Value::String(text) if text == "false" => Ok(false),
        _ => Err(D::Error::custom("it must be true or false")),
    }
}

/// Reads an integer from a number or a text.
fn hours<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    let given = Value::deserialize(from)?;
    let read = match &given {
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    read.map_or_else(|| whole_number(given).map_err(D::Error::custom), Ok)
}

/// Parses the arguments of a tool call.
///
/// An agent can correct an error that it sees, so this one goes into the tool result and is no protocol error
/// (MCP 2025-11-25, Tools, section "Error Handling").
pub(super) fn read<T: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<T, Error> {
    let arguments = Value::Object(arguments.unwrap_or_default());
    serde_path_to_error::deserialize(arguments)
        .map_err(|error| Error::Invalid(json_error::describe(&error, "the arguments are")))
}
