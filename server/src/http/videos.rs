//! `/v1/videos`: the only place that video bytes come from.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE,
    ETAG, IF_RANGE, LAST_MODIFIED, RANGE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::api::{Bearer, Ids};
use super::error::ApiError;
use super::range::{self, Plan};
use super::structured;
use crate::clock::http_date;
use crate::service::App;
use crate::service::videos::{self, Video};

/// RFC 9530, section 3: of the whole video, whichever part of it is sent.
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");

pub(super) async fn stream(
    State(app): State<App>,
    Bearer(token): Bearer,
    Ids(id): Ids<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let video = videos::open(&app, token, &id).await?;
    let length = video.length;
    let (status, range) = match plan(&method, &headers, length, &video.etag) {
        Plan::Whole => (StatusCode::OK, 0..length),
        Plan::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        Plan::Unsatisfiable => return Err(ApiError::RangeNotSatisfiable { length }),
    };
    let headers = [
        (ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (CONTENT_LENGTH, HeaderValue::from(range.end - range.start)),
        (
            CONTENT_TYPE,
            HeaderValue::from_static(video.container.media_type()),
        ),
        (CONTENT_DISPOSITION, ascii(&file_name(&video))),
        (ETAG, ascii(&video.etag)),
        (LAST_MODIFIED, ascii(&http_date(video.modified_at))),
    ];
    let digest = video.sha256.as_deref().map(structured::sha256);
    let digest = digest.map(|digest| [(REPR_DIGEST, ascii(&digest))]);
    let last = range.end.saturating_sub(1);
    let content_range = format!("bytes {}-{last}/{length}", range.start);
    let content_range = [(CONTENT_RANGE, ascii(&content_range))];
    let body = match method {
        Method::HEAD => Body::empty(),
        _ => Body::from_stream(video.stream(range).await?),
    };
    Ok(match status {
        StatusCode::PARTIAL_CONTENT => {
            (status, headers, digest, content_range, body).into_response()
        }
        _ => (status, headers, digest, body).into_response(),
    })
}

/// RFC 6266: to be shown, and to be saved under this name.
fn file_name(video: &Video) -> String {
    let (id, extension) = (&video.id, video.container.extension());
    format!("inline; filename=\"{id}.{extension}\"")
}

fn ascii(text: &str) -> HeaderValue {
    HeaderValue::try_from(text).expect("letters, digits and ASCII punctuation")
}

/// RFC 9110: a range counts for GET alone (14.2), once, and only while `If-Range` names these very
/// bytes by a strong tag (13.1.5).
fn plan(method: &Method, headers: &HeaderMap, length: u64, etag: &str) -> Plan {
    let mut ranges = headers.get_all(RANGE).iter();
    let (Some(range), None) = (ranges.next(), ranges.next()) else {
        return Plan::Whole;
    };
    let same_bytes = headers.get(IF_RANGE).is_none_or(|tag| tag == etag);
    match range.to_str() {
        Ok(range) if method == Method::GET && same_bytes => range::plan(range, length),
        _ => Plan::Whole,
    }
}
