//! `/v1/requests`.

use std::time::Duration;

use app::api::{CreateRequest, CreatedRequest, RequestView};
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::api::{Bearer, Ids, Json};
use super::caller::{Admitted, From};
use super::error::ApiError;
use super::prefer::{self, PREFERENCE_APPLIED};
use crate::service::status::{self, LONGEST_WAIT};
use crate::service::{App, requests};

/// Answers that name a secret or a moment must not be kept by anybody in between.
const NO_STORE: [(HeaderName, &str); 1] = [(CACHE_CONTROL, "no-store")];

pub(super) async fn create(
    State(app): State<App>,
    From(caller): From,
    Json(wish): Json<CreateRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let created: CreatedRequest = requests::create(&app, caller, wish).await?;
    Ok((StatusCode::CREATED, NO_STORE, axum::Json(created)))
}

pub(super) async fn status(
    State(app): State<App>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let patience = prefer::wait(&headers).filter(|_| method == Method::GET);
    let Some(patience) = patience.map(|it| it.min(LONGEST_WAIT)) else {
        let view: RequestView = status::status(&app, admission, token, &id).await?;
        return Ok((NO_STORE, axum::Json(view)).into_response());
    };
    let (view, waited) = status::status_at_last(&app, admission, token, &id, patience).await?;
    let applied = waited.then(|| applied(patience));
    Ok((NO_STORE, applied, axum::Json(view)).into_response())
}

/// RFC 7240, section 3: which wait it was, should it be shorter than was asked for.
fn applied(patience: Duration) -> [(HeaderName, HeaderValue); 1] {
    let applied = format!("wait={}", patience.as_secs());
    let applied = HeaderValue::try_from(applied).expect("letters, digits and =");
    [(PREFERENCE_APPLIED, applied)]
}

pub(super) async fn delete(
    State(app): State<App>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<String>,
) -> Result<StatusCode, ApiError> {
    requests::delete(&app, admission, token, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
