//! Refusals of calls, whatever is still being sent, and of clients with too many calls in progress.

use reqwest::{Method, RequestBuilder, StatusCode};
use server::config::{QuotaArgs, ServingArgs};
use tokio::io::AsyncWriteExt;

use super::connections::read_to_end;
use crate::support::scrape::AdminServer;
use crate::support::{Server, assert_refused, on_storage, unlimited_quotas, wait_until};

on_storage! {
    sqlite sqlite
    a_refusal_reaches_a_client_that_is_still_sending
    a_client_behind_a_proxy_may_have_so_many_calls_in_progress
}

/// Else the connection would be reset, and such a client would never read the answer.
async fn a_refusal_reaches_a_client_that_is_still_sending(server: Server) {
    // More than the socket buffers of both sides hold.
    const LENGTH: usize = 12 << 20;
    let creator = server.create_request().await;
    let takes = creator.link_path("/takes");
    let refusals = [
        ("PUT", takes.as_str(), "405"),
        ("POST", "/nowhere", "404"),
        ("POST", "/v1/requests", "400"),
    ];
    let sending = refusals.map(async |(method, path, status)| {
        let mut connection = server.connect().await;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {LENGTH}\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).await.expect("sent");
        let sent = connection.write_all(&vec![b'x'; LENGTH]).await;
        assert!(sent.is_ok(), "{path}: {sent:?}");
        let answer = read_to_end(connection).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
    });
    futures_util::future::join_all(sending).await;
}

async fn a_client_behind_a_proxy_may_have_so_many_calls_in_progress(server: Server) {
    let quotas = QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let serving = ServingArgs {
        max_connections_per_address: 2,
        ..server.config().serving.clone()
    };
    let server = server.with_serving_args(serving).await;
    let creator = server.create_request().await;
    let path = format!("/v1/requests/{}", creator.id());
    let status = |from: &str| -> RequestBuilder {
        let request = server.request(Method::GET, &path);
        let request = request.bearer_auth(&creator.created.access_token);
        request.header("X-Forwarded-For", from)
    };
    let long_poll = || tokio::spawn(status("192.0.2.1").header("Prefer", "wait=50").send());
    let polls = [long_poll(), long_poll()];
    let admin = AdminServer::start(&server).await;
    wait_until(async || admin.scrape().await.count("vidence_waits_in_flight", &[]) >= 2.0).await;
    let refused = status("192.0.2.1").send().await.expect("an answer");
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(refused.headers()["access-control-allow-origin"], "*");
    assert_refused(refused, 429, "rate_limited").await;
    let other = status("192.0.2.2").send().await.expect("an answer");
    assert_eq!(other.status(), StatusCode::OK);

    for poll in polls {
        poll.abort();
    }
    wait_until(async || {
        let answer = status("192.0.2.1").send().await.expect("an answer");
        answer.status() == StatusCode::OK
    })
    .await;
}
