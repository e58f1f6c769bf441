//! The header fields that restrict what browsers may do with a response.
//!
//! Responses that are not pages get a policy without any permissions. `Cross-Origin-Resource-Policy` keeps other
//! sites from embedding resources, but doesn't affect CORS requests (Fetch, section 3.7).

use app::pages::Kind;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use leptos::nonce::Nonce;

use crate::config::public_url::PublicUrl;

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The policy of responses that are not pages.
///
/// They load nothing, even when a browser opens them directly.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// The policy of the player's page.
///
/// It shows a video through its worker and is framed by the home page.
pub const PLAYER: &str = "default-src 'none'; style-src 'self'; media-src 'self' blob:; \
                                 worker-src 'self'; form-action 'none'; base-uri 'none'; \
                                 frame-ancestors 'self'";

/// The policy of the player's worker, which connects to this server only.
pub const WORKER: &str = "default-src 'none'; connect-src 'self'";

/// The permissions of the recording page, for its own origin only.
const RECORDING: &str = "camera=(self), microphone=(self), display-capture=(self), \
                         screen-wake-lock=(self), geolocation=(), payment=(), usb=()";

/// The permissions of all other pages.
const NOTHING: &str = "camera=(), microphone=(), display-capture=(), screen-wake-lock=(), \
                       geolocation=(), payment=(), usb=()";

/// `Strict-Transport-Security` for one year, without subdomains, which may not support HTTPS.
const ONLY_HTTPS: &str = "max-age=31536000";

/// Number of fields that are added at most.
const MAX_ADDED: usize = 8;

/// Adds the fields to a response of a server at this URL; fields that its handler has set are kept.
pub fn restrict(headers: &mut HeaderMap, public_url: &PublicUrl) {
    // Once, instead of at one of the insertions.
    headers.reserve(MAX_ADDED);
    let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_page = media_type.is_some_and(|it| it.starts_with(b"text/html"));
    let mut set_default = |name: HeaderName, value| {
        let value = HeaderValue::from_static(value);
        headers.entry(name).or_insert(value);
    };
    set_default(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set_default(REFERRER_POLICY, "no-referrer");
    set_default(RESOURCE_POLICY, "same-origin");
    set_default(CONTENT_SECURITY_POLICY, NO_PAGE);
    if is_page {
        set_default(OPENER_POLICY, "same-origin");
        set_default(PERMISSIONS_POLICY, NOTHING);
    }
    // Without HTTPS the field must not be sent: RFC 6797, section 7.2.
    if public_url.is_https() {
        set_default(STRICT_TRANSPORT_SECURITY, ONLY_HTTPS);
    }
}

/// The policies of a page: it loads only the server's own files, of the kinds that it uses.
///
/// Leptos ends a page with two inline scripts, which need the nonce. A page that is rendered once has none; only the
/// project's own documents run a script then, and no text of an operator does.
pub fn of_page(kind: Kind, nonce: Option<&Nonce>) -> HeaderMap {
    let (sources, more) = match kind {
        Kind::Record => (
            " 'wasm-unsafe-eval'",
            "connect-src 'self'; img-src 'self' blob:; media-src 'self' blob:; ",
        ),
        Kind::Home => (
            " 'wasm-unsafe-eval'",
            "connect-src 'self'; img-src 'self' blob:; media-src 'self' blob:; frame-src 'self'; \
             worker-src 'self'; ",
        ),
        Kind::Guide | Kind::Reference | Kind::Text | Kind::Closed | Kind::Over => {
            ("", "img-src 'self'; ")
        }
    };
    let scripts = match (nonce, kind) {
        (Some(nonce), _) => format!("script-src 'self'{sources} 'nonce-{nonce}'; "),
        (None, Kind::Guide | Kind::Reference) => "script-src 'self'; ".to_owned(),
        (None, _) => String::new(),
    };
    let policy = format!(
        "default-src 'none'; {scripts}style-src 'self'; \
         {more}form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let permissions = match kind {
        Kind::Record => RECORDING,
        Kind::Home | Kind::Guide | Kind::Reference | Kind::Text | Kind::Closed | Kind::Over => {
            NOTHING
        }
    };
    let mut headers = HeaderMap::new();
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(permissions));
    // The nonce is base64, which is a valid header value.
    if let Ok(policy) = HeaderValue::try_from(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hsts_is_sent_only_with_an_https_public_url() {
        for (url, want) in [
            ("https://evidence.example.org", Some(ONLY_HTTPS)),
            ("http://127.0.0.1:3000", None),
        ] {
            let mut headers = HeaderMap::new();
            restrict(&mut headers, &PublicUrl::new(url));
            let said = headers.get(STRICT_TRANSPORT_SECURITY);
            assert_eq!(said.map(HeaderValue::as_bytes), want.map(str::as_bytes));
        }
    }
}
