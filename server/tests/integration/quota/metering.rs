//! Every route counts against the read limit of the client's address.

use std::collections::BTreeSet;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;

use net::client_addr::ClientAddr;
use reqwest::header::RETRY_AFTER;
use reqwest::{Method, StatusCode};
use server::config::QuotaArgs;
use server::service::quota;
use tokio::task::JoinSet;

use crate::support::{CLIP, Server, assert_refused, on_each_storage, unlimited_quotas, wait_until};

on_each_storage! {
    every_route_is_throttled_or_429_beyond_the_read_limit
    throttled_requests_beyond_the_limit_are_429
}

/// Every route as registered, and some fallbacks. `{id}` is a request's id, `{take}` a take's.
const ROUTES: [(Method, &str); 44] = [
    (Method::GET, "/"),
    (Method::GET, "/docs"),
    (Method::GET, "/docs/mcp"),
    (Method::GET, "/docs/mcp.md"),
    (Method::GET, "/docs/locales/de"),
    (Method::GET, "/llms.txt"),
    (Method::GET, "/terms"),
    (Method::GET, "/privacy"),
    (Method::GET, "/robots.txt"),
    (Method::GET, "/security.txt"),
    (Method::GET, "/.well-known/security.txt"),
    (Method::GET, "/.well-known/jwks.json"),
    (Method::GET, "/healthz"),
    (Method::GET, "/readyz"),
    (Method::GET, "/assets/{name}"),
    (Method::GET, "/watch/"),
    (Method::GET, "/watch.js"),
    (Method::GET, "/r/{id}"),
    (Method::POST, "/r/{id}"),
    (Method::GET, "/r/{id}/report"),
    (Method::POST, "/r/{id}/report"),
    (Method::GET, "/r/{id}/state"),
    (Method::POST, "/r/{id}/submission"),
    (Method::GET, "/r/{id}/qr.svg"),
    (Method::POST, "/r/{id}/takes"),
    (Method::OPTIONS, "/r/{id}/takes"),
    (Method::HEAD, "/r/{id}/takes/{take}"),
    (Method::GET, "/r/{id}/nothing"),
    (Method::POST, "/v1/requests"),
    (Method::GET, "/v1/requests/{id}"),
    (Method::GET, "/v1/videos/{id}"),
    (Method::GET, "/v1/openapi.json"),
    (Method::GET, "/v1/"),
    (Method::GET, "/v1/nothing"),
    (Method::GET, "/videos/{id}/metadata"),
    (Method::GET, "/videos/{id}/receipt"),
    (Method::GET, "/videos/{id}/stills/{at_ms}"),
    (Method::GET, "/videos/{id}/captions.vtt"),
    (Method::GET, "/videos/"),
    (Method::POST, "/mcp"),
    (Method::POST, "/mcp/"),
    (Method::GET, "/mcp/server-card"),
    (Method::GET, "/nothing"),
    (Method::POST, "/robots.txt"),
];

async fn every_route_is_throttled_or_429_beyond_the_read_limit(server: Server) {
    let creator = server.create_request().await;
    let take = creator.upload(CLIP).await;
    let link = creator.id().to_owned();
    let server = with_quotas_used_up(server).await;
    let mut waiting = JoinSet::new();
    for (method, template) in ROUTES {
        let path = template
            .replace("{id}", &link)
            .replace("{take}", take.rsplit('/').next().expect("an id"))
            .replace("{name}", "icon.svg")
            .replace("{at_ms}", "0");
        let request = server.request(method, &path).send();
        let for_programs = ["/v1/", "/videos/", "/mcp"];
        if for_programs.iter().any(|it| template.starts_with(it)) {
            let answer = request.await.expect("an answer");
            assert!(answer.headers().contains_key(RETRY_AFTER), "{template}");
            assert_refused(answer, 429, "rate_limited").await;
        } else {
            waiting.spawn(request);
        }
    }
    assert!(waiting.len() > 20);
    wait_until(async || server.app.quotas.throttled() == waiting.len()).await;
    assert!(waiting.try_join_next().is_none(), "one was answered");
}

async fn throttled_requests_beyond_the_limit_are_429(server: Server) {
    /// The documented limit: README.md.
    const MAX_WAITING: usize = 512;
    let server = with_quotas_used_up(server).await;
    // Stands for as many HTTP/2 streams, without their connections.
    let client = ClientAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let mut waiting = JoinSet::new();
    for _ in 0..MAX_WAITING {
        let app = server.app.clone();
        waiting.spawn(async move { quota::delay_excess_calls(&app, client).await.is_ok() });
    }
    wait_until(async || server.app.quotas.throttled() == MAX_WAITING).await;
    let refused = server.get("/robots.txt").await;
    assert!(refused.headers().contains_key(RETRY_AFTER));
    assert_refused(refused, 429, "rate_limited").await;
    assert!(waiting.try_join_next().is_none(), "one was answered");
    // Clients that give up free their slots.
    waiting.shutdown().await;
    wait_until(async || server.app.quotas.throttled() == 0).await;
}

/// Collects the paths of all `.route(…)` calls in these sources.
fn routes_in(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            routes_in(&path, into);
            continue;
        }
        let source = fs::read_to_string(&path).unwrap_or_default();
        let source = source.split("#[cfg(test)]").next().unwrap_or_default();
        for call in source.split("route(").skip(1) {
            let argument = call.trim_start().strip_prefix('"');
            into.extend(argument.and_then(|it| Some(it.split_once('"')?.0.to_owned())));
        }
    }
}

#[test]
fn every_registered_route_is_in_the_metered_list() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = BTreeSet::new();
    for room in ["http", "mcp"] {
        routes_in(&sources.join(room), &mut paths);
    }
    for path in ["/metrics", "/refusals"] {
        assert!(paths.remove(path), "{path} is only on the admin listener");
    }
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        let listed = ROUTES.iter().any(|(_, route)| route.ends_with(&path));
        assert!(listed, "{path} is not listed in ROUTES");
    }
}

/// A server whose read limit this client has exhausted, at ten times its rate.
async fn with_quotas_used_up(server: Server) -> Server {
    let quotas = QuotaArgs {
        read_limit: "1/hour:1".parse().expect("a rate"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    for _ in 0..10 {
        assert_eq!(server.get("/robots.txt").await.status(), StatusCode::OK);
    }
    server
}
