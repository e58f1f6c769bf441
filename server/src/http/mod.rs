//! Use cases over HTTP: unpack, one call, wrap. No SQL and no rules here.

mod api;
mod assets;
mod caller;
mod card;
mod coding;
mod conditions;
mod docs;
mod error;
mod facts;
mod form;
mod guide;
mod health;
mod linger;
mod openapi;
mod pages;
mod prefer;
mod problem;
mod qr;
mod range;
mod reader;
mod requests;
mod resumable;
mod structured;
mod takes;
mod tus;
mod videos;

use axum::Router;
use axum::extract::MatchedPath;
use axum::http::{HeaderName, HeaderValue, Request, header};
use axum::middleware::{from_fn_with_state, map_request};
use axum::routing::any;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;
use tracing::{Span, info_span};

pub use assets::Assets;
pub(crate) use openapi::openapi_json;

use crate::mcp;
use crate::service::App;

/// Everything that the service answers.
pub fn router(app: App, assets: Assets) -> Router {
    // Leptos needs to know its runtime. It refuses a second time, which tests come to.
    let _ = any_spawner::Executor::init_tokio();
    let document = openapi::document(&app.public_url);
    let slow = from_fn_with_state(app.clone(), caller::slow);
    let known = from_fn_with_state(app.clone(), caller::known);
    Router::new()
        .nest("/v1", api::router(&document))
        // Which the nested routes leave out.
        .route("/v1/", any(error::no_route))
        .nest(
            "/r/{id}",
            takes::router()
                .layer(slow.clone())
                .layer(pages::not_to_be_found()),
        )
        .nest("/videos", facts::router())
        .with_state(app.clone())
        .merge(
            mcp::router(app.clone())
                .layer(known)
                .layer(map_request(linger::linger)),
        )
        .merge(card::router(&app.public_url).layer(slow))
        .merge(pages::router(app, &assets, docs::reference(&document)))
        .merge(assets::router())
        .merge(health::router())
        .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(header::REFERRER_POLICY, "no-referrer"))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_failure(()),
        )
}

fn always(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}

/// Names the route and never the URL: the id in a link is all that it takes to use it.
fn span<B>(request: &Request<B>) -> Span {
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("unknown", MatchedPath::as_str);
    info_span!("http", method = %request.method(), route)
}
