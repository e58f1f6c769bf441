//! Metrics of HTTP requests that end other than with an immediate response.

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::mcp_client::{call_tool, with_argument};
use crate::support::scrape::{AdminServer, assert_grown, http};
use crate::support::{LIVE_WEBM, Server, on_each_storage, wait_until};

on_each_storage! {
    disconnected_requests_are_counted_with_status_none
    long_polls_are_not_counted_as_latency
    unknown_routes_and_methods_share_one_label
}

async fn disconnected_requests_are_counted_with_status_none(server: Server) {
    let admin = AdminServer::start(&server).await;
    let before = admin.scrape().await;
    let creator = server.create_request().await;
    let path = format!("/v1/requests/{}", creator.id());
    let wait = HeaderMap::from_iter([(
        "prefer".parse().expect("a name"),
        HeaderValue::from_static("wait=50"),
    )]);
    let waiting = creator.send_with_headers(Method::GET, &path, wait);
    let route = [("method", "GET"), ("route", "/v1/requests/{id}")];
    let in_flight = "vidence_http_requests_in_flight";
    let waits = async || {
        let scrape = admin.scrape().await;
        scrape.count("vidence_waits_in_flight", &[]) >= 1.0
            && scrape.count(in_flight, &route) >= 1.0
    };
    tokio::select! {
        early = waiting => panic!("answered: {early:?}"),
        () = wait_until(waits) => {}
    }
    let left = http("GET", "/v1/requests/{id}", "none");
    let total = "vidence_http_requests_total";
    admin.wait_for_growth(&before, total, &left, 1.0).await;
    let after = admin.scrape().await;
    assert_grown(&before, &after, total, &left, 1.0);
    assert_grown(&before, &after, in_flight, &route, 0.0);
}

/// Waits over REST and MCP that end at once, because the result is there or impossible.
async fn long_polls_are_not_counted_as_latency(server: Server) {
    let admin = AdminServer::start(&server).await;
    let creator = server.create_request().await;
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
    // Every call waits briefly for pending stills.
    let patient = with_argument(keys.clone(), "wait_seconds", 45);
    call_tool(&server, "get_video_evidence", &patient).await;
    let before = admin.scrape().await;
    let poll = async || {
        creator.send_authorized(Method::GET, &path).await;
        creator
            .send_with_headers(Method::GET, &path, waits("wait=50"))
            .await;
        call_tool(&server, "get_video_evidence", &keys).await;
        call_tool(&server, "get_video_evidence", &patient).await;
    };
    poll().await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    poll().await;
    for labels in [
        [("method", "GET"), ("route", "/v1/requests/{id}")],
        [("method", "POST"), ("route", "/mcp")],
    ] {
        let name = "vidence_http_request_duration_seconds_count";
        admin.wait_for_growth(&before, name, &labels, 2.0).await;
        let after = admin.scrape().await;
        assert_grown(&before, &after, name, &labels, 2.0);
    }
}

async fn unknown_routes_and_methods_share_one_label(server: Server) {
    let admin = AdminServer::start(&server).await;
    let before = admin.scrape().await;
    let unknown_method = Method::from_bytes(b"BREW").expect("a method");
    for path in [
        "/coffee",
        "/v1/coffee",
        "/r/none/coffee",
        "/v1/requests/none/coffee",
    ] {
        server.get(path).await;
        server
            .request(unknown_method.clone(), path)
            .send()
            .await
            .expect("an answer");
    }
    let total = "vidence_http_requests_total";
    admin.wait_for_growth(&before, total, &[], 8.0).await;
    let after = admin.scrape().await;
    assert_grown(&before, &after, total, &[("method", "unknown")], 4.0);
    assert_grown(&before, &after, total, &[], 8.0);
    for value in after.label_values() {
        assert!(
            !value.contains("coffee") && !value.contains("BREW"),
            "{value}"
        );
        assert!(!value.contains("__"), "{value} is the router's own");
    }
}
