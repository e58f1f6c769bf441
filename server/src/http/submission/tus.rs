//! Takes over tus 1.0.
//!
//! Extensions: creation, creation-with-upload, creation-defer-length, expiration, termination, checksum. The use
//! cases are those of [`ietf`](super::ietf); here a take is complete when it has its declared length.
//!
//! `Upload-Metadata` is ignored and not stored: file names reveal more about people than a requester needs to
//! know, and the media type is detected from the content.

use app::video_metadata::CapturedAs;
use axum::body::{Body, HttpBody as _};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::problem::Problem;
use super::{TakeOperation, no_operation};
use crate::clock::http_date;
use crate::http::error::ApiError;
use crate::http::extract::has_media_type;
use crate::http::header_names::{UPLOAD_LENGTH, UPLOAD_OFFSET};
use crate::id::{RequestId, TakeId};
use crate::service::uploads::append::{self, Append, End};
use crate::service::uploads::creation;
use crate::service::uploads::takes;
use crate::service::uploads::takes::UploadStatus;
use crate::service::{Algorithm, AppState, Checksum, Error};

const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
const TUS_CHECKSUM_ALGORITHM: HeaderName = HeaderName::from_static("tus-checksum-algorithm");
const UPLOAD_DEFER_LENGTH: HeaderName = HeaderName::from_static("upload-defer-length");
const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
const UPLOAD_CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");

const VERSION: HeaderValue = HeaderValue::from_static("1.0.0");
const EXTENSIONS: &str =
    "creation,creation-with-upload,creation-defer-length,expiration,termination,checksum";
const ALGORITHMS: [(&str, Algorithm); 3] = [
    ("sha1", Algorithm::Sha1),
    ("sha256", Algorithm::Sha256),
    ("sha512", Algorithm::Sha512),
];

/// The media type of an append.
pub const OFFSET_STREAM: &str = "application/offset+octet-stream";

/// Whether a request uses tus.
pub fn speaks(headers: &HeaderMap) -> bool {
    headers.contains_key(TUS_RESUMABLE)
}

/// The header fields that describe the server's tus support, for OPTIONS.
pub fn options(app: &AppState) -> HeaderMap {
    let algorithms = ALGORITHMS.map(|(name, _)| name).join(",");
    let mut headers = HeaderMap::from_iter([
        (TUS_RESUMABLE, VERSION),
        (TUS_VERSION, VERSION),
        (TUS_EXTENSION, HeaderValue::from_static(EXTENSIONS)),
        (
            TUS_MAX_SIZE,
            HeaderValue::from(app.storage_limits.max_video_bytes),
        ),
    ]);
    // Letters, digits and commas are always a valid header value.
    headers.extend(HeaderValue::try_from(algorithms).map(|it| (TUS_CHECKSUM_ALGORITHM, it)));
    headers
}

/// Creates a take (`POST`), with its first bytes if the request carries an append.
pub async fn create(
    app: &AppState,
    request: &RequestId,
    headers: &HeaderMap,
    body: Body,
) -> Response {
    answer(headers, async {
        let length = length(headers)?;
        let is_deferred = match headers.contains_key(UPLOAD_DEFER_LENGTH) {
            true => text(headers, &UPLOAD_DEFER_LENGTH) == Some("1"),
            false => length.is_some(),
        };
        if !is_deferred {
            return Err(ApiError::header(
                "Upload-Length",
                "a number of bytes, or Upload-Defer-Length 1",
            ));
        }
        let piece = append_of(headers, 0, length)?;
        // An upload of length zero is complete without a body.
        let (take, at) = if is_append(headers) || length == Some(0) {
            creation::begin_with(
                app,
                request,
                CapturedAs::Client,
                piece,
                body.into_data_stream(),
            )
            .await?
        } else {
            takes::begin(app, request, CapturedAs::Client, length).await?
        };
        // An absolute URL: some clients can't resolve a relative one.
        let base = app.public_url.as_str();
        let location = [(LOCATION, format!("{base}/r/{request}/takes/{take}"))];
        Ok((StatusCode::CREATED, location, progress(&at)).into_response())
    })
    .await
}

