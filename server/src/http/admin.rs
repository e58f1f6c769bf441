//! What the operator asks, at an address of its own: `/metrics`, `/healthz`, `/readyz`, and nothing else.

use std::io;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::from_fn;
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

use super::{health, host};
use crate::service::AppState;
use crate::service::observability::gauges;
use crate::telemetry::Exporter;

/// Prometheus's text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

#[derive(Clone)]
struct Admin {
    app: AppState,
    exporter: Exporter,
}

/// Measures from this call on, and tells whoever asks at `listener`, for as long as it is polled. What goes up and down
/// is only right where this comes before whatever is counted.
pub fn serve(
    app: AppState,
    listener: TcpListener,
) -> impl Future<Output = io::Result<()>> + Send + 'static {
    let exporter = Exporter::install();
    let upkeep = exporter.clone();
    let router = Router::new()
        .route("/metrics", get(metrics))
        .with_state(Admin {
            app: app.clone(),
            exporter,
        })
        .merge(health::router(app))
        .layer(from_fn(host::require));
    async move {
        tokio::select! {
            served = async { axum::serve(listener, router).await } => served,
            () = upkeep.run_upkeep() => Ok(()),
        }
    }
}

async fn metrics(State(Admin { app, exporter }): State<Admin>) -> impl IntoResponse {
    let stands = gauges::render(&app).await.into_text();
    let headers = [(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "no-store")];
    (headers, format!("{}{stands}", exporter.render()))
}
