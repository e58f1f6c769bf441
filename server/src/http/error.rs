//! The one place where failures become statuses, codes and the envelope.

use std::any::Any;

use app::api::{ErrorBody, ErrorDetail};
use axum::Json;
use axum::http::header::{CACHE_CONTROL, CONTENT_RANGE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tracing::{error, warn};

use super::resumable::{UPLOAD_LIMIT, UPLOAD_OFFSET};
use super::takes::ACCEPT_PATCH;
use crate::service::{Error, whole_seconds};

/// A failed request.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The use case said no.
    #[error(transparent)]
    Service(#[from] Error),
    /// The request itself can't be understood.
    #[error("{0}")]
    BadRequest(String),
    /// A PATCH that is none of the kind that takes know.
    #[error("send appends as Content-Type: {0}")]
    NotAnAppend(&'static str),
    /// No such path.
    #[error("there is nothing at this address")]
    NoRoute,
    /// The path is there, the method isn't.
    #[error("this address doesn't answer this method")]
    MethodNotAllowed,
    /// None of the bytes asked for exist.
    #[error("the video has {length} bytes; none of the range lies within them")]
    RangeNotSatisfiable {
        /// How many bytes there are.
        length: u64,
    },
    /// The video isn't what the caller takes it for.
    #[error("the video is not the one that the request is meant for")]
    PreconditionFailed,
    /// A deletion that not even the removal of its bytes made room for. The contract knows no 507 here.
    #[error("there is no room to write down a deletion")]
    NotDeleted,
    /// A handler panicked.
    #[error("a handler panicked")]
    Panicked,
}

/// Status, stable code. Every failure of every layer is in this table.
fn table(error: &ApiError) -> (StatusCode, &'static str) {
    use ApiError as A;
    match error {
        A::BadRequest(_) | A::Service(Error::Invalid(_)) => {
            (StatusCode::BAD_REQUEST, "bad_request")
        }
        A::Service(Error::NoToken | Error::UnknownToken) => {
            (StatusCode::UNAUTHORIZED, "unauthorized")
        }
        A::Service(Error::Forbidden) => (StatusCode::FORBIDDEN, "forbidden"),
        A::NoRoute | A::Service(Error::NotFound) => (StatusCode::NOT_FOUND, "not_found"),
        A::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
        A::Service(Error::Gone) => (StatusCode::GONE, "gone"),
        A::Service(Error::TooOften { .. } | Error::ShareUsedUp { .. }) => {
            (StatusCode::TOO_MANY_REQUESTS, "rate_limited")
        }
        A::Service(Error::AlreadySubmitted) => (StatusCode::CONFLICT, "already_submitted"),
        A::Service(Error::OffsetMismatch { .. }) => (StatusCode::CONFLICT, "offset_mismatch"),
        A::Service(Error::TakeComplete { .. }) => (StatusCode::CONFLICT, "take_complete"),
        A::Service(Error::Superseded { .. }) => (StatusCode::CONFLICT, "superseded"),
        A::Service(Error::InconsistentLength) => (StatusCode::BAD_REQUEST, "inconsistent_length"),
        A::Service(Error::ChecksumMismatch) => (StatusCode::BAD_REQUEST, "digest_mismatch"),
        A::Service(Error::TakeFailed) => (StatusCode::UNPROCESSABLE_ENTITY, "take_failed"),
        A::Service(Error::TooLarge { .. }) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
        A::Service(Error::TooManyPieces) => (StatusCode::PAYLOAD_TOO_LARGE, "too_many_pieces"),
        A::Service(Error::TooSlow) => (StatusCode::PAYLOAD_TOO_LARGE, "too_slow"),
        A::Service(Error::StoreTooSlow) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        A::Service(Error::TooManyTakes { .. }) => (StatusCode::PAYLOAD_TOO_LARGE, "too_many_takes"),
        A::Service(Error::NoRoom | Error::NoShare) => {
            (StatusCode::INSUFFICIENT_STORAGE, "insufficient_storage")
        }
        A::Service(Error::TakeIncomplete) => (StatusCode::CONFLICT, "take_incomplete"),
        A::Service(Error::TakeEmpty) => (StatusCode::UNPROCESSABLE_ENTITY, "take_empty"),
        A::Service(Error::Unsealable(why)) => (StatusCode::UNPROCESSABLE_ENTITY, why.word()),
        A::Service(Error::StillSealing) => (StatusCode::SERVICE_UNAVAILABLE, "still_sealing"),
        A::NotAnAppend(_) | A::Service(Error::UnsupportedMediaType) => {
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type")
        }
        A::Service(Error::Interrupted) => (StatusCode::BAD_REQUEST, "interrupted"),
        A::RangeNotSatisfiable { .. } => {
            (StatusCode::RANGE_NOT_SATISFIABLE, "range_not_satisfiable")
        }
        A::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, "precondition_failed"),
        A::Panicked
        | A::NotDeleted
        | A::Service(
            Error::Db(_) | Error::Blobs(_) | Error::Died(_) | Error::Corrupt | Error::NoStills,
        ) => (StatusCode::INTERNAL_SERVER_ERROR, "internal_error"),
    }
}

/// The header that an error carries beside its envelope.
fn extra(error: &ApiError) -> Option<(HeaderName, HeaderValue)> {
    match error {
        ApiError::Service(Error::NoToken) => {
            Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
        }
        ApiError::Service(Error::UnknownToken) => {
            let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
            Some((WWW_AUTHENTICATE, challenge))
        }
        ApiError::Service(
            Error::OffsetMismatch { committed, .. }
            | Error::Superseded { committed }
            | Error::TakeComplete { committed },
        ) => Some((UPLOAD_OFFSET, HeaderValue::from(*committed))),
        ApiError::Service(Error::TooOften { wait } | Error::ShareUsedUp { wait }) => {
            Some((RETRY_AFTER, HeaderValue::from(whole_seconds(*wait))))
        }
        ApiError::Service(Error::StillSealing) => Some((RETRY_AFTER, HeaderValue::from(1))),
        // Which the drafts of resumable uploads want to see beside the status.
        ApiError::Service(Error::TooLarge { most }) => {
            let limit = HeaderValue::try_from(format!("max-size={most}")).ok()?;
            Some((UPLOAD_LIMIT, limit))
        }
        ApiError::NotAnAppend(media_type) => {
            Some((ACCEPT_PATCH, HeaderValue::from_static(media_type)))
        }
        ApiError::RangeNotSatisfiable { length } => {
            // Digits and ASCII punctuation: always a valid header value.
            let range = HeaderValue::try_from(format!("bytes */{length}")).ok()?;
            Some((CONTENT_RANGE, range))
        }
        _ => None,
    }
}

impl ApiError {
    /// A header that isn't what it should be.
    pub(super) fn header(name: &str, want: &str) -> Self {
        Self::BadRequest(format!("the header {name} must be {want}"))
    }

    /// Status, headers and envelope. What failed on our side is logged here, and not told.
    pub(super) fn into_parts(self) -> (StatusCode, HeaderMap, ErrorBody) {
        let (status, code) = table(&self);
        // A full disk is the caller's to know, and the operator's.
        let message = if matches!(self, Self::Service(Error::NoRoom)) {
            warn!("an upload was refused: no room");
            self.to_string()
        } else if matches!(self, Self::Service(Error::StillSealing | Error::NoShare)) {
            self.to_string()
        } else if status.is_server_error() {
            error!(error = &self as &dyn std::error::Error, "a request failed");
            "something went wrong on our side; try again".to_owned()
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

/// For paths below an API that don't exist.
pub(super) async fn no_route() -> ApiError {
    ApiError::NoRoute
}

/// For paths that exist, with another method. Axum adds `Allow`.
pub(super) async fn method_not_allowed() -> ApiError {
    ApiError::MethodNotAllowed
}

/// For handlers that panicked. What they panicked with goes to the panic hook, not to the caller.
pub(super) fn panicked(_: Box<dyn Any + Send>) -> Response {
    ApiError::Panicked.into_response()
}
