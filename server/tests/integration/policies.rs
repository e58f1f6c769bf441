//! What browsers are told that they may do with each kind of answer.

use reqwest::{Method, Response};
use serde_json::json;

use crate::support::{CLIP, Server, journeys};

journeys! {
    every_kind_of_answer_says_what_may_be_done_with_it
    programs_on_pages_of_others_can_still_call
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

/// A page that is the same for every visitor runs no script.
const DOCUMENT: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                        base-uri 'none'; frame-ancestors 'none'";

const PLAIN: &str = "default-src 'none'; script-src 'self' 'nonce-…'; style-src 'self'; \
                     img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PLAYER: &str = "default-src 'none'; style-src 'self'; media-src 'self' blob:; \
                      worker-src 'self'; form-action 'none'; base-uri 'none'; \
                      frame-ancestors 'self'";

const WORKER: &str = "default-src 'none'; connect-src 'self'";

/// With what changes from answer to answer left out.
fn policy(answer: &Response) -> String {
    let said: Vec<_> = answer
        .headers()
        .get_all("content-security-policy")
        .iter()
        .map(|it| it.to_str().expect("text"))
        .collect();
    let [said] = said[..] else {
        panic!("said {} times", said.len());
    };
    match said.split_once("'nonce-") {
        Some((before, rest)) => {
            let (_, after) = rest.split_once('\'').expect("an end");
            format!("{before}'nonce-…'{after}")
        }
        None => said.to_owned(),
    }
}

async fn every_kind_of_answer_says_what_may_be_done_with_it(server: Server) {
    let (open, used) = (server.create().await, server.create().await);
    let video = used.submit_video(CLIP).await;
    let request = format!("/v1/requests/{}", used.id());
    let facts = format!("{}/metadata", video.replace("/v1", ""));
    let icon = server.get("/").await.text().await.expect("HTML");
    let icon = icon.split('"').find(|it| it.starts_with("/assets/icon"));
    let page = |policy, permissions| (policy, Some(permissions));
    let other = |policy| (policy, None);
    for (path, (policy, permissions)) in [
        (open.page(""), page(RECORD, RECORDING)),
        (used.page(""), page(PLAIN, NOTHING)),
        (open.page("/report"), page(PLAIN, NOTHING)),
        ("/r/0000000000000000000000".to_owned(), page(PLAIN, NOTHING)),
        ("/".to_owned(), page(HOME, NOTHING)),
        ("/docs".to_owned(), page(DOCUMENT, NOTHING)),
        ("/docs/mcp".to_owned(), page(DOCUMENT, NOTHING)),
        ("/terms".to_owned(), page(DOCUMENT, NOTHING)),
        ("/privacy".to_owned(), page(DOCUMENT, NOTHING)),
        ("/nothing".to_owned(), page(PLAIN, NOTHING)),
        ("/watch/".to_owned(), page(PLAYER, NOTHING)),
        ("/watch.js".to_owned(), other(WORKER)),
        (icon.expect("an icon").to_owned(), other(NO_PAGE)),
        ("/assets/nothing".to_owned(), other(NO_PAGE)),
        (open.page("/state"), other(NO_PAGE)),
        (open.page("/qr.svg"), other(NO_PAGE)),
        (open.page("/nothing"), other(NO_PAGE)),
        (request, other(NO_PAGE)),
        (video, other(NO_PAGE)),
        (facts, other(NO_PAGE)),
        ("/v1/openapi.json".to_owned(), other(NO_PAGE)),
        ("/v1/nothing".to_owned(), other(NO_PAGE)),
        ("/mcp".to_owned(), other(NO_PAGE)),
        ("/mcp/server-card".to_owned(), other(NO_PAGE)),
        ("/llms.txt".to_owned(), other(NO_PAGE)),
        ("/robots.txt".to_owned(), other(NO_PAGE)),
        ("/.well-known/security.txt".to_owned(), other(NO_PAGE)),
        ("/healthz".to_owned(), other(NO_PAGE)),
    ] {
        let answer = used.ask(Method::GET, &path).await;
        assert_eq!(self::policy(&answer), policy, "{path}");
        // Nor is there one for HTTP alone, which no script sees.
        assert!(!answer.headers().contains_key("set-cookie"), "{path}");
        let said = |name: &str| {
            let value = answer.headers().get(name);
            value.map(|it| it.to_str().expect("text").to_owned())
        };
        assert_eq!(said("permissions-policy").as_deref(), permissions, "{path}");
        let opener = permissions.map(|_| "same-origin");
        assert_eq!(
            said("cross-origin-opener-policy").as_deref(),
            opener,
            "{path}"
        );
        for (name, value) in [
            ("x-content-type-options", Some("nosniff")),
            ("referrer-policy", Some("no-referrer")),
            ("cross-origin-resource-policy", Some("same-origin")),
            // This server is reached without HTTPS.
            ("strict-transport-security", None),
        ] {
            assert_eq!(said(name).as_deref(), value, "{path}: {name}");
        }
    }
}

async fn programs_on_pages_of_others_can_still_call(server: Server) {
    let creator = server.create().await;
    let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for (request, allowed) in [
        (
            server.request(Method::POST, "/v1/requests").json(&wish),
            "*",
        ),
        (server.request(Method::GET, &creator.page("/state")), "*"),
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
