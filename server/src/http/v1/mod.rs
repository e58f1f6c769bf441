//! `/v1`: the API, and `/videos`, which has its rules for tokens and origins.

mod captions;
mod openapi;
mod prefer;
mod range;
mod requests;
mod video_metadata;
mod videos;

use axum::Router;
use axum::routing::any;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::error::{method_not_allowed, no_route};
use crate::service::AppState;

pub use openapi::{document, openapi_json};

/// The routes of the operations, with their OpenAPI descriptions.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(requests::create))
        .routes(routes!(requests::status, requests::delete))
        .routes(routes!(videos::stream))
        .merge(video_metadata::routes())
}

/// All other paths, whose errors are in the envelope.
const UNKNOWN: [&str; 8] = [
    "/v1",
    "/v1/",
    "/v1/{*path}",
    "/videos",
    "/videos/",
    "/videos/{id}",
    "/videos/{id}/",
    "/videos/{id}/{*path}",
];

pub fn router(document: &Document) -> Router<AppState> {
    let mut routes = Router::from(routes()).merge(openapi::router(document));
    for path in UNKNOWN {
        routes = routes.route(path, any(no_route));
    }
    routes.method_not_allowed_fallback(method_not_allowed)
}
