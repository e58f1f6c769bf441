//! Fixed addresses: `/robots.txt` (RFC 9309), `/.well-known/security.txt` (RFC 9116) and `/.well-known/jwks.json`.

pub mod mcp_server_card;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::clock::{Millis, rfc3339};
use crate::http::error::method_not_allowed;
use crate::service::AppState;

const TEXT: (axum::http::HeaderName, &str) = (CONTENT_TYPE, "text/plain; charset=utf-8");

/// Crawlers may index the pages that explain the service.
/// Links are private: their pages say `noindex`, which a crawler reads only where it may fetch them. An address that
/// is disallowed may be listed all the same.
const ROBOTS: &str = "User-agent: *
Allow: /v1/openapi.json
Disallow: /v1/
Disallow: /videos/
Disallow: /mcp
Disallow: /watch
";

const SECURITY: &str = "/.well-known/security.txt";

/// The validity of `security.txt`, in milliseconds.
///
/// Each response renews it; RFC 9116, section 2.5.5, recommends less than a year.
const EXPIRES_AFTER: Millis = 30 * 24 * 60 * 60 * 1000;

pub fn router(app: &AppState) -> Router {
    Router::new()
        .route("/robots.txt", get(robots))
        .route(SECURITY, get(security))
        .route("/security.txt", get(async || Redirect::permanent(SECURITY)))
        .route("/.well-known/jwks.json", get(receipt_keys))
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(app.clone())
}

async fn robots() -> impl IntoResponse {
    ([TEXT, (CACHE_CONTROL, "public, max-age=86400")], ROBOTS)
}

/// The public keys of receipts: a JSON Web Key Set (RFC 7517). Pages of any origin may verify receipts.
async fn receipt_keys(State(app): State<AppState>) -> Response {
    let Some(key) = &app.receipt_key else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (CONTENT_TYPE, "application/jwk-set+json"),
        // Another key may sign the next receipt.
        (CACHE_CONTROL, "no-cache"),
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    ];
    (headers, axum::Json(key.public_keys())).into_response()
}

async fn security(State(app): State<AppState>) -> Response {
    // A file without a contact is invalid: section 2.5.3.
    let Some(contact) = &app.operator.contact else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let expires = rfc3339((app.clock.now() + EXPIRES_AFTER) / 1000 * 1000);
    let mut text = format!(
        "Contact: {}\nExpires: {expires}\nPreferred-Languages: en\n",
        contact.as_str()
    );
    // The field must hold an https:// address: section 2.5.2.
    if app.public_url.is_https() {
        text += &format!("Canonical: {}{SECURITY}\n", app.public_url.as_str());
    }
    ([TEXT, (CACHE_CONTROL, "no-cache")], text).into_response()
}
