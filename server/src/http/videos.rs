//! `/v1/videos`: the only place that video bytes come from.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_RANGE,
    RANGE,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::api::{Bearer, Ids};
use super::error::ApiError;
use super::range::{self, Plan};
use crate::service::{App, videos};

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
        (ETAG, ascii(&video.etag)),
    ];
    let last = range.end.saturating_sub(1);
    let content_range = format!("bytes {}-{last}/{length}", range.start);
    let content_range = [(CONTENT_RANGE, ascii(&content_range))];
    let body = match method {
        Method::HEAD => Body::empty(),
        _ => Body::from_stream(video.stream(range)),
    };
    Ok(match status {
        StatusCode::PARTIAL_CONTENT => (status, headers, content_range, body).into_response(),
        _ => (status, headers, body).into_response(),
    })
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
