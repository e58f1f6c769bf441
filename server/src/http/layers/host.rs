//! Refuses requests without exactly one valid Host header field, before any other processing.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::error::ApiError;
use net::host_header;

/// Middleware for all paths that answers 400, as RFC 9112, section 3.2, requires.
pub async fn require(request: Request, next: Next) -> Response {
    match host_header::is_valid(&request) {
        true => next.run(request).await,
        false => {
            let want = "given exactly once, as host or host:port";
            ApiError::header("Host", want).into_response()
        }
    }
}
