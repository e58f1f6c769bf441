//! `/v1/requests`.

use app::api::{CreateRequest, CreatedRequest, RequestView};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;

use super::api::{Bearer, Ids, Json};
use super::error::ApiError;
use crate::service::{App, requests};

/// Answers that name a secret or a moment must not be kept by anybody in between.
const NO_STORE: [(axum::http::HeaderName, &str); 1] = [(CACHE_CONTROL, "no-store")];

pub(super) async fn create(
    State(app): State<App>,
    Json(wish): Json<CreateRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let created: CreatedRequest = requests::create(&app, wish).await?;
    Ok((StatusCode::CREATED, NO_STORE, axum::Json(created)))
}

pub(super) async fn status(
    State(app): State<App>,
    Bearer(token): Bearer,
    Ids(id): Ids<String>,
) -> Result<impl IntoResponse, ApiError> {
    let view: RequestView = requests::status(&app, token, &id).await?;
    Ok((NO_STORE, axum::Json(view)))
}

pub(super) async fn delete(
    State(app): State<App>,
    Bearer(token): Bearer,
    Ids(id): Ids<String>,
) -> Result<StatusCode, ApiError> {
    requests::delete(&app, token, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
