//! Maps errors to status codes, error codes and the JSON error envelope.

use app::api::{ErrorBody, ErrorDetail};
use axum::Json;
use axum::http::header::{CACHE_CONTROL, CONTENT_RANGE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tracing::{error, warn};

use super::header_names::{ACCEPT_PATCH, UPLOAD_LIMIT, UPLOAD_OFFSET};
use crate::service::{Error, ErrorKind, INTERNAL};

/// The error of a failed request.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The use case failed.
    #[error(transparent)]
    Service(#[from] Error),
    /// The request is malformed.
    #[error("{0}")]
    BadRequest(String),
    /// A PATCH whose media type is not that of an append.
    #[error("send appends as Content-Type: {0}")]
    NotAnAppend(&'static str),
    /// No route matches the path.
    #[error("there is nothing at this address")]
    NoRoute,
    /// The route doesn't support the method.
    #[error("this address doesn't answer this method")]
    MethodNotAllowed,
    /// No byte of the requested range exists.
    #[error("the video has {length} bytes; none of the range lies within them")]
    RangeNotSatisfiable {
        /// The length of the video in bytes.
        length: u64,
    },
    /// A precondition of the request failed.
    #[error("the video is not the one that the request is meant for")]
    PreconditionFailed,
    /// The client speaks another version of tus.
    #[error("the header Tus-Resumable must be 1.0.0")]
    TusVersion,
    /// A handler panicked.
    #[error("a handler panicked")]
    Panicked,
}

fn status(error: &ApiError) -> StatusCode {
    use ApiError as A;
    match error {
        A::Service(error) => status_of(error.kind()),
        A::BadRequest(_) => StatusCode::BAD_REQUEST,
        A::NoRoute => StatusCode::NOT_FOUND,
        A::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        A::NotAnAppend(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        A::RangeNotSatisfiable { .. } => StatusCode::RANGE_NOT_SATISFIABLE,
        A::PreconditionFailed | A::TusVersion => StatusCode::PRECONDITION_FAILED,
        A::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn status_of(kind: ErrorKind) -> StatusCode {
    use ErrorKind as K;
    match kind {
        K::Invalid => StatusCode::BAD_REQUEST,
        K::Unauthorized => StatusCode::UNAUTHORIZED,
        K::Forbidden => StatusCode::FORBIDDEN,
        K::NotFound => StatusCode::NOT_FOUND,
        K::Conflict => StatusCode::CONFLICT,
        K::Gone => StatusCode::GONE,
        K::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        K::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        K::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        K::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        K::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        K::InsufficientStorage => StatusCode::INSUFFICIENT_STORAGE,
        K::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The error code, which is stable for client programs.
fn code(error: &ApiError) -> &'static str {
    use ApiError as A;
    match error {
        A::Service(error) => error.code(),
        A::BadRequest(_) => "bad_request",
        A::NoRoute => "not_found",
        A::MethodNotAllowed => "method_not_allowed",
        A::NotAnAppend(_) => "unsupported_media_type",
        A::RangeNotSatisfiable { .. } => "range_not_satisfiable",
        A::PreconditionFailed | A::TusVersion => "precondition_failed",
        A::Panicked => "internal_error",
    }
}

/// The header field that an error adds to its envelope.
fn extra(error: &ApiError) -> Option<(HeaderName, HeaderValue)> {
    match error {
        ApiError::Service(error @ (Error::NoToken | Error::UnknownToken | Error::Forbidden)) => {
            // RFC 6750, section 3: a scheme has a parameter, and 403 is a challenge as well.
            let challenge = match error {
                Error::NoToken => "Bearer realm=\"vidence\"",
                Error::UnknownToken => "Bearer error=\"invalid_token\"",
                _ => "Bearer error=\"insufficient_scope\"",
            };
            Some((WWW_AUTHENTICATE, HeaderValue::from_static(challenge)))
        }
        ApiError::Service(
            Error::OffsetMismatch { committed, .. }
            | Error::Superseded { committed }
            | Error::TakeComplete { committed },
        ) => Some((UPLOAD_OFFSET, HeaderValue::from(*committed))),
        // The drafts of resumable uploads expect this field beside the status.
        ApiError::Service(Error::TooLarge { most }) => {
            let limit = HeaderValue::try_from(format!("max-size={most}")).ok()?;
            Some((UPLOAD_LIMIT, limit))
        }
        ApiError::NotAnAppend(media_type) => {
            Some((ACCEPT_PATCH, HeaderValue::from_static(media_type)))
        }
        ApiError::RangeNotSatisfiable { length } => {
            // Digits and ASCII punctuation are always a valid header value.
            let range = HeaderValue::try_from(format!("bytes */{length}")).ok()?;
            Some((CONTENT_RANGE, range))
        }
        ApiError::Service(error) => {
            let seconds = error.retry_after()?;
            Some((RETRY_AFTER, HeaderValue::from(seconds)))
        }
        _ => None,
    }
}

impl ApiError {
    /// The error for a header field with an invalid value.
    pub fn header(name: &str, want: &str) -> Self {
        Self::BadRequest(format!("the header {name} must be {want}"))
    }

    /// Builds status, headers and envelope. Internal errors are logged here and hidden from the client.
    pub fn into_parts(self) -> (StatusCode, HeaderMap, ErrorBody) {
        let (status, code) = (status(&self), code(&self));
        let internal = match &self {
            Self::Service(error) => error.is_internal(),
            other => matches!(other, Self::Panicked),
        };
        // A full disk is reported to the client and logged for the operator.
        if matches!(self, Self::Service(Error::NoRoom)) {
            warn!("refused an upload: no space");
        }
        let message = if internal {
            error!(error = &self as &dyn std::error::Error, "request failed");
            INTERNAL.to_owned()
        } else {
            self.to_string()
        };
        let mut headers = HeaderMap::new();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(extra(&self));
        let code = code.to_owned();
        let body = ErrorBody {
            error: ErrorDetail { code, message },
        };
        (status, headers, body)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, headers, body) = self.into_parts();
        (status, headers, Json(body)).into_response()
    }
}

/// The fallback for paths below an API that don't exist.
pub async fn no_route() -> ApiError {
    ApiError::NoRoute
}

/// The fallback for paths that exist with other methods. Axum adds `Allow`.
pub async fn method_not_allowed() -> ApiError {
    ApiError::MethodNotAllowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_see_their_mistakes_and_no_internal_errors() {
        for (error, status, message) in [
            (
                ApiError::header("Upload-Offset", "a number"),
                400,
                "the header Upload-Offset must be a number",
            ),
            (
                ApiError::Service(Error::NoToken),
                401,
                &*Error::NoToken.to_string(),
            ),
            (ApiError::Service(Error::Corrupt), 500, INTERNAL),
            (ApiError::Panicked, 500, INTERNAL),
        ] {
            let (got, _, body) = error.into_parts();
            assert_eq!((got.as_u16(), &*body.error.message), (status, message));
        }
    }
}
