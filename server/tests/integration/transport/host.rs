//! Missing, repeated and invalid hosts are refused.

use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::StatusCode;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::http_framing::statuses;
use crate::support::Server;
use crate::support::scrape::AdminServer;

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_repeated_or_invalid_host_is_400_on_every_path() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let paths = [
        "/",
        "/healthz",
        "/mcp",
        "/v1/requests/a",
        "/docs",
        "/nowhere",
        &creator.link_path(""),
    ];
    let own = server.base.strip_prefix("http://").expect("an address");
    for path in paths {
        for (version, lines, refused) in [
            ("1.1", format!("Host: {own}\r\n"), false),
            ("1.1", "Host: localhost\r\n".to_owned(), false),
            ("1.1", String::new(), true),
            ("1.1", format!("Host: {own}\r\nHost: {own}\r\n"), true),
            (
                "1.1",
                format!("Host: {own}\r\nHost: evil.example\r\n"),
                true,
            ),
            (
                "1.1",
                format!("Host: evil.example\r\nHost: {own}\r\n"),
                true,
            ),
            ("1.1", "Host:\r\n".to_owned(), true),
            ("1.1", "Host: a b\r\n".to_owned(), true),
            ("1.1", "Host: http://localhost\r\n".to_owned(), true),
            ("1.1", "Host: user@localhost\r\n".to_owned(), true),
            ("1.1", "Host: localhost:port\r\n".to_owned(), true),
            ("1.0", String::new(), false),
            ("1.0", format!("Host: {own}\r\nHost: {own}\r\n"), true),
        ] {
            let request = format!("GET {path} HTTP/{version}\r\n{lines}Connection: close\r\n\r\n");
            let statuses_received = statuses(server.connect().await, request.as_bytes()).await;
            assert_eq!(statuses_received.len(), 1, "{request}");
            assert_eq!(
                statuses_received[0] == 400,
                refused,
                "{request} {statuses_received:?}"
            );
        }
        // A target in absolute form doesn't replace the Host field.
        for (lines, refused) in [(format!("Host: {own}\r\n"), false), (String::new(), true)] {
            let request =
                format!("GET http://{own}{path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n");
            let statuses_received = statuses(server.connect().await, request.as_bytes()).await;
            assert_eq!(
                statuses_received == [400],
                refused,
                "{request} {statuses_received:?}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_host_is_400_in_the_error_envelope_on_both_listeners() {
    let server = Server::sqlite().await;
    let admin = AdminServer::start(&server).await;
    for mut connection in [server.connect().await, admin.connect().await] {
        let request = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n";
        connection.write_all(request).await.expect("a request");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.expect("text");
        assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(body["error"]["code"], "bad_request");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_other_than_the_authority_is_400_over_http2() {
    let server = Server::sqlite().await;
    let own = server.base.strip_prefix("http://").expect("an address");
    for (host, want) in [
        (None, StatusCode::OK),
        (Some(own), StatusCode::OK),
        (Some("evil.example"), StatusCode::BAD_REQUEST),
    ] {
        let io = TokioIo::new(server.connect().await);
        let handshake = http2::handshake(TokioExecutor::new(), io).await;
        let (mut sender, connection) = handshake.expect("HTTP/2");
        tokio::spawn(connection);
        let mut request = axum::http::Request::get(format!("{}/healthz", server.base));
        if let Some(host) = host {
            request = request.header("host", host);
        }
        let request = request.body(axum::body::Body::empty()).expect("a request");
        let answer = sender.send_request(request).await.expect("an answer");
        assert_eq!(answer.status(), want, "{host:?}");
    }
}
