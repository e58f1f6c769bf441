//! HTTP handlers: each parses a request, calls one use case and builds the response.
//!
//! They contain no SQL and no business rules.

mod admin;
mod conditions;
mod error;
mod extract;
mod header_names;
mod health;
mod layers;
mod pages;
mod static_document;
mod structured;
mod submission;
mod v1;
mod well_known;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::any;

pub(crate) use admin::Refusals;
pub use admin::serve as serve_admin;
use layers::pipeline::{Pipeline, run_pipeline};
use layers::small_body;
pub use pages::assets::Assets;
pub(crate) use v1::openapi_json;

use crate::mcp;
use crate::service::AppState;

/// Builds the router for all routes of the public listener.
pub fn router(app: AppState, assets: Assets) -> Router {
    // Leptos needs its executor. Initialising it a second time fails, which happens in tests.
    let _ = any_spawner::Executor::init_tokio();
    let document = v1::document(&app.public_url);
    let docs = pages::docs::Docs::new(&app, &assets, &document);
    let small_bodies = from_fn_with_state(app.clone(), small_body::limit);
    let pipeline = from_fn_with_state(Pipeline::new(app.clone()), run_pipeline);
    let well_known = well_known::router(&app);
    Router::new()
        .nest("/v1", v1::router(&document))
        // `nest` doesn't match the prefix with a trailing slash.
        .route("/v1/", any(error::no_route))
        .route("/videos/", any(error::no_route))
        .nest("/r/{id}", submission::router().layer(pages::noindex()))
        .nest("/videos", v1::video_router())
        .with_state(app.clone())
        .merge(mcp::router(app.clone()).layer(small_bodies))
        .merge(well_known::mcp_server_card::router(&app.public_url))
        .merge(pages::router(app.clone(), &assets, docs))
        .merge(pages::assets::router())
        .merge(well_known)
        .merge(health::router(app))
        .layer(pipeline)
}
