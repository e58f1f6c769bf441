//! `/videos/{id}/captions.vtt`: what is said in a video, as captions.

use axum::Extension;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;

use super::openapi::{Gone, TokenErrors, TranscriptPending};
use crate::http::error::ApiError;
use crate::http::extract::{Bearer, Ids};
use crate::http::layers::client::Admitted;
use crate::id::VideoId;
use crate::service::AppState;
use crate::service::videos::transcript;

/// Get the captions of a video
///
/// What is said in the video, as WebVTT, which players show. It isn't found where there is no transcript: the metadata say
/// why. With the request's token.
#[utoipa::path(
    get,
    path = "/videos/{id}/captions.vtt",
    operation_id = "getCaptions",
    tag = "videos",
    params(("id" = String, Path, description = "The video.")),
    responses(
        (
            status = 200,
            description = "The captions.",
            content((String = "text/vtt")),
            headers(("Cache-Control", description = "`private, no-store`.")),
        ),
        (status = 409, response = TranscriptPending),
        (status = 410, response = Gone),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
pub(super) async fn captions(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<VideoId>,
) -> Result<impl IntoResponse, ApiError> {
    let (captions, revocation) = transcript::captions(&app, admission, token, &id).await?;
    let headers = [
        (CACHE_CONTROL, "private, no-store"),
        (CONTENT_TYPE, "text/vtt; charset=utf-8"),
    ];
    Ok((headers, Extension(revocation), captions))
}
