//! `/healthz`: the process is up. `/readyz`: the server is ready for requests.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;

use crate::service::AppState;
use crate::service::observability::readiness;
use crate::service::observability::readiness::StoreHealth;

const NO_STORE: [(HeaderName, &str); 1] = [(CACHE_CONTROL, "no-store")];

/// The response body. It names the unavailable parts without details, since it needs no authorization.
#[derive(Serialize)]
struct Readiness {
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    away: Vec<&'static str>,
}

pub fn router(app: AppState) -> Router {
    let up = async || (NO_STORE, "ok\n");
    Router::new()
        .route("/readyz", get(ready))
        .with_state(app)
        .route("/healthz", get(up))
}

async fn ready(State(app): State<AppState>) -> Response {
    let (status, readiness) = if app.shutdown.draining.is_cancelled() {
        let draining = Readiness {
            status: "draining",
            away: Vec::new(),
        };
        (StatusCode::SERVICE_UNAVAILABLE, draining)
    } else {
        to_response(readiness::check(&app).await)
    };
    (status, NO_STORE, Json(readiness)).into_response()
}

fn to_response(parts: StoreHealth) -> (StatusCode, Readiness) {
    let parts = [("database", parts.database), ("blobs", parts.blobs)];
    let away = parts.into_iter().filter(|it| !it.1).map(|it| it.0);
    let away: Vec<_> = away.collect();
    let (code, status) = match away.is_empty() {
        true => (StatusCode::OK, "ready"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "unready"),
    };
    (code, Readiness { status, away })
}
