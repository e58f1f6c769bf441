//! Connections: limits, eviction and reuse.

use std::io::ErrorKind;
use std::time::Duration;

use reqwest::StatusCode;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::certificate::{CertificateFiles, parse_serving_args};
use crate::support::scrape::{AdminServer, assert_grown};
use crate::support::{Server, wait_until};

/// Longer than anything here takes.
pub const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// All bytes until the server closes the connection.
pub(crate) async fn read_to_end(mut connection: TcpStream) -> Vec<u8> {
    let mut read_to_end = Vec::new();
    let read = timeout(TIMEOUT, connection.read_to_end(&mut read_to_end)).await;
    match read.expect("an end") {
        Ok(_) => {}
        // A close with unread bytes is a reset.
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
    }
    read_to_end
}

/// Sends a request. Returns whether the response is complete.
pub(crate) async fn is_answered(connection: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> bool {
    connection.write_all(HEALTH).await.expect("a request");
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok\n") {
        let mut piece = [0; 1024];
        match connection.read(&mut piece).await {
            Ok(0) | Err(_) => return false,
            Ok(length) => answer.extend_from_slice(&piece[..length]),
        }
    }
    answer.starts_with(b"HTTP/1.1 200")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_head_that_is_too_long_is_431() {
    let server = Server::sqlite().await;
    let request = server.client.get(format!("{}/healthz", server.base));
    let answer = request.header("x-long", "a".repeat(100_000)).send().await;
    let status = answer.expect("an answer").status();
    assert_eq!(status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
}

/// Idle connections there would otherwise use up the file descriptors of the server.
#[tokio::test(flavor = "multi_thread")]
async fn connections_to_the_operators_listener_are_limited_and_make_room() {
    let server = Server::sqlite().await;
    let admin = AdminServer::start(&server).await;
    let mut idle = Vec::new();
    for _ in 0..70 {
        let mut connection = admin.connect().await;
        connection.write_all(HEALTH).await.expect("a request");
        idle.push(connection);
    }
    assert_eq!(admin.get("/healthz").await.status(), StatusCode::OK);
    let mut closed = 0;
    for connection in idle {
        let read = timeout(Duration::from_millis(1), read_to_end(connection)).await;
        closed += usize::from(read.is_ok());
    }
    assert!(closed >= 6, "{closed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_from_one_address_are_limited() {
    let server = Server::sqlite().await;
    let args = parse_serving_args(&["--max-connections-per-address", "2"]);
    let server = server.with_serving_args(args).await;
    let admin = AdminServer::start(&server).await;
    let before = admin.scrape().await;
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    assert!(is_answered(&mut first).await && is_answered(&mut second).await);
    assert!(read_to_end(server.connect().await).await.is_empty());
    let (name, labels) = ("vidence_refusals_total", [("reason", "connections")]);
    assert_grown(&before, &admin.scrape().await, name, &labels, 1.0);
    // A closed connection frees its slot.
    drop(first);
    wait_until(async || is_answered(&mut server.connect().await).await).await;
    assert!(is_answered(&mut second).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_are_evicted_for_new_ones() {
    let server = Server::sqlite().await;
    let server = server
        .with_serving_args(parse_serving_args(&["--max-connections", "2"]))
        .await;
    let mut idle = server.connect().await;
    assert!(is_answered(&mut idle).await);
    let unused = server.connect().await;
    let mut next = server.connect().await;
    let answered = timeout(TIMEOUT, is_answered(&mut next)).await;
    assert!(answered.expect("a connection slot"));
    drop((idle, unused));
}

/// Uses a connection, leaves it idle for a while, and uses it again, also for several requests at once.
async fn assert_echoed(mut connection: impl AsyncRead + AsyncWrite + Unpin) {
    for _ in 0..2 {
        assert!(is_answered(&mut connection).await);
        let mut nothing = [0];
        let kept = timeout(Duration::from_millis(1500), connection.read(&mut nothing)).await;
        assert!(kept.is_err(), "it was closed, or sent bytes");
    }
    connection
        .write_all(&HEALTH.repeat(3))
        .await
        .expect("requests");
    for _ in 0..3 {
        let mut answer = Vec::new();
        while !answer.ends_with(b"ok\n") {
            answer.push(connection.read_u8().await.expect("an answer"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_can_be_used_again() {
    let server = Server::sqlite().await;
    assert_echoed(server.connect().await).await;

    let files = CertificateFiles::new();
    let server = server.with_serving_args(files.serving_args()).await;
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let tls_stream = files
        .connector(b"http/1.1")
        .connect(name, server.connect().await);
    assert_echoed(tls_stream.await.expect("a handshake")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partial_second_request_does_not_block_the_connection() {
    let server = Server::sqlite().await;
    let mut unusual = server.connect().await;
    unusual
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\r\nG")
        .await
        .expect("a request and the beginning of one");
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok\n") {
        answer.push(unusual.read_u8().await.expect("an answer"));
    }
    let mut nothing = [0];
    let kept = timeout(Duration::from_millis(500), unusual.read(&mut nothing)).await;
    assert!(kept.is_err(), "it was closed, or sent bytes");
    assert_eq!(server.get("/healthz").await.status(), StatusCode::OK);
    unusual.write_all(&HEALTH[1..]).await.expect("a request");
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok\n") {
        answer.push(unusual.read_u8().await.expect("an answer"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_body_of_a_refused_request_is_not_parsed_as_a_request() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let mut slow = server.connect().await;
    let head = format!(
        "PATCH {}/none HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/partial-upload\r\n\
         Upload-Offset: 0\r\nUpload-Complete: ?0\r\nContent-Length: {}\r\n\r\n",
        creator.link_path("/takes"),
        HEALTH.len(),
    );
    slow.write_all(head.as_bytes()).await.expect("a head");
    let mut answer = vec![slow.read_u8().await.expect("an answer")];
    // The connection is idle meanwhile, but for the body.
    let more = async { while slow.read_buf(&mut answer).await.is_ok_and(|it| it > 0) {} };
    let _ = timeout(Duration::from_millis(500), more).await;
    assert!(answer.starts_with(b"HTTP/1.1 404"));
    answer.clear();
    let _ = slow.write_all(HEALTH).await;
    let more = async { while slow.read_buf(&mut answer).await.is_ok_and(|it| it > 0) {} };
    let _ = timeout(Duration::from_secs(1), more).await;
    assert!(answer.is_empty(), "a body was answered");
}
