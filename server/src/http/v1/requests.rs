//! `/v1/requests`.

use std::time::Duration;

use app::api::{CreateRequest, CreatedRequest, RequestView};
use axum::Extension;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::openapi::{BadRequest, InternalError, RateLimited, TokenErrors};
use super::prefer::Wait;
use crate::http::error::ApiError;
use crate::http::extract::{Bearer, Ids, Json};
use crate::http::header_names::PREFERENCE_APPLIED;
use crate::http::layers::client::{Admitted, Client};
use crate::id::RequestId;
use crate::service::AppState;
use crate::service::requests::lifecycle;
use crate::service::requests::long_poll;
use crate::service::requests::long_poll::MAX_WAIT;
use crate::telemetry::LongPolled;

/// Responses that hold a secret or a momentary state must not be stored by caches.
const NO_STORE: [(HeaderName, &str); 1] = [(CACHE_CONTROL, "no-store")];

/// Create a request
///
/// Ask a human for a video. Give `submission_url` to the person who should record; keep `access_token`,
/// which opens this request and its video and is never shown again.
#[utoipa::path(
    post,
    path = "/v1/requests",
    operation_id = "createRequest",
    tag = "requests",
    request_body(content = CreateRequest, description = "What is asked for."),
    responses(
        (
            status = 201,
            description = "The request, its link and its token.",
            body = CreatedRequest,
            headers(
                ("Location", description = "Where to look at it: `/v1/requests/{id}`."),
                ("Cache-Control", description = "`no-store`: the token is in the answer."),
            ),
            links(
                ("status" = (
                    operation_id = "getRequest",
                    parameters(("id" = "$response.body#/id")),
                    description = "Whether a video has been submitted. Send the token of this response.",
                )),
                ("deletion" = (
                    operation_id = "deleteRequest",
                    parameters(("id" = "$response.body#/id")),
                    description = "The end of it, with the token of this answer.",
                )),
            ),
        ),
        (status = 400, response = BadRequest),
        (status = 429, response = RateLimited),
        (status = 500, response = InternalError),
    ),
)]
pub async fn create(
    State(app): State<AppState>,
    Admitted(_): Admitted,
    Client(creator): Client,
    Json(request): Json<CreateRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let created: CreatedRequest = lifecycle::create(&app, creator, request).await?;
    let location = [(LOCATION, format!("/v1/requests/{}", created.id))];
    let body = axum::Json(created);
    Ok((StatusCode::CREATED, location, NO_STORE, body))
}

/// Get the status of a request
///
/// Poll until `status` is `submitted`; then `video` says where to stream it. With `Prefer: wait=N` the
/// answer comes as soon as the status changes, or after N seconds; `Preference-Applied` says so. Where too
/// many wait already it comes after a second. An expired request is answered with `expired`, a deleted one
/// with 404.
#[utoipa::path(
    get,
    path = "/v1/requests/{id}",
    operation_id = "getRequest",
    tag = "requests",
    params(
        ("id" = String, Path, description = "The request."),
        (
            "Prefer" = Option<String>, Header,
            description = "`wait=N`: wait up to N seconds (at most 50) for the status to change (RFC 7240).",
            example = "wait=30",
        ),
    ),
    responses(
        (
            status = 200,
            description = "Where the request stands.",
            body = RequestView,
            headers(
                ("Cache-Control", description = "`no-store`."),
                ("Preference-Applied", description = "The wait that was applied; absent if none was."),
            ),
            links(
                ("stream" = (
                    operation_id = "streamVideo",
                    parameters(("id" = "$response.body#/video/id")),
                    description = "The video, once there is one, with the same token.",
                )),
                ("deletion" = (
                    operation_id = "deleteRequest",
                    parameters(("id" = "$response.body#/id")),
                    description = "The end of it, with the same token.",
                )),
            ),
            examples(
                ("awaiting_submission" = (value = json!({
                    "id": "h7Qm2xT9bLr4KcWvNd8sYp",
                    "status": "awaiting_submission",
                    "expires_at": "2026-11-22T09:30:00.000Z",
                }))),
                ("submitted" = (value = json!({
                    "id": "h7Qm2xT9bLr4KcWvNd8sYp",
                    "status": "submitted",
                    "expires_at": "2026-11-22T09:30:00.000Z",
                    "video": {
                        "id": "Zt5vGq8nMw3XyRj6HkBc2a",
                        "url": "https://evidence.example.org/v1/videos/Zt5vGq8nMw3XyRj6HkBc2a",
                        "expires_at": "2026-11-22T09:30:00.000Z",
                    },
                }))),
                ("expired" = (value = json!({
                    "id": "h7Qm2xT9bLr4KcWvNd8sYp",
                    "status": "expired",
                    "expires_at": "2026-11-22T09:30:00.000Z",
                }))),
            ),
        ),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
pub async fn status(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<RequestId>,
    Wait(wait): Wait,
) -> Result<Response, ApiError> {
    let Some(wait) = wait.map(|it| it.min(MAX_WAIT)) else {
        let view: RequestView = long_poll::status(&app, admission, token, &id).await?;
        return Ok((NO_STORE, axum::Json(view)).into_response());
    };
    let waiting = long_poll::long_poll(&app, admission, token, &id, wait);
    let at_last = Box::pin(waiting).await;
    let answer = at_last.map_err(ApiError::from).map(|(view, waited)| {
        let applied = waited.then(|| applied(wait));
        (NO_STORE, applied, axum::Json(view))
    });
    // A failed request may have waited, too.
    Ok((Extension(LongPolled), answer).into_response())
}

/// The `Preference-Applied` field (RFC 7240, section 3).
///
/// It holds the actual wait, which may be shorter than the client requested.
fn applied(wait: Duration) -> [(HeaderName, HeaderValue); 1] {
    let applied = format!("wait={}", wait.as_secs());
    let applied = HeaderValue::try_from(applied).expect("letters, digits and =");
    [(PREFERENCE_APPLIED, applied)]
}

/// Delete a request
///
/// The request, its recordings and its video. When the answer is there, the bytes are gone; from then on
/// everything about it is answered with 404, this operation too.
#[utoipa::path(
    delete,
    path = "/v1/requests/{id}",
    operation_id = "deleteRequest",
    tag = "requests",
    params(("id" = String, Path, description = "The request.")),
    responses(
        (status = 204, description = "It is gone."),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
pub async fn delete(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<RequestId>,
) -> Result<StatusCode, ApiError> {
    lifecycle::delete(&app, admission, token, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
