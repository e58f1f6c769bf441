//! Requests whose start, end or host two parties could parse differently, sent byte by byte: none is taken for two.

use std::time::Duration;

use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::StatusCode;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::Server;
use crate::support::scrape::AdminServer;

/// Longer than the server's own timeouts.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A body that is a request of its own if a body ends too early: the server answers it with 404.
const SMUGGLED_REQUEST: &str = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Ends the conversation; answered only if the connection was left open.
const LAST: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// Sends bytes. Returns the statuses of all responses until the server closes the connection.
async fn statuses(mut connection: TcpStream, bytes: &[u8]) -> Vec<u16> {
    // The server may close the connection before it has read everything.
    let _ = connection.write_all(bytes).await;
    let mut answers = Vec::new();
    let read = timeout(TIMEOUT, connection.read_to_end(&mut answers)).await;
    // A close with unread bytes is a reset.
    let _ = read.expect("an end");
    let answers = String::from_utf8_lossy(&answers).into_owned();
    let heads = answers.split("HTTP/1.").skip(1);
    heads
        .map(|it| it[2..5].parse().expect("a status"))
        .collect()
}

/// A POST to `/mcp`, which reads bodies, with these header lines and this body.
fn post(lines: &str, body: &str) -> String {
    format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n\r\n{body}")
}

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

#[tokio::test(flavor = "multi_thread")]
async fn no_request_is_smuggled_within_another() {
    let server = Server::sqlite().await;
    let length = SMUGGLED_REQUEST.len();
    let chunk = format!("{length:x}\r\n{SMUGGLED_REQUEST}\r\n0\r\n\r\n");
    let fits = format!("Content-Length: {length}");
    // `/mcp` refuses this body. Statuses of the responses to the request alone; with `true` the connection stays
    // open, and its next request is answered.
    for (name, request, answers, stays) in [
        (
            "one length",
            post(&fits, SMUGGLED_REQUEST),
            &[400][..],
            true,
        ),
        (
            "chunks",
            post("Transfer-Encoding: chunked", &chunk),
            &[400],
            true,
        ),
        (
            "the same length twice",
            post(&format!("{fits}\r\n{fits}"), SMUGGLED_REQUEST),
            &[400],
            true,
        ),
        (
            "two lengths",
            post(&format!("{fits}\r\nContent-Length: 0"), SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "two lengths, the other way round",
            post(&format!("Content-Length: 0\r\n{fits}"), SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a list of lengths",
            post(&format!("{fits}, 0"), SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        // RFC 9112, section 6.3: the chunks count, and the connection is closed.
        (
            "a length and chunks",
            post(&format!("{fits}\r\nTransfer-Encoding: chunked"), &chunk),
            &[400],
            false,
        ),
        (
            "a length and no chunk",
            post(
                &format!("{fits}\r\nTransfer-Encoding: chunked"),
                &format!("0\r\n\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a negative length",
            post("Content-Length: -1", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a length with a sign",
            post("Content-Length: +1", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a length in hexadecimal",
            post("Content-Length: 0x2f", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "a length beyond all numbers",
            post("Content-Length: 18446744073709551616", SMUGGLED_REQUEST),
            &[400],
            false,
        ),
        (
            "an unknown coding",
            post("Transfer-Encoding: xchunked", &chunk),
            &[400],
            false,
        ),
        (
            "a coding behind the chunks",
            post("Transfer-Encoding: chunked, identity", &chunk),
            &[400],
            false,
        ),
        (
            "a coding on the next line",
            post(
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                &chunk,
            ),
            &[400],
            false,
        ),
        (
            "a coding of HTTP/1.0",
            post("Transfer-Encoding: chunked", &chunk).replace(
                "HTTP/1.1\r\nHost: localhost\r\nT",
                "HTTP/1.0\r\nHost: localhost\r\nT",
            ),
            &[400],
            false,
        ),
        (
            "a space before the colon",
            post("Transfer-Encoding : chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a folded line",
            post("Transfer-Encoding:\r\n chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a control character",
            post("Transfer-Encoding: \u{b}chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a carriage return alone",
            post("X: a\rTransfer-Encoding: chunked", &chunk),
            &[400],
            false,
        ),
        (
            "a chunk of a negative size",
            post(
                "Transfer-Encoding: chunked",
                &format!("-1\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a chunk of a size with a prefix",
            post(
                "Transfer-Encoding: chunked",
                &format!("0x2f\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a chunk of a size beyond all numbers",
            post(
                "Transfer-Encoding: chunked",
                &format!("10000000000000000\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
        (
            "a chunk's extension with a bare line feed",
            post(
                "Transfer-Encoding: chunked",
                &format!("0;a\n\r\n\r\n{SMUGGLED_REQUEST}"),
            ),
            &[400],
            false,
        ),
    ] {
        let bytes = format!("{request}{LAST}");
        let statuses_received = statuses(server.connect().await, bytes.as_bytes()).await;
        let want: Vec<u16> = answers
            .iter()
            .copied()
            .chain(stays.then_some(200))
            .collect();
        assert_eq!(statuses_received, want, "{name}");
    }
}
