//! What the recording page calls: `/r/{id}/…`. The take speaks the headers of resumable uploads
//! (draft-ietf-httpbis-resumable-upload): `Upload-Offset` and `Upload-Complete`.

use app::api::{PageState, Submission};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, head, post};
use http_body::Body as _;

use super::api::{Ids, Json, MAX_JSON_BYTES, in_envelope};
use super::error::ApiError;
use crate::service::{App, takes};

pub(super) const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
const UPLOAD_COMPLETE: HeaderName = HeaderName::from_static("upload-complete");
const UPLOAD_LIMIT: HeaderName = HeaderName::from_static("upload-limit");

/// The media type of an append.
const PARTIAL_UPLOAD: &str = "application/partial-upload";

pub(super) fn router() -> Router<App> {
    // The limit is for JSON: the bodies of takes are streams, which it passes by.
    let routes = Router::new()
        .route("/state", get(state))
        .route("/submission", post(submit))
        .route("/takes", post(begin))
        .route("/takes/{take}", head(offset).patch(append).delete(discard))
        .layer(DefaultBodyLimit::max(MAX_JSON_BYTES));
    in_envelope(routes)
}

async fn state(
    State(app): State<App>,
    Ids(request): Ids<String>,
) -> Result<impl IntoResponse, ApiError> {
    let state: PageState = takes::state(&app, &request).await?;
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(state)))
}

async fn submit(
    State(app): State<App>,
    Ids(request): Ids<String>,
    Json(submission): Json<Submission>,
) -> Result<impl IntoResponse, ApiError> {
    let state: PageState = takes::submit(&app, &request, &submission.take).await?;
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(state)))
}

/// Upload creation. The first bytes may come along with it.
async fn begin(
    State(app): State<App>,
    Ids(request): Ids<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    // Without the header this is an ordinary upload, whole in one go; without a body it is neither.
    let last = upload_complete(&headers)?.unwrap_or(!body.is_end_stream());
    let media_type = text(&headers, &CONTENT_TYPE).unwrap_or_default();
    let take = takes::begin(&app, &request, media_type).await?;
    let begun = takes::append(
        &app,
        &request,
        take.as_str(),
        0,
        last,
        body.into_data_stream(),
    );
    let location = [(LOCATION, format!("/r/{request}/takes/{take}"))];
    let begun = progress(begun.await?);
    Ok((StatusCode::CREATED, location, limit(&app), begun).into_response())
}

async fn offset(
    State(app): State<App>,
    Ids((request, take)): Ids<(String, String)>,
) -> Result<impl IntoResponse, ApiError> {
    let view = takes::offset(&app, &request, &take).await?;
    let (offset, complete) = (view.offset, view.complete);
    let at = progress(takes::Appended { offset, complete });
    Ok((StatusCode::NO_CONTENT, limit(&app), at))
}

async fn append(
    State(app): State<App>,
    Ids((request, take)): Ids<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Result<impl IntoResponse, ApiError> {
    let media_type = text(&headers, &CONTENT_TYPE).unwrap_or_default();
    if !media_type.trim().eq_ignore_ascii_case(PARTIAL_UPLOAD) {
        let message = format!("send appends as Content-Type: {PARTIAL_UPLOAD}");
        return Err(ApiError::BadRequest(message));
    }
    let at = upload_offset(&headers)?;
    let last = upload_complete(&headers)?;
    let last = last.ok_or_else(|| bad("Upload-Complete", "?0 or ?1"))?;
    let body = body.into_data_stream();
    let appended = takes::append(&app, &request, &take, at, last, body).await?;
    Ok((StatusCode::NO_CONTENT, progress(appended)))
}

async fn discard(
    State(app): State<App>,
    Ids((request, take)): Ids<(String, String)>,
) -> Result<StatusCode, ApiError> {
    takes::discard(&app, &request, &take).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How long a take may become.
fn limit(app: &App) -> [(HeaderName, String); 1] {
    [(UPLOAD_LIMIT, format!("max-size={}", app.limits.video_bytes))]
}

fn progress(at: takes::Appended) -> [(HeaderName, HeaderValue); 3] {
    let complete = if at.complete { "?1" } else { "?0" };
    [
        (UPLOAD_OFFSET, HeaderValue::from(at.offset)),
        (UPLOAD_COMPLETE, HeaderValue::from_static(complete)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

fn upload_offset(headers: &HeaderMap) -> Result<u64, ApiError> {
    // Digits alone: `parse` would take a plus sign.
    let digits = |text: &&str| text.bytes().all(|b| b.is_ascii_digit());
    let offset = text(headers, &UPLOAD_OFFSET).filter(digits);
    let offset = offset.and_then(|text| text.parse().ok());
    offset.ok_or_else(|| bad("Upload-Offset", "a number of bytes"))
}

/// A structured boolean: RFC 9651, section 3.3.6.
fn upload_complete(headers: &HeaderMap) -> Result<Option<bool>, ApiError> {
    match headers.get(&UPLOAD_COMPLETE).map(HeaderValue::as_bytes) {
        None => Ok(None),
        Some(b"?0") => Ok(Some(false)),
        Some(b"?1") => Ok(Some(true)),
        Some(_) => Err(bad("Upload-Complete", "?0 or ?1")),
    }
}

fn bad(header: &str, want: &str) -> ApiError {
    ApiError::BadRequest(format!("the header {header} must be {want}"))
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
