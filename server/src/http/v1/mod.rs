//! `/v1`: the API, and `/videos`, which has its rules for tokens and origins.

mod captions;
mod openapi;
mod prefer;
mod range;
mod requests;
mod video_metadata;
mod videos;

use axum::Router;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::error::in_envelope;
use crate::http::layers::cors::cross_origin;
use crate::service::AppState;

pub use openapi::{document, openapi_json};
pub use video_metadata::router as video_router;

/// The routes of the operations, with their OpenAPI descriptions.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(requests::create))
        .routes(routes!(requests::status, requests::delete))
        .routes(routes!(videos::stream))
}

pub fn router(document: &Document) -> Router<AppState> {
    let routes = Router::from(routes()).merge(openapi::router(document));
    in_envelope(routes).layer(cross_origin())
}
