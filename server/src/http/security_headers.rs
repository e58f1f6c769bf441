//! What browsers are told that they may do with an answer: all of it stands here.
//!
//! Answers to programs get no document's rights at all. `Cross-Origin-Resource-Policy` bars what pages of others
//! would embed, and nothing that they ask for by CORS, which it isn't about (Fetch, section 3.7).

use app::pages::Kind;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use leptos::nonce::Nonce;

use crate::service::PublicUrl;

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What is no page needs nothing, even where somebody opens it by itself.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// The player's page shows a video by its worker, and is shown in the home page: that is all.
pub(super) const PLAYER: &str = "default-src 'none'; style-src 'self'; media-src 'self' blob:; \
                                 worker-src 'self'; form-action 'none'; base-uri 'none'; \
                                 frame-ancestors 'self'";

/// The player's worker asks this server, and nobody else.
pub(super) const WORKER: &str = "default-src 'none'; connect-src 'self'";

/// What a recording may take, and only in our own page.
const RECORDING: &str = "camera=(self), microphone=(self), display-capture=(self), \
                         screen-wake-lock=(self), geolocation=(), payment=(), usb=()";

/// What all other pages may.
const NOTHING: &str = "camera=(), microphone=(), display-capture=(), screen-wake-lock=(), \
                       geolocation=(), payment=(), usb=()";

/// Browsers remember for a year that there is HTTPS here. Of other names below ours we know nothing.
const ONLY_HTTPS: &str = "max-age=31536000";

/// How this server is reached.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    by_https: bool,
}

impl Reached {
    pub(super) fn at(url: &PublicUrl) -> Self {
        Self {
            by_https: url.as_str().starts_with("https://"),
        }
    }
}

/// For every answer there is; what one says of itself already stays.
pub(super) async fn guard(
    State(reached): State<Reached>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_page = media_type.is_some_and(|it| it.starts_with(b"text/html"));
    let mut say = |name: HeaderName, value| {
        let value = HeaderValue::from_static(value);
        headers.entry(name).or_insert(value);
    };
    say(X_CONTENT_TYPE_OPTIONS, "nosniff");
    say(REFERRER_POLICY, "no-referrer");
    say(RESOURCE_POLICY, "same-origin");
    say(CONTENT_SECURITY_POLICY, NO_PAGE);
    if is_page {
        say(OPENER_POLICY, "same-origin");
        say(PERMISSIONS_POLICY, NOTHING);
    }
    // Which must not be said where there is none: RFC 6797, section 7.2.
    if reached.by_https {
        say(STRICT_TRANSPORT_SECURITY, ONLY_HTTPS);
    }
    response
}

/// Our own files and nothing else, and of those what this kind of page uses. Leptos ends a page with two inline
/// scripts: hence the nonce. A page without one runs no script at all.
pub(super) fn of_page(kind: Kind, nonce: Option<&Nonce>) -> HeaderMap {
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
        Kind::Docs | Kind::Closed | Kind::Over => ("", "img-src 'self'; "),
    };
    let scripts = nonce.map_or_else(String::new, |nonce| {
        format!("script-src 'self'{sources} 'nonce-{nonce}'; ")
    });
    let policy = format!(
        "default-src 'none'; {scripts}style-src 'self'; \
         {more}form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let permissions = match kind {
        Kind::Record => RECORDING,
        Kind::Home | Kind::Docs | Kind::Closed | Kind::Over => NOTHING,
    };
    let mut headers = HeaderMap::new();
    headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(permissions));
    // The nonce is base64, so it can be said.
    if let Ok(policy) = HeaderValue::try_from(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn https_is_asked_for_where_there_is_https() {
        for (url, want) in [
            ("https://evidence.example.org", Some(ONLY_HTTPS)),
            ("http://127.0.0.1:3000", None),
        ] {
            let reached = Reached::at(&PublicUrl::new(url));
            let answers = Router::new().layer(from_fn_with_state(reached, guard));
            let answer = answers.oneshot(Request::new(Body::empty())).await;
            let answer = answer.expect("an answer");
            let said = answer.headers().get(STRICT_TRANSPORT_SECURITY);
            assert_eq!(said.map(HeaderValue::as_bytes), want.map(str::as_bytes));
        }
    }
}
