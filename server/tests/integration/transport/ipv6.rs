//! The release binary with IPv6 clients: links, client addresses and rate limits.

use app::api::CreatedRequest;
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::CLIP;
use crate::support::process::ServerProcess;
use test_support::servers::node::free_address;

/// A client of a listening server.
struct ForwardingClient {
    client: Client,
    base: String,
}

impl ForwardingClient {
    async fn create(&self, forwarded_for: Option<&str>) -> Response {
        let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        let mut creation_call = self.client.post(format!("{}/v1/requests", self.base));
        if let Some(address) = forwarded_for {
            creation_call = creation_call.header("X-Forwarded-For", address);
        }
        creation_call.json(&body).send().await.expect("an answer")
    }

    /// Whether a creation is within the rate limit.
    async fn is_admitted(&self, forwarded_for: Option<&str>) -> bool {
        match self.create(forwarded_for).await.status() {
            StatusCode::CREATED => true,
            StatusCode::TOO_MANY_REQUESTS => false,
            other => panic!("{other}"),
        }
    }
}

/// Starts a server with these flags, and a client of the address that it prints.
async fn serve(flags: &[&str]) -> (ServerProcess, ForwardingClient) {
    let mut server = ServerProcess::start(flags);
    let base = server.address().await;
    let client = Client::new();
    (server, ForwardingClient { client, base })
}

/// A free port, for servers with a public URL: those don't print the port that they listen on.
fn free_port() -> u16 {
    free_address().port()
}

#[tokio::test]
async fn links_of_an_ipv6_server_lead_back_to_it() {
    let (_server, client) = serve(&["--listen", "[::1]:0"]).await;
    let base = &client.base;
    assert!(base.starts_with("http://[::1]:"), "{base}");
    let created: CreatedRequest = client.create(None).await.json().await.expect("JSON");
    let page = &created.submission_url;
    assert!(page.starts_with(&format!("{base}/r/")), "{page}");
    let client = &client.client;
    let answer = client.get(page).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);

    let begun = client.post(format!("{page}/takes"));
    let begun = begun.header("Content-Type", "video/mp4").body(CLIP);
    let begun = begun.send().await.expect("an answer");
    assert_eq!(begun.status(), StatusCode::CREATED);
    let take = begun.headers()["location"].to_str().expect("text");
    let id = take.rsplit('/').next().expect("an id");
    let submitted = client.post(format!("{page}/submission"));
    let submitted = submitted.json(&json!({ "take": id })).send();
    assert_eq!(submitted.await.expect("an answer").status(), StatusCode::OK);

    let status = client.get(format!("{base}/v1/requests/{}", created.id));
    let status = status.bearer_auth(&created.access_token).send();
    let status: Value = status.await.expect("an answer").json().await.expect("JSON");
    let video = status["video"]["url"].as_str().expect("a video");
    assert!(video.starts_with(&format!("{base}/v1/videos/")), "{video}");
    let video = client.get(video).bearer_auth(&created.access_token).send();
    let video = video
        .await
        .expect("an answer")
        .bytes()
        .await
        .expect("bytes");
    assert!(video == CLIP);
}

#[tokio::test]
async fn mcp_accepts_the_origin_of_an_ipv6_server_and_no_foreign_one() {
    let (_server, client) = serve(&["--listen", "[::1]:0"]).await;
    let base = client.base.clone();
    for (origin, want) in [
        (base.as_str(), true),
        ("http://[2001:db8::1]", false),
        ("http://[::1].evil.example", false),
    ] {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        let call = client.client.post(format!("{base}/mcp")).json(&message);
        let call = call.header("Accept", "application/json, text/event-stream");
        let answer = call.header("Origin", origin).send().await;
        let status = answer.expect("an answer").status();
        assert_eq!(status != StatusCode::FORBIDDEN, want, "{origin}: {status}");
    }
}

