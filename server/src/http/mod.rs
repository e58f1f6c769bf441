//! HTTP handlers: each parses a request, calls one use case and builds the response.
//!
//! They contain no SQL and no business rules.

mod admin;
mod conditions;
mod content_coding;
mod error;
mod extract;
mod header_names;
mod health;
mod layers;
mod pages;
mod sliced_body;
mod static_document;
mod structured;
mod submission;
mod v1;
mod well_known;

use axum::Router;
use axum::middleware::from_fn_with_state;

pub(crate) use admin::Refusals;
pub use admin::serve as serve_admin;
use layers::cors::cross_origin;
use layers::pipeline::Pipeline;
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
    let pipeline = Pipeline::new(app.clone());
    let well_known = well_known::router(&app);
    // Both layers at once, and no nested router: axum boxes the service of a route for each, and agents poll.
    let api = v1::router(&document).with_state(app.clone());
    let api = api.layer((pipeline.clone(), cross_origin()));
    let others = Router::new()
        .nest("/r/{id}", submission::router().layer(pages::noindex()))
        .with_state(app.clone())
        .merge(mcp::router(app.clone()).layer(small_bodies))
        .merge(well_known::mcp_server_card::router(&app.public_url))
        .merge(pages::router(app.clone(), &assets, docs))
        .merge(pages::assets::router())
        .merge(well_known)
        .merge(health::router(app))
        .layer(pipeline);
    api.merge(others)
}
