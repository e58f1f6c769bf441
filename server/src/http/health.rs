//! `/healthz`: the process is up.

use axum::Router;
use axum::routing::get;

pub(super) fn router() -> Router {
    Router::new().route("/healthz", get(async || "ok\n"))
}