#[tokio::test]
async fn rate_limits_behind_an_ipv6_proxy_count_networks() {
    let flags = [
        "--listen",
        "[::1]:0",
        "--trusted-proxies",
        "::1",
        "--create-limit",
        "1/hour:1",
    ];
    let (_server, client) = serve(&flags).await;
    for (address, want) in [
        ("2001:db8::1", true),
        // As some proxies write it; then another address of the same /64 network.
        ("[2001:db8::1]:4711", false),
        ("2001:DB8:0:0:ffff::2", false),
        ("[2001:db8:0:1::1]:4711", true),
        ("192.0.2.1", true),
        ("::ffff:192.0.2.1", false),
        ("[::ffff:192.0.2.1]:4711", false),
        ("198.51.100.1, 2001:db8:0:2::1", true),
        ("198.51.100.2, 2001:db8:0:2::2", false),
    ] {
        assert_eq!(client.is_admitted(Some(address)).await, want, "{address}");
    }
}

#[tokio::test]
async fn forwarded_addresses_of_an_untrusted_ipv6_client_are_ignored() {
    let flags = [
        "--listen",
        "[::1]:0",
        "--trusted-proxies",
        "2001:db8::/32,127.0.0.0/8",
        "--create-limit",
        "1/hour:1",
    ];
    let (_server, client) = serve(&flags).await;
    assert!(client.is_admitted(Some("2001:db8::1")).await);
    for address in ["2001:db8:1::1", "192.0.2.1", "::1"] {
        assert!(!client.is_admitted(Some(address)).await, "{address}");
    }
}

/// A dual-stack listener: the kernel shows IPv4 clients by IPv4-mapped IPv6 addresses.
#[tokio::test]
async fn ipv4_clients_of_a_dual_stack_listener_count_as_ipv4() {
    let port = free_port();
    let flags = [
        "--listen",
        &format!("[::]:{port}"),
        "--public-url",
        "https://evidence.example.org",
        "--create-limit",
        "1/hour:1",
        "--create-limit-for",
        "127.0.0.0/8=1/hour:2",
        "--trusted-proxies",
        "127.0.0.2",
    ];
    let mut server = ServerProcess::start(&flags);
    server
        .wait_for_line("open https://evidence.example.org ")
        .await;
    let by = |host: &str, from: &str| ForwardingClient {
        client: Client::builder()
            .local_address(Some(from.parse().expect("an address")))
            .build()
            .expect("a client"),
        base: format!("http://{host}:{port}"),
    };
    let by_ipv6 = by("[::1]", "::1");
    assert!(by_ipv6.is_admitted(None).await);
    assert!(!by_ipv6.is_admitted(None).await);
    let by_ipv4 = by("127.0.0.1", "127.0.0.1");
    for want in [true, true, false] {
        assert_eq!(by_ipv4.is_admitted(None).await, want);
    }
    let proxy = by("127.0.0.1", "127.0.0.2");
    assert!(proxy.is_admitted(Some("2001:db8::1")).await);
    assert!(!proxy.is_admitted(Some("2001:db8::2")).await);
    let created = proxy.create(Some("192.0.2.1")).await;
    let created: CreatedRequest = created.json().await.expect("JSON");
    let page = &created.submission_url;
    assert!(
        page.starts_with("https://evidence.example.org/r/"),
        "{page}"
    );
}

/// A phone has an address of either kind; the QR code names one that it can open.
#[tokio::test]
async fn the_lan_link_of_a_dual_stack_listener_can_be_opened() {
    let mut server = ServerProcess::start(&["--lan", "--listen", "[::]:0"]);
    let base = server.address().await;
    let client = server.client_trusting_certificate();
    let answer = client.get(format!("{base}/healthz")).send().await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    assert!(!base.contains("[::]"), "{base}");
    let port = base.rsplit(':').next().expect("a port");
    let this_host = client.get(format!("https://localhost:{port}/healthz"));
    let this_host = this_host.send().await.expect("an answer");
    assert_eq!(this_host.status(), StatusCode::OK);
}
