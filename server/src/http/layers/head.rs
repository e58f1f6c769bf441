//! Refuses requests whose head is invalid, before their handlers.

use axum::extract::Request;
use axum::http::header::TRANSFER_ENCODING;

use crate::http::error::ApiError;
use net::host_header;

/// The 400 for any path without exactly one valid Host header field (RFC 9112, section 3.2), or with a transfer coding
/// but `chunked` (section 6.1): a proxy that decodes it would see another body than the server does.
pub fn require(request: &Request) -> Result<(), ApiError> {
    if !host_header::is_valid(request) {
        let wanted = "given exactly once, as host or host:port";
        return Err(ApiError::header("Host", wanted));
    }
    let mut codings = request.headers().get_all(TRANSFER_ENCODING).into_iter();
    let is_chunked = codings
        .next()
        .is_none_or(|it| it.as_bytes().eq_ignore_ascii_case(b"chunked"));
    match is_chunked && codings.next().is_none() {
        true => Ok(()),
        false => Err(ApiError::header(
            "Transfer-Encoding",
            "chunked, if it is sent",
        )),
    }
}
