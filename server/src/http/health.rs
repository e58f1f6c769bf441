//! `/healthz`: the process is up.

use axum::Router;
use axum::http::header::CACHE_CONTROL;
use axum::routing::get;

pub(super) fn router() -> Router {
    let up = async || ([(CACHE_CONTROL, "no-store")], "ok\n");
    Router::new().route("/healthz", get(up))
}
