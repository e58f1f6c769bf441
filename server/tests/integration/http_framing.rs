//! Requests whose beginning, end or host two parties could read differently, byte by byte: none is taken for two.

use std::time::Duration;

use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::StatusCode;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::scrape::Admin;
use crate::support::Server;

/// Longer than the server's own patience.
const A_WHILE: Duration = Duration::from_secs(60);

/// A body that is a request of its own where a body ends too early: its answer is 404.
const SMUGGLED: &str = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Ends the conversation, with an answer if the connection was left open.
const LAST: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// Sends bytes, and returns the statuses of all answers until the server ends the connection.
async fn statuses(mut connection: TcpStream, bytes: &[u8]) -> Vec<u16> {
    // The server may be gone before it has read all of it.
    let _ = connection.write_all(bytes).await;
    let mut answers = Vec::new();
    let read = timeout(A_WHILE, connection.read_to_end(&mut answers)).await;
    // With bytes of ours unread its end isn't a polite one.
    let _ = read.expect("an end");
    let answers = String::from_utf8_lossy(&answers).into_owned();
    let heads = answers.split("HTTP/1.").skip(1);
    heads
        .map(|it| it[2..5].parse().expect("a status"))
        .collect()
}

/// A request to `/mcp`, where a body is read, with these header lines and this body.
fn post(lines: &str, body: &str) -> String {
    format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n\r\n{body}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_one_valid_host_is_refused_on_every_path() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let paths = [
        "/",
        "/healthz",
        "/mcp",
        "/v1/requests/a",
        "/docs",
        "/nowhere",
        &creator.page(""),
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
            let said = statuses(server.connect().await, request.as_bytes()).await;
            assert_eq!(said.len(), 1, "{request}");
            assert_eq!(said[0] == 400, refused, "{request} {said:?}");
        }
        // A target in absolute form doesn't stand in for the header field.
        for (lines, refused) in [(format!("Host: {own}\r\n"), false), (String::new(), true)] {
            let request =
                format!("GET http://{own}{path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n");
            let said = statuses(server.connect().await, request.as_bytes()).await;
            assert_eq!(said == [400], refused, "{request} {said:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_host_is_answered_in_the_envelope_and_at_the_operators_address() {
    let server = Server::on_a_laptop().await;
    let admin = Admin::of(&server).await;
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
async fn over_http_2_a_host_that_is_not_the_authority_is_refused() {
    let server = Server::on_a_laptop().await;
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
    let server = Server::on_a_laptop().await;
    let length = SMUGGLED.len();
    let chunk = format!("{length:x}\r\n{SMUGGLED}\r\n0\r\n\r\n");
    let fits = format!("Content-Length: {length}");
    // `/mcp` reads bodies, and refuses this one. The answers to the request alone; with `true` the connection stays, and
    // its next request is answered.
    for (name, request, answers, stays) in [
        ("one length", post(&fits, SMUGGLED), &[400][..], true),
        (
            "chunks",
            post("Transfer-Encoding: chunked", &chunk),
            &[400],
            true,
        ),
        (
            "the same length twice",
            post(&format!("{fits}\r\n{fits}"), SMUGGLED),
            &[400],
            true,
        ),
        (
            "two lengths",
            post(&format!("{fits}\r\nContent-Length: 0"), SMUGGLED),
            &[400],
            false,
        ),
        (
            "two lengths, the other way round",
            post(&format!("Content-Length: 0\r\n{fits}"), SMUGGLED),
            &[400],
            false,
        ),
        (
            "a list of lengths",
            post(&format!("{fits}, 0"), SMUGGLED),
            &[400],
            false,
        ),
        // RFC 9112, section 6.3: the chunks count, and the connection ends.
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
                &format!("0\r\n\r\n{SMUGGLED}"),
            ),
            &[400],
            false,
        ),
        (
            "a negative length",
            post("Content-Length: -1", SMUGGLED),
            &[400],
            false,
        ),
        (
            "a length with a sign",
            post("Content-Length: +1", SMUGGLED),
            &[400],
            false,
        ),
        (
            "a length in hexadecimal",
            post("Content-Length: 0x2f", SMUGGLED),
            &[400],
            false,
        ),
        (
            "a length beyond all numbers",
            post("Content-Length: 18446744073709551616", SMUGGLED),
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
            post("Transfer-Encoding: chunked", &format!("-1\r\n{SMUGGLED}")),
            &[400],
            false,
        ),
        (
            "a chunk of a size with a prefix",
            post("Transfer-Encoding: chunked", &format!("0x2f\r\n{SMUGGLED}")),
            &[400],
            false,
        ),
        (
            "a chunk of a size beyond all numbers",
            post(
                "Transfer-Encoding: chunked",
                &format!("10000000000000000\r\n{SMUGGLED}"),
            ),
            &[400],
            false,
        ),
        (
            "a chunk's extension with a bare line feed",
            post(
                "Transfer-Encoding: chunked",
                &format!("0;a\n\r\n\r\n{SMUGGLED}"),
            ),
            &[400],
            false,
        ),
    ] {
        let bytes = format!("{request}{LAST}");
        let said = statuses(server.connect().await, bytes.as_bytes()).await;
        let want: Vec<u16> = answers
            .iter()
            .copied()
            .chain(stays.then_some(200))
            .collect();
        assert_eq!(said, want, "{name}");
    }
}
