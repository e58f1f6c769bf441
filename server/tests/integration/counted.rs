//! What the numbers say of HTTP requests that end in other ways than by an answer at once.

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::agent::{call, with};
use crate::scrape::{Admin, assert_grown, http};
use crate::support::{LIVE_WEBM, Server, journeys, wait_until};

journeys! {
    who_hangs_up_is_counted_as_such
    what_callers_asked_to_wait_for_is_no_latency
    what_nobody_knows_is_one_name
}

async fn who_hangs_up_is_counted_as_such(server: Server) {
    let admin = Admin::of(&server).await;
    let before = admin.scrape().await;
    let creator = server.create().await;
    let path = format!("/v1/requests/{}", creator.id());
    let wait = HeaderMap::from_iter([(
        "prefer".parse().expect("a name"),
        HeaderValue::from_static("wait=50"),
    )]);
    let waiting = creator.ask_with(Method::GET, &path, wait);
    let waits = async || admin.scrape().await.count("vidence_waits_under_way", &[]) >= 1.0;
    tokio::select! {
        early = waiting => panic!("answered: {early:?}"),
        () = wait_until(waits) => {}
    }
    let route = [("method", "GET"), ("route", "/v1/requests/{id}")];
    let left = http("GET", "/v1/requests/{id}", "none");
    wait_until(async || {
        admin
            .scrape()
            .await
            .value("vidence_http_requests_total", &left)
            .is_some()
    })
    .await;
    let after = admin.scrape().await;
    assert_grown(&before, &after, "vidence_http_requests_total", &left, 1.0);
    assert_grown(
        &before,
        &after,
        "vidence_http_requests_under_way",
        &route,
        0.0,
    );
}

/// Seconds of patience, over REST and over MCP, for what is there or can't be.
async fn what_callers_asked_to_wait_for_is_no_latency(server: Server) {
    let admin = Admin::of(&server).await;
    let creator = server.create().await;
    creator.submit_video(LIVE_WEBM).await;
    let path = format!("/v1/requests/{}", creator.id());
    let keys = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
        "delivery": "link",
    });
    let waits = |headers: &str| {
        let value = headers.parse().expect("a value");
        HeaderMap::from_iter([("prefer".parse().expect("a name"), value)])
    };
    // For pictures in the making every call waits a little.
    let patient = with(keys.clone(), "wait_seconds", 45);
    call(&server, "get_video_evidence", &patient).await;
    let before = admin.scrape().await;
    let ask = async || {
        creator.ask(Method::GET, &path).await;
        creator.ask_with(Method::GET, &path, waits("wait=50")).await;
        call(&server, "get_video_evidence", &keys).await;
        call(&server, "get_video_evidence", &patient).await;
    };
    ask().await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    ask().await;
    let after = admin.scrape().await;
    for labels in [
        [("method", "GET"), ("route", "/v1/requests/{id}")],
        [("method", "POST"), ("route", "/mcp")],
    ] {
        let name = "vidence_http_request_duration_seconds_count";
        assert_grown(&before, &after, name, &labels, 2.0);
    }
}

async fn what_nobody_knows_is_one_name(server: Server) {
    let admin = Admin::of(&server).await;
    let before = admin.scrape().await;
    let brew = Method::from_bytes(b"BREW").expect("a method");
    for path in [
        "/coffee",
        "/v1/coffee",
        "/r/none/coffee",
        "/v1/requests/none/coffee",
    ] {
        server.get(path).await;
        server
            .request(brew.clone(), path)
            .send()
            .await
            .expect("an answer");
    }
    let after = admin.scrape().await;
    assert_grown(
        &before,
        &after,
        "vidence_http_requests_total",
        &[("method", "unknown")],
        4.0,
    );
    assert_grown(&before, &after, "vidence_http_requests_total", &[], 8.0);
    for value in after.label_values() {
        assert!(
            !value.contains("coffee") && !value.contains("BREW"),
            "{value}"
        );
        assert!(!value.contains("__"), "{value} is the router's own");
    }
}
