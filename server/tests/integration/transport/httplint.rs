//! httplint on one HTTP exchange of each kind, as sent over the wire.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use server::config::QuotaArgs;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{HOUR, LIVE_WEBM, Server, unlimited_quotas};
use test_support::tools::{Tools, run};

/// The programs of the contract tests.
const TOOLS: Tools = Tools::of("contract");

/// Accepted notes: note, prefix of the exchange's name, reason.
const ALLOWED: [(&str, &str, &str); 5] = [
    ("STATUS_BAD_REQUEST", "create-400", "as documented"),
    ("STORE_PUBLIC_UNNECESSARY", "asset", "stated explicitly"),
    ("STORE_PUBLIC_UNNECESSARY", "openapi", "likewise"),
    (
        "CC_CONFLICTING",
        "video",
        "`private` is for caches that know no `no-store`",
    ),
    ("CONTENT_TYPE_MISMATCH", "video", "it sniffs no videos"),
];

/// An exchange: its name, the request, and the expected status.
struct Exchange<'a> {
    name: &'a str,
    method: &'a str,
    path: &'a str,
    headers: &'a [(&'a str, &'a str)],
    body: &'a str,
    status: u16,
}

fn get<'a>(
    name: &'a str,
    path: &'a str,
    headers: &'a [(&'a str, &'a str)],
    status: u16,
) -> Exchange<'a> {
    Exchange {
        name,
        method: "GET",
        path,
        headers,
        body: "",
        status,
    }
}

fn create<'a>(name: &'a str, body: &'a str, status: u16) -> Exchange<'a> {
    Exchange {
        method: "POST",
        body,
        ..get(
            name,
            "/v1/requests",
            &[("Content-Type", "application/json")],
            status,
        )
    }
}

impl Exchange<'_> {
    /// Performs the exchange and writes both sides to the folder.
    async fn dump(&self, server: &Server, folder: &Path) {
        let host = server.base.strip_prefix("http://").expect("an address");
        let mut request = format!(
            "{} {} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: lint\r\nConnection: close\r\n",
            self.method, self.path
        );
        for (name, value) in self.headers {
            request += &format!("{name}: {value}\r\n");
        }
        if !self.body.is_empty() {
            request += &format!("Content-Length: {}\r\n", self.body.len());
        }
        request += &format!("\r\n{}", self.body);
        let mut connection = server.connect().await;
        let sent = connection.write_all(request.as_bytes()).await;
        sent.expect("a sent request");
        let mut response = Vec::new();
        let read = connection.read_to_end(&mut response).await;
        read.expect("a response to its end");
        let start = format!("HTTP/1.1 {} ", self.status);
        let shown = String::from_utf8_lossy(&response);
        assert!(shown.starts_with(&start), "{}: {shown}", self.name);
        let file = |side: &str| folder.join(format!("{}.{side}", self.name));
        fs::write(file("request"), request).expect("a file");
        fs::write(file("response"), response).expect("a file");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_response_passes_httplint() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::sqlite().await;
    dump_all(server, folder.path()).await;

    let mut lint = TOOLS.python("python");
    lint.arg(TOOLS.file("lint.py")).arg(folder.path());
    let printed = run(&mut lint, folder.path()).await;
    let mut used = BTreeSet::new();
    let mut violations = Vec::new();
    for line in printed.lines() {
        let mut parts = line.split('\t');
        let mut part = || parts.next().expect("three parts");
        let (exchange, note) = (part(), part());
        let allowed = ALLOWED.iter();
        let mut allowed = allowed.filter(|it| it.0 == note && exchange.starts_with(it.1));
        match allowed.next() {
            Some(allowed) => {
                used.insert(allowed);
            }
            None => violations.push(line),
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
    let unused = ALLOWED.iter().find(|it| !used.contains(it));
    assert_eq!(unused, None, "no longer needed");
}

async fn dump_all(server: Server, folder: &Path) {
    let creator = server.create_request().await;
    let other_token = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    let status = format!("/v1/requests/{}", creator.id());
    let (page, open) = (creator.link_path(""), other_token.link_path(""));
    let bearer = |token: &str| format!("Bearer {token}");
    let own = bearer(&creator.created.access_token);
    let foreign = bearer(&other_token.created.access_token);
    let token = ("Authorization", own.as_str());
    let etag = creator.send_authorized(reqwest::Method::HEAD, &video).await;
    let etag = etag.headers()["etag"].to_str().expect("a tag").to_owned();
    let home = server.get("/").await.text().await.expect("a page");
    let asset = home.split('"').find(|it| it.starts_with("/assets/"));
    let asset = asset.expect("an asset").to_owned();

    let body = r#"{"prompt":"Show the dent.","expires_in_hours":1}"#;
    let preflight = [
        ("Origin", "https://example.org"),
        ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "authorization,range"),
    ];
    for exchange in [
        create("create", body, 201),
        create("create-400", "{}", 400),
        get("status", &status, &[token], 200),
        get(
            "status-waited",
            &status,
            &[token, ("Prefer", "wait=1")],
            200,
        ),
        get("status-401", &status, &[], 401),
        get(
            "status-401-unknown",
            &status,
            &[("Authorization", "Bearer none")],
            401,
        ),
        get("status-403", &status, &[("Authorization", &foreign)], 403),
        get("status-404", "/v1/requests/none", &[token], 404),
        get("v1-404", "/v1/none", &[], 404),
        Exchange {
            method: "HEAD",
            ..get("status-head", &status, &[token], 200)
        },
        Exchange {
            method: "PUT",
            ..get("status-405", &status, &[token], 405)
        },
        Exchange {
            method: "OPTIONS",
            ..get("status-options", &status, &preflight, 200)
        },
        get("video", &video, &[token], 200),
        get("video-cross-origin", &video, &[token, preflight[0]], 200),
        get("video-206", &video, &[token, ("Range", "bytes=1-9")], 206),
        get("video-304", &video, &[token, ("If-None-Match", &etag)], 304),
        get(
            "video-412",
            &video,
            &[token, ("If-Match", "\"other\"")],
            412,
        ),
        get(
            "video-416",
            &video,
            &[token, ("Range", "bytes=99999999-")],
            416,
        ),
        Exchange {
            method: "HEAD",
            ..get("video-head", &video, &[token], 200)
        },
        get("openapi", "/v1/openapi.json", &[], 200),
        get("home", "/", &[], 200),
        get("page", &open, &[], 200),
        get("page-submitted", &page, &[], 200),
        get("page-404", "/r/none", &[], 404),
        get("nothing-404", "/none", &[], 404),
        get("asset", &asset, &[], 200),
        get("asset-brotli", &asset, &[("Accept-Encoding", "br")], 200),
        get("asset-404", "/assets/none.css", &[], 404),
        get("health", "/healthz", &[], 200),
    ] {
        exchange.dump(&server, folder).await;
    }
    let delete = format!("/v1/requests/{}", other_token.id());
    let bearer = [("Authorization", foreign.as_str())];
    let deletion = Exchange {
        method: "DELETE",
        ..get("delete", &delete, &bearer, 204)
    };
    deletion.dump(&server, folder).await;

    server.advance_clock(2 * HOUR);
    for exchange in [
        get("status-expired", &status, &[token], 200),
        get("video-410", &video, &[token], 410),
        get("page-410", &page, &[], 410),
    ] {
        exchange.dump(&server, folder).await;
    }
    let after_delete = QuotaArgs {
        create_limit: "1/hour:1".parse().expect("an allowance"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(after_delete).await;
    create("create-201", body, 201).dump(&server, folder).await;
    create("create-429", body, 429).dump(&server, folder).await;
}
