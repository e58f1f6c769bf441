//! `vidence top`: the networks that limits refuse, and how near the limits are.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::config::{QuotaArgs, RateLimit};

use crate::support::binary::vidence;
use crate::support::scrape::AdminServer;
use crate::support::{Server, on_each_storage, unlimited_quotas};

on_each_storage! {
    top_names_refused_networks_and_reasons_without_an_address
    refused_networks_are_listed_on_the_admin_listener_only
}

fn quotas() -> QuotaArgs {
    QuotaArgs {
        read_limit: "1/hour:1".parse::<RateLimit>().expect("an allowance"),
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    }
}

async fn read(server: &Server, from: &str) -> StatusCode {
    let read = server.request(Method::GET, "/v1/requests/none");
    let read = read.header("X-Forwarded-For", from).send().await;
    read.expect("an answer").status()
}

async fn top_names_refused_networks_and_reasons_without_an_address(server: Server) {
    let server = server.with_quotas(quotas()).await;
    let admin = AdminServer::start(&server).await;
    let variables = [("VIDENCE_ADMIN_LISTEN", admin.address().to_owned())];
    let top = async |flag| vidence(&["top", flag], &variables).await.success();
    let calm = top("--once").await;
    assert!(calm.contains("No network was refused"), "{calm}");

    let creator = server.create_request().await;
    let all = ["198.51.100.7", "198.51.100.8", "2001:db8:1:2:3::4"];
    for from in all {
        assert_eq!(read(&server, from).await, StatusCode::UNAUTHORIZED);
        let again = read(&server, from).await;
        assert_eq!(again, StatusCode::TOO_MANY_REQUESTS, "{from}");
    }
    let text = top("--once").await;
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|it| it.split_whitespace().collect())
        .collect();
    for line in [
        "2 198.51.100.0/24 read_rate=2",
        "1 2001:db8:1::/48 read_rate=1",
        "upload memory 0 B of 256.0 MiB",
    ] {
        let line: Vec<&str> = line.split_whitespace().collect();
        assert!(lines.contains(&line), "{line:?} in {text}");
    }
    let json = top("--json").await;
    let told: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        told["refusals"]["networks"],
        json!([
            { "network": "198.51.100.0/24", "refusals": 2, "by_reason": { "read_rate": 2 } },
            { "network": "2001:db8:1::/48", "refusals": 1, "by_reason": { "read_rate": 1 } },
        ])
    );
    assert_eq!(told["upload_memory_bytes"]["limit"], 256 << 20);
    let pools = told["database_pools"].as_object().expect("pools");
    assert!(!pools.is_empty(), "{json}");
    for (pool, usage) in pools {
        let known = ["used", "limit", "waiting"].map(|it| usage[it].is_u64());
        assert_eq!(known, [true; 3], "{pool} in {json}");
    }
    let secrets = [creator.id(), &creator.created.access_token, "127.0.0"];
    for secret in all.into_iter().chain(secrets) {
        assert!(!text.contains(secret), "{secret} in {text}");
        assert!(!json.contains(secret), "{secret} in {json}");
    }
}

async fn refused_networks_are_listed_on_the_admin_listener_only(server: Server) {
    let admin = AdminServer::start(&server).await;
    assert_eq!(admin.get("/refusals").await.status(), StatusCode::OK);
    let public = server.get("/refusals").await.status();
    assert_eq!(public, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn top_names_a_missing_setting_or_listener() {
    let complaint = vidence(&["top", "--once"], &[]).await.failure(2);
    assert!(complaint.contains("--admin-listen"), "{complaint}");
    // Nothing listens on port 1.
    let nowhere = ["top", "--once", "--admin-listen", "127.0.0.1:1"];
    let complaint = vidence(&nowhere, &[]).await.failure(1);
    assert!(complaint.contains("no operator listener"), "{complaint}");
}
