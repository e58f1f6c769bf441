//! `/r/{id}/…`: the routes for uploads of a request's recordings.
//!
//! A take supports two protocols, [`ietf`] and [`tus`]; the header fields tell which one a client uses. Pages
//! of any origin may call these routes: the link is the only credential, and there are no cookies.

pub mod form;
mod ietf;
mod problem;
mod tus;

use app::api::{PageState, Submission};
use axum::Router;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, CACHE_CONTROL,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use tower_http::set_header::SetResponseHeaderLayer;

use self::problem::Problem;
use crate::http::error::{ApiError, method_not_allowed, no_route};
use crate::http::extract::{Ids, Json};
use crate::http::header_names::{ACCEPT_PATCH, UPLOAD_OFFSET};
use crate::http::layers::compression;
use crate::http::pages::qr;
use crate::id::{RequestId, TakeId};
use crate::service::AppState;
use crate::service::submission::{page_state, submit};
use crate::service::uploads::takes;

const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");

const TAKE_METHODS: &str = "DELETE, HEAD, OPTIONS, PATCH, POST";

/// The CORS header fields, which allow any origin.
const CROSS_ORIGIN: [(HeaderName, &str); 2] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (
        ACCESS_CONTROL_EXPOSE_HEADERS,
        "Location, Upload-Offset, Upload-Length, Upload-Complete, Upload-Limit, Upload-Expires, \
         Upload-Defer-Length, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, \
         Tus-Checksum-Algorithm, Retry-After, X-Request-Id",
    ),
];

/// The operations on a take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeOperation {
    Offset,
    Append,
    Discard,
}

impl TakeOperation {
    /// The operation of a method, which `X-HTTP-Method-Override` replaces in tus.
    fn from_method(method: &Method, headers: &HeaderMap) -> Option<Self> {
        let overriding = headers.get(METHOD_OVERRIDE);
        let overriding = overriding.filter(|_| tus::speaks(headers));
        let sent = method.as_str().as_bytes();
        match overriding.map_or(sent, HeaderValue::as_bytes) {
            b"HEAD" => Some(Self::Offset),
            b"PATCH" => Some(Self::Append),
            b"DELETE" => Some(Self::Discard),
            _ => None,
        }
    }
}

pub fn router() -> Router<AppState> {
    let [origin, expose] = CROSS_ORIGIN.map(|(name, value)| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    });
    Router::new()
        .route(
            "/state",
            get(state).options(async || options_response("GET, HEAD, OPTIONS")),
        )
        .route(
            "/submission",
            post(submit).options(async || options_response("OPTIONS, POST")),
        )
        .route("/qr.svg", get(qr::picture))
        .route("/takes", post(create).options(takes_options))
        .route("/takes/{take}", any(operate).options(take_options))
        .layer((from_fn(compression::compress), expose, origin))
        .fallback(no_route)
        .method_not_allowed_fallback(method_not_allowed)
}

async fn state(
    State(app): State<AppState>,
    Ids(request): Ids<RequestId>,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, ApiError> {
    let mut query = query.as_deref().unwrap_or_default().split('&');
    // Ids hold no characters that need escaping.
    let take = query.find_map(|pair| pair.strip_prefix("take="));
    let take = take.map(TakeId::parse_sent);
    let state: PageState = page_state::state(&app, &request, take.as_ref()).await?;
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(state)))
}

async fn submit(
    State(app): State<AppState>,
    Ids(request): Ids<RequestId>,
    Json(submission): Json<Submission>,
) -> Result<impl IntoResponse, ApiError> {
    let (state, bytes): (PageState, u64) = submit::submit(&app, &request, submission).await?;
    // By this the page knows that the answer is the server's.
    let headers = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (UPLOAD_OFFSET, HeaderValue::from(bytes)),
    ];
    Ok((headers, axum::Json(state)))
}

async fn create(
    State(app): State<AppState>,
    Ids(request): Ids<RequestId>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if tus::speaks(&headers) {
        return tus::create(&app, &request, &headers, body).await;
    }
    let created = ietf::create(&app, &request, &headers, body).await;
    created.into_response()
}

async fn operate(
    State(app): State<AppState>,
    Ids((request, take)): Ids<(RequestId, TakeId)>,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let (from_method, of) = (
        TakeOperation::from_method(&method, &headers),
        (&request, &take),
    );
    if tus::speaks(&headers) {
        return tus::operate(&app, from_method, of, &headers, body).await;
    }
    let done = match from_method {
        Some(TakeOperation::Offset) => ietf::offset(&app, of.0, of.1).await,
        Some(TakeOperation::Append) => ietf::append(&app, of, &headers, body).await,
        Some(TakeOperation::Discard) => discard(&app, of).await,
        None => Ok(no_operation()),
    };
    done.into_response()
}

/// The response to a method that isn't for takes.
fn no_operation() -> Response {
    let allow = [(ALLOW, TAKE_METHODS)];
    (allow, Problem::from(ApiError::MethodNotAllowed)).into_response()
}

async fn discard(
    app: &AppState,
    (request, take): (&RequestId, &TakeId),
) -> Result<Response, Problem> {
    takes::discard(app, request, take).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn takes_options(State(app): State<AppState>) -> Response {
    take_options_response(&app, "OPTIONS, POST")
}

async fn take_options(State(app): State<AppState>) -> Response {
    take_options_response(&app, TAKE_METHODS)
}

/// The response to OPTIONS: what a client of either protocol needs before it begins.
///
/// It is the same for every take, existing or not.
fn take_options_response(app: &AppState, methods: &'static str) -> Response {
    let patches = format!("{}, {}", ietf::PARTIAL_UPLOAD, tus::OFFSET_STREAM);
    let patches = [(ACCEPT_PATCH, patches)];
    let limit = ietf::limit(app, None);
    (patches, limit, tus::options(app), options_response(methods)).into_response()
}

/// The response to a CORS preflight: Fetch, section 3.2.2.
fn options_response(methods: &'static str) -> Response {
    let headers = [
        (ALLOW, methods),
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        // `*` doesn't cover it (Fetch, section 3.3.3), and clients may send it to all addresses.
        (ACCESS_CONTROL_ALLOW_HEADERS, "*, Authorization"),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
