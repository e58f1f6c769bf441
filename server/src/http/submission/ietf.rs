//! Takes over draft-ietf-httpbis-resumable-upload (interop version 8).

use app::video_metadata::CapturedAs;
use axum::body::{Body, HttpBody as _};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, LOCATION};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use crate::http::error::ApiError;
use crate::http::extract::has_media_type;
use crate::http::header_names::{UPLOAD_LENGTH, UPLOAD_LIMIT, UPLOAD_OFFSET};
use crate::http::structured::{boolean, content_digest, number};
use crate::id::{RequestId, TakeId};
use crate::service::uploads::append::{self, Append, End};
use crate::service::uploads::creation;
use crate::service::uploads::takes;
use crate::service::uploads::takes::UploadStatus;
use crate::service::{AppState, Error};

const UPLOAD_COMPLETE: HeaderName = HeaderName::from_static("upload-complete");

/// What a take is, at its creation: `recorded` or `file`.
const CAPTURED_AS: HeaderName = HeaderName::from_static("vidence-captured-as");

/// The media type of an append.
pub const PARTIAL_UPLOAD: &str = "application/partial-upload";

/// Upload creation. The request may carry the first bytes, or all of them.
pub async fn create(
    app: &AppState,
    request: &RequestId,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    // Without the field a request with a body is an ordinary upload in one request; without a body it is incomplete.
    let complete = match headers.contains_key(UPLOAD_COMPLETE) {
        true => upload_complete(headers)?,
        false => !body.is_end_stream(),
    };
    let length = length(headers, 0, complete)?;
    let (take, at) = if complete || !body.is_end_stream() {
        let piece = append_of(headers, 0, complete, length);
        creation::begin_with(
            app,
            request,
            captured_as(headers),
            piece,
            body.into_data_stream(),
        )
        .await?
    } else {
        takes::begin(app, request, captured_as(headers), length).await?
    };
    let location = [(LOCATION, format!("/r/{request}/takes/{take}"))];
    Ok((
        StatusCode::CREATED,
        location,
        limit(app, Some(&at)),
        progress(&at),
    )
        .into_response())
}

/// Offset retrieval.
pub async fn offset(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) -> Result<Response, Problem> {
    let at = match takes::status(app, request, take).await {
        // The answer to HEAD has no body that could say so. As if it weren't there: the client begins another one.
        Err(error @ Error::TakeFailed) => {
            return Err(Problem::with_status(error, StatusCode::NOT_FOUND));
        }
        status => status?,
    };
    let length = at.length.map(|it| [(UPLOAD_LENGTH, HeaderValue::from(it))]);
    let headers = (
        limit(app, Some(&at)),
        progress(&at),
        length.into_iter().flatten().collect::<HeaderMap>(),
    );
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}

/// Upload append.
pub async fn append(
    app: &AppState,
    (request, take): (&RequestId, &TakeId),
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    if !has_media_type(headers, PARTIAL_UPLOAD) {
        return Err(ApiError::NotAnAppend(PARTIAL_UPLOAD).into());
    }
    let offset = number(headers, &UPLOAD_OFFSET)
        .ok_or_else(|| ApiError::header("Upload-Offset", "a number of bytes"))?;
    let complete = upload_complete(headers)?;
    let length = length(headers, offset, complete)?;
    let piece = append_of(headers, offset, complete, length);
    let at = append::append(app, request, take, piece, body.into_data_stream()).await?;
    Ok((StatusCode::NO_CONTENT, progress(&at)).into_response())
}

fn append_of(headers: &HeaderMap, offset: u64, complete: bool, length: Option<u64>) -> Append {
    Append {
        offset,
        end: if complete { End::Here } else { End::Open },
        length,
        checksum: content_digest(headers),
    }
}

/// What the take is: the recording page says it in a field of its own.
fn captured_as(headers: &HeaderMap) -> CapturedAs {
    match headers.get(CAPTURED_AS).map(HeaderValue::as_bytes) {
        Some(b"recorded") => CapturedAs::Recorded,
        Some(b"file") => CapturedAs::File,
        _ => CapturedAs::Client,
    }
}

/// The length of the upload, if it is known.
///
/// It is given by `Upload-Length` or by the length of a body that completes the upload; both must agree.
fn length(headers: &HeaderMap, offset: u64, complete: bool) -> Result<Option<u64>, Error> {
    let body = headers.get(CONTENT_LENGTH).filter(|_| complete);
    let body: Option<u64> = body.and_then(|it| it.to_str().ok()?.parse().ok());
    let by_body = body.map(|length| offset.saturating_add(length));
    match (number(headers, &UPLOAD_LENGTH), by_body) {
        (Some(declared), Some(sent)) if declared != sent => Err(Error::InconsistentLength),
        (declared, sent) => Ok(declared.or(sent)),
    }
}

/// The `Upload-Limit` field: the maximum size and, for an existing take, the remaining seconds.
pub fn limit(app: &AppState, of: Option<&UploadStatus>) -> [(HeaderName, String); 1] {
    let mut limit = format!("max-size={}", app.storage_limits.max_video_bytes);
    if let Some(at) = of {
        let left = at.ends_at.saturating_sub(app.clock.now()).max(0) / 1000;
        limit.push_str(&format!(", max-age={left}"));
    }
    [(UPLOAD_LIMIT, limit)]
}

fn progress(at: &UploadStatus) -> [(HeaderName, HeaderValue); 3] {
    let complete = if at.complete { "?1" } else { "?0" };
    [
        (UPLOAD_OFFSET, HeaderValue::from(at.offset)),
        (UPLOAD_COMPLETE, HeaderValue::from_static(complete)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

fn upload_complete(headers: &HeaderMap) -> Result<bool, ApiError> {
    boolean(headers, &UPLOAD_COMPLETE)
        .ok_or_else(|| ApiError::header("Upload-Complete", "?0 or ?1"))
}
