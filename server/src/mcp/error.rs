//! Maps errors to tool results, with the error codes of the REST API and the next step for the agent.

use metrics::counter;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::json;
use tracing::error;

use crate::service::{Error, ErrorKind, INTERNAL};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::MCP_FAILURES;

/// The delay after which a call that failed with an internal error may succeed, in seconds.
const TRY_AGAIN_SECONDS: u64 = 5;

/// The content of a failed tool result.
#[derive(Serialize)]
struct Failed {
    error: Detail,
    next_step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u64>,
}

#[derive(Serialize)]
struct Detail {
    code: &'static str,
    message: String,
}

/// The tool result for an error. Internal errors are logged here and hidden from the client.
pub(super) fn failed(error: &Error) -> CallToolResult {
    let message = if error.is_internal() {
        counter!(MCP_FAILURES).increment(1);
        error!(error = error.as_dyn(), "tool failed");
        INTERNAL.to_owned()
    } else {
        error.to_string()
    };
    let failed = Failed {
        error: Detail {
            code: error.code(),
            message,
        },
        next_step: next_step(error),
        retry_after_seconds: retry_after(error),
    };
    // As text: structured content would violate the tool's output schema, and clients that validate it would
    // report that violation instead of the error.
    CallToolResult::error(vec![ContentBlock::text(json!(failed).to_string())])
}

fn retry_after(error: &Error) -> Option<u64> {
    let after_a_failure = || error.is_internal().then_some(TRY_AGAIN_SECONDS);
    error.retry_after().or_else(after_a_failure)
}

fn next_step(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound if matches!(error, Error::NoPicture { .. }) => {
            "The video is there, but no picture of this moment can be made here. Call again without at_ms, \
             from_ms and to_ms, or fetch the video and decode it."
        }
        ErrorKind::Internal if matches!(error, Error::Damaged(_)) => {
            "Calling again won't help. Tell your user that the video was damaged on the server. If you still need one, \
             create a new request with request_video_evidence."
        }
        ErrorKind::Invalid => "Correct what the message names, and call again.",
        ErrorKind::Unauthorized => {
            "Call again with the access_token that request_video_evidence returned together with this \
             request_id. If it is lost, the request can't be opened any more: create a new one."
        }
        ErrorKind::Forbidden => {
            "This access_token belongs to another request. Call again with the one that \
             request_video_evidence returned together with this request_id."
        }
        ErrorKind::NotFound => {
            "The request was deleted, or the request_id is wrong. If you still need a video, create a new \
             request with request_video_evidence."
        }
        ErrorKind::Gone => {
            "The request has expired and its video is gone. If you still need one, create a new request with \
             request_video_evidence."
        }
        ErrorKind::RateLimited if matches!(error, Error::CreatorStorageFull { .. }) => {
            "Delete requests whose videos you no longer need with delete_video_request, or wait \
             retry_after_seconds; then call again."
        }
        ErrorKind::RateLimited => "Wait retry_after_seconds, then call again.",
        // Internal errors, and errors that only uploads have.
        ErrorKind::Conflict
        | ErrorKind::TooLarge
        | ErrorKind::UnsupportedMediaType
        | ErrorKind::Unprocessable
        | ErrorKind::Unavailable
        | ErrorKind::InsufficientStorage
        | ErrorKind::Internal => {
            "Call again after retry_after_seconds. If it fails again, tell your user that the service has \
             trouble."
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Value;

    use super::*;

    #[test]
    fn a_failure_says_what_it_is_what_to_do_and_when() {
        let answer = |error| {
            let answer = failed(&error);
            assert_eq!(answer.is_error, Some(true));
            assert_eq!(answer.structured_content, None);
            let text = answer.content[0].as_text().expect("a text");
            serde_json::from_str::<Value>(&text.text).expect("JSON")
        };
        let wait = Duration::from_millis(1200);
        let often = answer(Error::TooOften { wait });
        assert_eq!(often["error"]["code"], "rate_limited");
        assert_eq!(often["retry_after_seconds"], 2);
        let ours = answer(Error::Corrupt);
        assert_eq!(ours["error"]["code"], "internal_error");
        assert_eq!(ours["error"]["message"], INTERNAL);
        assert_eq!(ours["retry_after_seconds"], TRY_AGAIN_SECONDS);
        let unknown = answer(Error::NotFound);
        assert!(unknown.get("retry_after_seconds").is_none());
        assert!(
            unknown["next_step"]
                .as_str()
                .is_some_and(|it| !it.is_empty())
        );
    }
}
