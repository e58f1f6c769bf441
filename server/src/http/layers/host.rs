//! Refuses requests without exactly one valid Host header field, before any other processing.

use axum::extract::Request;

use crate::http::error::ApiError;
use net::host_header;

/// The 400 that RFC 9112, section 3.2, requires, for any path.
pub fn require(request: &Request) -> Result<(), ApiError> {
    match host_header::is_valid(request) {
        true => Ok(()),
        false => Err(ApiError::header(
            "Host",
            "given exactly once, as host or host:port",
        )),
    }
}
