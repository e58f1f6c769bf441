//! `/videos`: what is known of a video, and pictures of it. Beside `/v1`, whose answers are agreed on.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Extension, Router};

use super::api::{Bearer, Ids, in_envelope};
use super::caller::Admitted;
use super::error::ApiError;
use crate::service::{App, facts};

/// Who may see it now may not later.
const NO_STORE: (axum::http::HeaderName, &str) = (CACHE_CONTROL, "private, no-store");

pub(super) fn router() -> Router<App> {
    let routes = Router::new()
        .route("/{id}/facts", get(look))
        .route("/{id}/stills/{at_ms}", get(still));
    in_envelope(routes)
}

async fn look(
    State(app): State<App>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<String>,
) -> Result<impl IntoResponse, ApiError> {
    let facts = facts::look(&app, admission, token, &id).await?;
    Ok(([NO_STORE], axum::Json(facts)))
}

async fn still(
    State(app): State<App>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids((id, at_ms)): Ids<(String, String)>,
) -> Result<impl IntoResponse, ApiError> {
    // What is no number names no moment of a video.
    let at_ms = at_ms.parse().unwrap_or(u64::MAX);
    let (jpeg, revocation) = facts::still(&app, admission, token, &id, at_ms).await?;
    let headers = [NO_STORE, (CONTENT_TYPE, "image/jpeg")];
    Ok((headers, Extension(revocation), jpeg))
}
