//! Refusals of calls, whatever is still being sent, and of clients with too many calls in progress.

use reqwest::{Method, RequestBuilder, StatusCode};
use server::config::{QuotaArgs, ServingArgs};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;

use super::connections::read_to_end;
use super::http_framing::statuses;
use crate::support::scrape::AdminServer;
use crate::support::{Server, assert_refused, on_storage, unlimited_quotas, wait_until};

on_storage! {
    sqlite sqlite
    a_refusal_reaches_a_client_that_is_still_sending
    a_connection_whose_body_is_not_wanted_is_told_to_close
    a_connection_stays_open_after_a_refused_body_was_read
    a_client_behind_a_proxy_may_have_so_many_calls_in_progress
}

/// Else the connection would be reset, and such a client would never read the answer.
async fn a_refusal_reaches_a_client_that_is_still_sending(server: Server) {
    // More than the socket buffers of both sides hold, and so little that a busy machine reads it while the server waits
    // for the rest of a refused body.
    const LENGTH: usize = 8 << 20;
    const SEND_BUFFER: u32 = 64 << 10;
    let creator = server.create_request().await;
    let takes = creator.link_path("/takes");
    let refusals = [
        ("PUT", takes.as_str(), "405"),
        ("POST", "/nowhere", "404"),
        ("POST", "/v1/requests", "400"),
    ];
    for (method, path, status) in refusals {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_send_buffer_size(SEND_BUFFER).expect("a buffer");
        let address = server.base.trim_start_matches("http://").parse();
        let connection = socket.connect(address.expect("an address")).await;
        let mut connection = connection.expect("a connection");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {LENGTH}\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).await.expect("sent");
        let sent = connection.write_all(&vec![b'x'; LENGTH]).await;
        assert!(sent.is_ok(), "{path}: {sent:?}");
        let answer = read_to_end(connection).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }
}

/// RFC 9110, section 10.1.1; RFC 9112, section 9.6.
/// Else a client sends its next request into a closed connection.
async fn a_connection_whose_body_is_not_wanted_is_told_to_close(server: Server) {
    let creator = server.create_request().await;
    let takes = creator.link_path("/takes");
    let tus = "Tus-Resumable: 1.0.0\r\nUpload-Length: 9\r\nContent-Type: video/mp4";
    for (path, fields, status) in [
        ("/v1/requests", "Content-Type: text/plain", 400),
        // The body of another media type is ignored.
        (takes.as_str(), tus, 201),
    ] {
        let mut connection = server.connect().await;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\n{fields}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).await.expect("sent");
        let answer = read_to_end(connection).await;
        let answer = String::from_utf8_lossy(&answer).to_lowercase();
        assert!(
            answer.starts_with(&format!("http/1.1 {status}")),
            "{answer}"
        );
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
}

async fn a_connection_stays_open_after_a_refused_body_was_read(server: Server) {
    let requests = "POST /v1/requests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                    Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}\
                    GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let statuses = statuses(server.connect().await, requests.as_bytes()).await;
    assert!(statuses.ends_with(&[400, 200]), "{statuses:?}");
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
