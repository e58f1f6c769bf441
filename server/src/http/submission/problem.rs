//! Errors of a take as problem details (RFC 9457), with the problem types of resumable uploads.
//!
//! The body holds the members of the JSON error envelope as well, so it serves both kinds of clients.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::http::error::ApiError;
use crate::service::Error;

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// The error response of a take.
#[derive(Debug)]
pub struct Problem {
    error: ApiError,
    status: Option<StatusCode>,
}

impl<E: Into<ApiError>> From<E> for Problem {
    fn from(error: E) -> Self {
        Self {
            error: error.into(),
            status: None,
        }
    }
}

impl Problem {
    /// Overrides the usual status of an error.
    pub fn with_status(error: impl Into<ApiError>, status: StatusCode) -> Self {
        Self {
            error: error.into(),
            status: Some(status),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Details {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provided_offset: Option<u64>,
    #[serde(flatten)]
    envelope: app::api::ErrorBody,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (r#type, title) = problem_type(&self.error);
        let (expected_offset, provided_offset) = match &self.error {
            ApiError::Service(Error::OffsetMismatch { committed, given }) => {
                (Some(*committed), Some(*given))
            }
            _ => (None, None),
        };
        let (status, headers, envelope) = self.error.into_parts();
        let status = self.status.unwrap_or(status);
        let details = Details {
            r#type,
            title: title.unwrap_or_else(|| status.canonical_reason().unwrap_or("Failed")),
            status: status.as_u16(),
            detail: envelope.error.message.clone(),
            expected_offset,
            provided_offset,
            envelope,
        };
        (
            status,
            headers,
            [(CONTENT_TYPE, PROBLEM_JSON)],
            axum::Json(details),
        )
            .into_response()
    }
}

/// The problem type and title of an error.
///
/// The types are those that draft-ietf-httpbis-resumable-upload registers; for other errors the status suffices.
fn problem_type(error: &ApiError) -> (&'static str, Option<&'static str>) {
    match error {
        ApiError::Service(Error::OffsetMismatch { .. }) => (
            "https://iana.org/assignments/http-problem-types#mismatching-upload-offset",
            Some("The offset is not where the upload stands"),
        ),
        ApiError::Service(Error::TakeComplete { .. }) => (
            "https://iana.org/assignments/http-problem-types#completed-upload",
            Some("The upload is complete"),
        ),
        ApiError::Service(Error::InconsistentLength) => (
            "https://iana.org/assignments/http-problem-types#inconsistent-upload-length",
            Some("The lengths of the upload disagree"),
        ),
        _ => ("about:blank", None),
    }
}
