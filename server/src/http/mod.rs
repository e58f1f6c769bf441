//! HTTP handlers: each parses a request, calls one use case and builds the response.
//!
//! They contain no SQL and no business rules.

mod access_log;
mod admin;
mod api;
mod assets;
mod client;
mod compression;
mod conditions;
mod docs;
mod drain_body;
mod error;
mod form;
mod health;
mod host;
mod markdown;
mod mcp_server_card;
mod openapi;
mod pages;
mod prefer;
mod problem;
mod qr;
mod range;
mod request_id;
mod requests;
mod resumable;
mod security_headers;
mod small_body;
mod static_document;
mod structured;
mod takes;
mod tus;
mod video_metadata;
mod videos;
mod visitor;
mod well_known;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_request};
use axum::routing::any;

pub use admin::serve as serve_admin;
pub use assets::Assets;
pub(crate) use openapi::openapi_json;

use crate::mcp;
use crate::service::AppState;

/// Builds the router for all routes of the public listener.
pub fn router(app: AppState, assets: Assets) -> Router {
    // Leptos needs its executor. Initialising it a second time fails, which happens in tests.
    let _ = any_spawner::Executor::init_tokio();
    let document = openapi::document(&app.public_url);
    let docs = docs::Docs::new(&app, &assets, &document);
    let small_bodies = from_fn_with_state(app.clone(), small_body::reserve);
    let metered = from_fn_with_state(app.clone(), client::attach_client);
    let kept = from_fn_with_state(app.clone(), access_log::log_access);
    let reached = security_headers::Reached::at(&app.public_url);
    let guard = from_fn_with_state(reached, security_headers::guard);
    let well_known = well_known::router(&app);
    Router::new()
        .nest("/v1", api::router(&document).layer(small_bodies.clone()))
        // `nest` doesn't match the prefix with a trailing slash.
        .route("/v1/", any(error::no_route))
        .nest(
            "/r/{id}",
            takes::router(&app).layer(pages::not_to_be_found()),
        )
        .nest("/videos", video_metadata::router())
        .with_state(app.clone())
        .merge(
            mcp::router(app.clone())
                .layer(small_bodies)
                .layer(map_request(drain_body::drain_body)),
        )
        .merge(mcp_server_card::router(&app.public_url))
        .merge(pages::router(app.clone(), &assets, docs))
        .merge(assets::router())
        .merge(well_known)
        .merge(health::router(app))
        .layer(from_fn(host::require))
        .layer(metered)
        .layer(guard)
        .layer(kept)
}
