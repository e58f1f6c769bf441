//! `/v1/videos`: streams a video, whole or by ranges. A short one is also embedded in answers of MCP.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE,
    ETAG, LAST_MODIFIED, RANGE,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::openapi::{Gone, PreconditionFailed, RangeNotSatisfiable, TokenErrors, VideoBytes};
use super::range::{self, Plan};
use crate::clock::{Millis, http_date};
use crate::http::conditions::{self, Precondition, Validators};
use crate::http::error::ApiError;
use crate::http::extract::{Bearer, Ids};
use crate::http::header_names::REPR_DIGEST;
use crate::http::layers::client::Admitted;
use crate::http::structured;
use crate::id::VideoId;
use crate::service::AppState;
use crate::service::videos::stream;
use crate::service::videos::stream::Video;

/// Stream a video
///
/// The video of a submitted request, whole or a range of it, with the request's token. It may be sought at
/// any time: players, `ffmpeg` and download tools work with ranges. Conditional requests (RFC 9110) are
/// honoured, and `HEAD` answers with the headers alone.
#[utoipa::path(
    get,
    path = "/v1/videos/{id}",
    operation_id = "streamVideo",
    tag = "videos",
    params(
        ("id" = String, Path, description = "The video."),
        (
            "Range" = Option<String>, Header,
            description = "`bytes=first-last`, `bytes=first-` or `bytes=-length`.",
            example = "bytes=0-1048575",
        ),
        (
            "If-Range" = Option<String>, Header,
            description = "An ETag: the range counts only if the video is still this one.",
        ),
        (
            "If-None-Match" = Option<String>, Header,
            description = "An ETag: 304 if the video is this one.",
        ),
        (
            "If-Match" = Option<String>, Header,
            description = "An ETag: 412 if the video is another one.",
        ),
    ),
    responses(
        (
            status = 200,
            description = "All of it: without `Range`, with one that can't be understood, and with \
                           several that don't touch.",
            content(
                (inline(VideoBytes) = "video/webm"),
                (inline(VideoBytes) = "video/mp4"),
                (inline(VideoBytes) = "video/quicktime"),
                (inline(VideoBytes) = "video/x-matroska"),
            ),
            headers(
                ("Accept-Ranges", description = "`bytes`."),
                ("Content-Length" = u64, description = "The size of the video, in bytes."),
                ("Content-Disposition", description = "`inline`, with a file name."),
                ("ETag", description = "Strong. It never changes."),
                ("Last-Modified", description = "When it was made ready."),
                ("Repr-Digest", description = "SHA-256 of the whole video (RFC 9530)."),
                ("Cache-Control", description = "`private, no-store`."),
            ),
        ),
        (
            status = 206,
            description = "The range.",
            content(
                (inline(VideoBytes) = "video/webm"),
                (inline(VideoBytes) = "video/mp4"),
                (inline(VideoBytes) = "video/quicktime"),
                (inline(VideoBytes) = "video/x-matroska"),
            ),
            headers(
                ("Accept-Ranges", description = "`bytes`."),
                ("Content-Range", description = "`bytes first-last/total`."),
                ("Content-Length" = u64, description = "The size of this part, in bytes."),
                ("ETag", description = "Strong. It never changes."),
                ("Repr-Digest", description = "SHA-256 of the whole video (RFC 9530)."),
                ("Cache-Control", description = "`private, no-store`."),
            ),
        ),
        (status = 304, description = "It is the one that the client has."),
        (status = 410, response = Gone),
        (status = 412, response = PreconditionFailed),
        (status = 416, response = RangeNotSatisfiable),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
pub async fn stream(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<VideoId>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let video = stream::open(&app, admission, token, &id).await?;
    let validators = Validators {
        etag: video.etag.clone(),
        modified: whole_seconds(video.modified_at),
    };
    let common_headers = [
        (CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (ETAG, ascii(&video.etag)),
        (LAST_MODIFIED, ascii(&http_date(video.modified_at))),
    ];
    match conditions::check(&headers, &validators) {
        Precondition::Answer => {}
        Precondition::NotModified => {
            return Ok((StatusCode::NOT_MODIFIED, common_headers).into_response());
        }
        Precondition::Failed => return Err(ApiError::PreconditionFailed),
    }
    let length = video.length;
    let counts = conditions::range_counts(&method, &headers, &validators);
    let plan = match range_header(&headers).filter(|_| counts) {
        Some(ranges) => range::plan(ranges, length),
        None => Plan::Whole,
    };
    let (status, range) = match plan {
        Plan::Whole => (StatusCode::OK, 0..length),
        Plan::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        Plan::Unsatisfiable => return Err(ApiError::RangeNotSatisfiable { length }),
    };
    let headers = [
        (ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (CONTENT_DISPOSITION, ascii(&file_name(&video))),
        (CONTENT_LENGTH, HeaderValue::from(range.end - range.start)),
        (
            CONTENT_TYPE,
            HeaderValue::from_static(video.container.media_type()),
        ),
    ];
    let digest = video.sha256.as_deref().map(structured::sha256);
    let digest = digest.map(|digest| [(REPR_DIGEST, ascii(&digest))]);
    let last = range.end.saturating_sub(1);
    let content_range = format!("bytes {}-{last}/{length}", range.start);
    let content_range = [(CONTENT_RANGE, ascii(&content_range))];
    let content_range = (status == StatusCode::PARTIAL_CONTENT).then_some(content_range);
    let revocation = Extension(video.revocation());
    let body = match method {
        Method::HEAD => Body::empty(),
        _ => Body::from_stream(video.stream(range).await?),
    };
    let answer = (
        status,
        common_headers,
        headers,
        digest,
        content_range,
        revocation,
        body,
    );
    Ok(answer.into_response())
}

/// A timestamp truncated to whole seconds, the precision of `Last-Modified`.
fn whole_seconds(at: Millis) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(at.max(0).unsigned_abs() / 1000)
}

/// The `Range` header field, if there is exactly one.
///
/// Only list fields may be combined (RFC 9110, section 5.3).
fn range_header(headers: &HeaderMap) -> Option<&str> {
    let mut ranges = headers.get_all(RANGE).iter();
    match (ranges.next(), ranges.next()) {
        (Some(ranges), None) => ranges.to_str().ok(),
        _ => None,
    }
}

/// `Content-Disposition` (RFC 6266): the video is displayed inline, and saved under this name.
fn file_name(video: &Video) -> String {
    let (id, extension) = (&video.id, video.container.extension());
    format!("inline; filename=\"{id}.{extension}\"")
}

fn ascii(text: &str) -> HeaderValue {
    HeaderValue::try_from(text).expect("letters, digits and ASCII punctuation")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_modified_is_cut_to_whole_seconds_and_never_before_1970() {
        for (at, seconds) in [
            (0, 0),
            (999, 0),
            (1_700_000_000_999, 1_700_000_000),
            (-5000, 0),
        ] {
            assert_eq!(whole_seconds(at), UNIX_EPOCH + Duration::from_secs(seconds));
        }
    }
}
