//! What senders call: `/r/{id}/…`. A take speaks two dialects, [`resumable`] and [`tus`]; which one is
//! meant shows in the headers. It may be called from pages of any origin: the link is all that it takes,
//! and no cookie says who asks.

use app::api::{PageState, Submission};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, CACHE_CONTROL,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, head, post};
use tower_http::set_header::SetResponseHeaderLayer;

use super::api::{Ids, Json, MAX_JSON_BYTES, in_envelope};
use super::error::ApiError;
use super::problem::Problem;
use super::{resumable, tus};
use crate::service::{App, takes};

const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// What a page of another origin may read, and whether it may at all.
const CROSS_ORIGIN: [(HeaderName, &str); 2] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (
        ACCESS_CONTROL_EXPOSE_HEADERS,
        "Location, Upload-Offset, Upload-Length, Upload-Complete, Upload-Limit, Upload-Expires, \
         Upload-Defer-Length, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, \
         Tus-Checksum-Algorithm",
    ),
];

pub(super) fn router() -> Router<App> {
    let [origin, expose] = CROSS_ORIGIN.map(|(name, value)| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    });
    let uploads = Router::new()
        .route("/takes", post(create).options(begin_options))
        .route(
            "/takes/{take}",
            head(call)
                .patch(call)
                .delete(call)
                .post(call)
                .options(options),
        )
        .layer(origin)
        .layer(expose);
    // The limit is for JSON: the bodies of takes are streams, which it passes by.
    let routes = Router::new()
        .route("/state", get(state))
        .route("/submission", post(submit))
        .merge(uploads)
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

async fn create(
    State(app): State<App>,
    Ids(request): Ids<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if tus::speaks(&headers) {
        return tus::create(&app, &request, &headers, body).await;
    }
    let created = resumable::create(&app, &request, &headers, body).await;
    created.into_response()
}

async fn call(
    State(app): State<App>,
    Ids((request, take)): Ids<(String, String)>,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let meant = match method {
        Method::HEAD => Some(tus::Call::Offset),
        Method::PATCH => Some(tus::Call::Append),
        Method::DELETE => Some(tus::Call::Discard),
        _ => tus::Call::overridden(&headers).filter(|_| tus::speaks(&headers)),
    };
    let Some(meant) = meant else {
        return Problem::from(ApiError::MethodNotAllowed).into_response();
    };
    let of = (request.as_str(), take.as_str());
    if tus::speaks(&headers) {
        return tus::call(&app, meant, of, &headers, body).await;
    }
    let called = match meant {
        tus::Call::Offset => resumable::offset(&app, of.0, of.1).await,
        tus::Call::Append => resumable::append(&app, of, &headers, body).await,
        tus::Call::Discard => discard(&app, of).await,
    };
    called.into_response()
}

async fn discard(app: &App, (request, take): (&str, &str)) -> Result<Response, Problem> {
    takes::discard(app, request, take).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn begin_options(State(app): State<App>) -> Response {
    what_is_possible(&app, "OPTIONS, POST")
}

async fn options(State(app): State<App>) -> Response {
    what_is_possible(&app, "DELETE, HEAD, OPTIONS, PATCH, POST")
}

/// The same for every request, there or not: discovery, and the preflight of other origins (Fetch,
/// section 3.2.2).
fn what_is_possible(app: &App, methods: &'static str) -> Response {
    let patches = format!("{}, {}", resumable::PARTIAL_UPLOAD, tus::OFFSET_STREAM);
    let headers = [
        (ALLOW, methods.to_owned()),
        (ACCEPT_PATCH, patches),
        (ACCESS_CONTROL_ALLOW_METHODS, methods.to_owned()),
        (ACCESS_CONTROL_ALLOW_HEADERS, "*".to_owned()),
        (ACCESS_CONTROL_MAX_AGE, "86400".to_owned()),
    ];
    let limit = resumable::limit(app, None);
    (StatusCode::NO_CONTENT, headers, limit, tus::options(app)).into_response()
}
