//! Security headers of each kind of response.

use reqwest::{Method, Response};
use serde_json::json;

use crate::support::{CLIP, Server, on_each_storage};

on_each_storage! {
    every_kind_of_response_has_its_security_headers
    cors_allows_api_calls_from_other_origins
}

const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

const RECORDING: &str = "camera=(self), microphone=(self), display-capture=(self), \
                         screen-wake-lock=(self), geolocation=(), payment=(), usb=()";

const NOTHING: &str = "camera=(), microphone=(), display-capture=(), screen-wake-lock=(), \
                       geolocation=(), payment=(), usb=()";

const RECORD: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'nonce-…'; \
                      style-src 'self'; connect-src 'self'; img-src 'self' blob:; \
                      media-src 'self' blob:; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

const HOME: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'nonce-…'; \
                    style-src 'self'; connect-src 'self'; img-src 'self' blob:; \
                    media-src 'self' blob:; frame-src 'self'; worker-src 'self'; \
                    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page that is the same for every visitor needs no nonce.
const DOCS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A text that an operator may have written runs no script.
const DOCUMENT: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                        base-uri 'none'; frame-ancestors 'none'";

const PLAIN: &str = "default-src 'none'; script-src 'self' 'nonce-…'; style-src 'self'; \
                     img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PLAYER: &str = "default-src 'none'; style-src 'self'; media-src 'self' blob:; \
                      worker-src 'self'; form-action 'none'; base-uri 'none'; \
                      frame-ancestors 'self'";

const WORKER: &str = "default-src 'none'; connect-src 'self'";

/// The CSP with its nonce replaced.
fn policy(answer: &Response) -> String {
    let values: Vec<_> = answer
        .headers()
        .get_all("content-security-policy")
        .iter()
        .map(|it| it.to_str().expect("text"))
        .collect();
    let [values] = values[..] else {
        panic!("{} policies", values.len());
    };
    match values.split_once("'nonce-") {
        Some((before, rest)) => {
            let (_, after) = rest.split_once('\'').expect("an end");
            format!("{before}'nonce-…'{after}")
        }
        None => values.to_owned(),
    }
}

async fn every_kind_of_response_has_its_security_headers(server: Server) {
    let (open, used) = (server.create_request().await, server.create_request().await);
    let video = used.submit_video(CLIP).await;
    let request = format!("/v1/requests/{}", used.id());
    let metadata = format!("{}/metadata", video.replacen("/v1", "", 1));
    let icon = server.get("/").await.text().await.expect("HTML");
    let icon = icon.split('"').find(|it| it.starts_with("/assets/icon"));
    let page = |policy, permissions| (policy, Some(permissions));
    let other = |policy| (policy, None);
    for (path, (policy, permissions)) in [
        (open.link_path(""), page(RECORD, RECORDING)),
        (used.link_path(""), page(PLAIN, NOTHING)),
        (open.link_path("/report"), page(PLAIN, NOTHING)),
        ("/r/0000000000000000000000".to_owned(), page(PLAIN, NOTHING)),
        ("/".to_owned(), page(HOME, NOTHING)),
        ("/docs".to_owned(), page(DOCS, NOTHING)),
        ("/docs/mcp".to_owned(), page(DOCS, NOTHING)),
        ("/docs/locales/de".to_owned(), page(DOCUMENT, NOTHING)),
        ("/terms".to_owned(), page(DOCUMENT, NOTHING)),
        ("/privacy".to_owned(), page(DOCUMENT, NOTHING)),
        ("/nothing".to_owned(), page(PLAIN, NOTHING)),
        ("/watch/".to_owned(), page(PLAYER, NOTHING)),
        ("/watch.js".to_owned(), other(WORKER)),
        (icon.expect("an icon").to_owned(), other(NO_PAGE)),
        ("/assets/nothing".to_owned(), other(NO_PAGE)),
        (open.link_path("/state"), other(NO_PAGE)),
        (open.link_path("/qr.svg"), other(NO_PAGE)),
        (open.link_path("/nothing"), other(NO_PAGE)),
        (request, other(NO_PAGE)),
        (video, other(NO_PAGE)),
        (metadata, other(NO_PAGE)),
        ("/v1/openapi.json".to_owned(), other(NO_PAGE)),
        ("/v1/nothing".to_owned(), other(NO_PAGE)),
        ("/mcp".to_owned(), other(NO_PAGE)),
        ("/mcp/server-card".to_owned(), other(NO_PAGE)),
        ("/llms.txt".to_owned(), other(NO_PAGE)),
        ("/robots.txt".to_owned(), other(NO_PAGE)),
        ("/.well-known/security.txt".to_owned(), other(NO_PAGE)),
        ("/healthz".to_owned(), other(NO_PAGE)),
    ] {
        let answer = used.send_authorized(Method::GET, &path).await;
        assert_eq!(self::policy(&answer), policy, "{path}");
        // Not even an HttpOnly cookie.
        assert!(!answer.headers().contains_key("set-cookie"), "{path}");
        let values = |name: &str| {
            let value = answer.headers().get(name);
            value.map(|it| it.to_str().expect("text").to_owned())
        };
        assert_eq!(
            values("permissions-policy").as_deref(),
            permissions,
            "{path}"
        );
        let opener = permissions.map(|_| "same-origin");
        assert_eq!(
            values("cross-origin-opener-policy").as_deref(),
            opener,
            "{path}"
        );
        for (name, value) in [
            ("x-content-type-options", Some("nosniff")),
            ("referrer-policy", Some("no-referrer")),
            ("cross-origin-resource-policy", Some("same-origin")),
            // The test server has no HTTPS.
            ("strict-transport-security", None),
        ] {
            assert_eq!(values(name).as_deref(), value, "{path}: {name}");
        }
    }
}

async fn cors_allows_api_calls_from_other_origins(server: Server) {
    let creator = server.create_request().await;
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for (request, allowed) in [
        (
            server.request(Method::POST, "/v1/requests").json(&body),
            "*",
        ),
        (
            server.request(Method::GET, &creator.link_path("/state")),
            "*",
        ),
        (
            server
                .request(Method::POST, "/mcp")
                .json(&message)
                .header("Accept", "application/json"),
            "https://agents.example.net",
        ),
    ] {
        let request = request.header("Origin", "https://agents.example.net");
        let answer = request.send().await.expect("an answer");
        assert!(answer.status().is_success(), "{answer:?}");
        assert_eq!(answer.headers()["access-control-allow-origin"], allowed);
    }
}