/// Offset retrieval, append or termination.
pub async fn operate(
    app: &AppState,
    operation: Option<TakeOperation>,
    (request, take): (&RequestId, &TakeId),
    headers: &HeaderMap,
    body: Body,
) -> Response {
    answer(headers, async {
        match operation {
            Some(TakeOperation::Offset) => {
                let at = takes::status(app, request, take).await?;
                let length = match at.length {
                    Some(length) => (UPLOAD_LENGTH, HeaderValue::from(length)),
                    None => (UPLOAD_DEFER_LENGTH, HeaderValue::from(1)),
                };
                Ok((StatusCode::OK, [length], progress(&at)).into_response())
            }
            Some(TakeOperation::Append) => {
                if !is_append(headers) {
                    return Err(ApiError::NotAnAppend(OFFSET_STREAM));
                }
                let offset = digits(headers, &UPLOAD_OFFSET)?;
                let offset =
                    offset.ok_or_else(|| ApiError::header("Upload-Offset", "a number of bytes"))?;
                let piece = append_of(headers, offset, length(headers)?)?;
                let nothing = body.is_end_stream();
                let at = match append::append(app, request, take, piece, body.into_data_stream())
                    .await
                {
                    // The response to the last append was lost, and the client repeats it with an empty body.
                    Err(Error::TakeComplete { committed }) if nothing && committed == offset => {
                        takes::status(app, request, take).await?
                    }
                    at => at?,
                };
                Ok((StatusCode::NO_CONTENT, progress(&at)).into_response())
            }
            Some(TakeOperation::Discard) => {
                takes::discard(app, request, take).await?;
                // It may answer a GET, whose answers are cached.
                Ok((StatusCode::NO_CONTENT, [(CACHE_CONTROL, "no-store")]).into_response())
            }
            None => Ok(no_operation()),
        }
    })
    .await
}

/// Checks the version, runs the operation and adds the header fields that every tus response has.
async fn answer(
    headers: &HeaderMap,
    work: impl Future<Output = Result<Response, ApiError>>,
) -> Response {
    let mut response = if headers.get(TUS_RESUMABLE) == Some(&VERSION) {
        match work.await {
            Ok(response) => response,
            Err(ApiError::Service(error @ Error::ChecksumMismatch)) => {
                Problem::with_status(error, checksum_mismatch()).into_response()
            }
            // A failed upload must be restarted, which clients do when it no longer exists.
            Err(ApiError::Service(error @ Error::TakeFailed)) => {
                Problem::with_status(error, StatusCode::GONE).into_response()
            }
            Err(error) => Problem::from(error).into_response(),
        }
    } else {
        (
            [(TUS_VERSION, VERSION)],
            Problem::from(ApiError::TusVersion),
        )
            .into_response()
    };
    response.headers_mut().insert(TUS_RESUMABLE, VERSION);
    response
}

/// The status 460 Checksum Mismatch of the checksum extension.
fn checksum_mismatch() -> StatusCode {
    StatusCode::from_u16(460).unwrap_or(StatusCode::BAD_REQUEST)
}

fn append_of(headers: &HeaderMap, offset: u64, length: Option<u64>) -> Result<Append, ApiError> {
    Ok(Append {
        offset,
        end: End::AtLength,
        length,
        checksum: checksum(headers)?,
    })
}

fn progress(at: &UploadStatus) -> [(HeaderName, HeaderValue); 3] {
    let expires = HeaderValue::try_from(http_date(at.ends_at));
    [
        (UPLOAD_OFFSET, HeaderValue::from(at.offset)),
        // Letters, digits and spaces are always a valid header value.
        (
            UPLOAD_EXPIRES,
            expires.unwrap_or(HeaderValue::from_static("")),
        ),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

/// Parses `Upload-Checksum`: `algorithm base64`.
fn checksum(headers: &HeaderMap) -> Result<Option<Checksum>, ApiError> {
    if !headers.contains_key(UPLOAD_CHECKSUM) {
        return Ok(None);
    }
    let parse = || {
        let (name, digest) = text(headers, &UPLOAD_CHECKSUM)?.split_once(' ')?;
        let (_, algorithm) = ALGORITHMS.into_iter().find(|known| known.0 == name)?;
        Checksum::new(algorithm, STANDARD.decode(digest).ok()?)
    };
    let known = parse().map(Some);
    known.ok_or_else(|| {
        ApiError::header(
            "Upload-Checksum",
            "sha1, sha256 or sha512 and a digest in base64",
        )
    })
}

fn length(headers: &HeaderMap) -> Result<Option<u64>, ApiError> {
    digits(headers, &UPLOAD_LENGTH)
}

/// Parses a header field of ASCII digits only. `None`: the field is absent.
fn digits(headers: &HeaderMap, name: &HeaderName) -> Result<Option<u64>, ApiError> {
    if !headers.contains_key(name) {
        return Ok(None);
    }
    let digits = text(headers, name).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
    let number = digits.and_then(|it| it.parse().ok());
    number
        .map(Some)
        .ok_or_else(|| ApiError::header(name.as_str(), "a number of bytes"))
}

fn is_append(headers: &HeaderMap) -> bool {
    has_media_type(headers, OFFSET_STREAM)
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
