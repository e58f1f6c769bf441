//! `/healthz`: the process is up. `/readyz`: the server is ready for requests.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;

use crate::http::error::method_not_allowed;
use crate::service::AppState;
use crate::service::observability::readiness::{Availability, StoreHealth};

const NO_STORE: [(HeaderName, &str); 1] = [(CACHE_CONTROL, "no-store")];

/// The response body.
/// It names the parts that aren't available, or can only be read, without details: it needs no authorization.
#[derive(Serialize)]
struct Readiness {
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    away: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    read_only: Vec<&'static str>,
}

pub fn router(app: AppState) -> Router {
    let up = async || (NO_STORE, "ok\n");
    Router::new()
        .route("/readyz", get(ready))
        .with_state(app)
        .route("/healthz", get(up))
        .method_not_allowed_fallback(method_not_allowed)
}

async fn ready(State(app): State<AppState>) -> Response {
    let (status, readiness) = if app.shutdown.draining.is_cancelled() {
        let draining = Readiness {
            status: "draining",
            away: Vec::new(),
            read_only: Vec::new(),
        };
        (StatusCode::SERVICE_UNAVAILABLE, draining)
    } else {
        to_response(app.store_health().await)
    };
    (status, NO_STORE, Json(readiness)).into_response()
}

/// A server whose disk is read-only stays ready: it still serves videos, and no other one can.
fn to_response(parts: StoreHealth) -> (StatusCode, Readiness) {
    let parts = [("database", parts.database), ("blobs", parts.blobs)];
    let named = |availability| {
        let parts = parts.iter().filter(move |it| it.1 == availability);
        parts.map(|it| it.0).collect::<Vec<_>>()
    };
    let (away, read_only) = (
        named(Availability::Unavailable),
        named(Availability::ReadOnly),
    );
    let (code, status) = match (away.is_empty(), read_only.is_empty()) {
        (false, _) => (StatusCode::SERVICE_UNAVAILABLE, "unready"),
        (true, false) => (StatusCode::OK, "read_only"),
        (true, true) => (StatusCode::OK, "ready"),
    };
    let readiness = Readiness {
        status,
        away,
        read_only,
    };
    (code, readiness)
}
