//! CORS: pages of any origin may call the API.

use std::time::Duration;

use axum::http::header;
use axum::http::{HeaderName, Method};
use tower_http::cors::{AllowHeaders, Any, CorsLayer};

use crate::http::header_names::{PREFERENCE_APPLIED, REPR_DIGEST, X_REQUEST_ID};

/// The CORS layer of the API, which allows any origin.
///
/// Each request needs a token, which browsers don't add by themselves; no cookie authenticates a client.
pub fn cross_origin() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
        // Listed by name: `*` doesn't cover `Authorization` (Fetch, section 3.3.3).
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(PREFLIGHT_LASTS)
        // No cacheable response depends on the client.
        .vary([])
}

/// The exposed header fields besides those that a page may read anyway: Fetch, section 3.3.2.
const EXPOSED: [HeaderName; 13] = [
    header::ACCEPT_RANGES,
    header::ALLOW,
    header::CONTENT_DISPOSITION,
    header::CONTENT_LOCATION,
    header::CONTENT_RANGE,
    header::DATE,
    header::ETAG,
    header::LOCATION,
    header::RETRY_AFTER,
    header::WWW_AUTHENTICATE,
    REPR_DIGEST,
    PREFERENCE_APPLIED,
    X_REQUEST_ID,
];

/// How long a preflight result may be cached. Browsers reduce it, some to ten minutes.
const PREFLIGHT_LASTS: Duration = Duration::from_secs(24 * 60 * 60);
