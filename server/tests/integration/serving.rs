//! Connections: which are let in, which keep their place, and what they speak.

use std::fs;
use std::io::ErrorKind;
use std::time::Duration;

use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::StatusCode;
use rustls::pki_types::ServerName;
use server::Tls;
use server::config::{LimitArgs, ServingArgs};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::support::certificate::{CertificateFiles, serving_by};
use crate::support::{Server, generous, wait_until};
use test_support::http2_frames;

/// Longer than anything here takes.
const A_WHILE: Duration = Duration::from_secs(60);

pub(crate) const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// What comes until the server ends the connection.
pub(crate) async fn rest(mut connection: TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    let read = timeout(A_WHILE, connection.read_to_end(&mut rest)).await;
    match read.expect("an end") {
        Ok(_) => {}
        // With bytes of ours unread it isn't a polite one.
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
    }
    rest
}

/// Asks, and reads the answer to its end.
pub(crate) async fn ask(connection: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> bool {
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
async fn a_head_that_is_too_long_is_refused() {
    let server = Server::on_a_laptop().await;
    let request = server.client.get(format!("{}/healthz", server.base));
    let answer = request.header("x-long", "a".repeat(100_000)).send().await;
    let status = answer.expect("an answer").status();
    assert_eq!(status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_its_share_of_connections() {
    let server = Server::on_a_laptop().await;
    let args = serving_by(&["--max-connections-per-address", "2"]);
    let server = server.serving(args).await;
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    assert!(ask(&mut first).await && ask(&mut second).await);
    assert!(rest(server.connect().await).await.is_empty());
    // As soon as one has gone there is room for another.
    drop(first);
    wait_until(async || ask(&mut server.connect().await).await).await;
    assert!(ask(&mut second).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_nothing_makes_room_for_who_comes_next() {
    let server = Server::on_a_laptop().await;
    let server = server
        .serving(serving_by(&["--max-connections", "2"]))
        .await;
    let mut idle = server.connect().await;
    assert!(ask(&mut idle).await);
    let unused = server.connect().await;
    let mut next = server.connect().await;
    let answered = timeout(A_WHILE, ask(&mut next)).await;
    assert!(answered.expect("a place"));
    drop((idle, unused));
}

/// A connection that is used, isn't for longer than the server keeps its buffers, and is used again.
async fn comes_back(mut connection: impl AsyncRead + AsyncWrite + Unpin) {
    for _ in 0..2 {
        assert!(ask(&mut connection).await);
        let mut nothing = [0];
        let kept = timeout(Duration::from_millis(1500), connection.read(&mut nothing)).await;
        assert!(kept.is_err(), "it was closed, or said something");
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
    let server = Server::on_a_laptop().await;
    comes_back(server.connect().await).await;

    let files = CertificateFiles::new();
    let server = server.serving(files.args()).await;
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let secure = files
        .connector(b"http/1.1")
        .connect(name, server.connect().await);
    comes_back(secure.await.expect("a handshake")).await;
}

/// Over TLS by HTTP/2, if that is what the server chose.
async fn ask_by_http2(server: &Server, files: &CertificateFiles) -> StatusCode {
    let tcp = server.connect().await;
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let connector = files.connector(b"h2");
    let stream = connector.connect(name, tcp).await.expect("a handshake");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
        .await
        .expect("HTTP/2");
    let running = tokio::spawn(connection);
    let request = axum::http::Request::get("https://127.0.0.1/healthz");
    let request = request.body(axum::body::Body::empty()).expect("a request");
    let answer = sender.send_request(request).await.expect("an answer");
    running.abort();
    answer.status()
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_is_spoken_by_both_versions_of_http_and_plain_http_is_sent_there() {
    let files = CertificateFiles::new();
    let server = Server::on_a_laptop().await.serving(files.args()).await;
    let secure = server.base.replace("http://", "https://");
    let answer = files.client().get(format!("{secure}/healthz")).send().await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    assert_eq!(ask_by_http2(&server, &files).await, StatusCode::OK);

    let plain = files.client().get(format!("{}/docs?a=b", server.base));
    let answer = plain.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::PERMANENT_REDIRECT);
    let to = answer.headers()["location"].to_str().expect("an address");
    assert!(to.ends_with("/docs?a=b"), "{to}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_over_tls_ends_with_a_word() {
    let files = CertificateFiles::new();
    let one_place = ServingArgs {
        max_connections: 1,
        ..files.args()
    };
    let server = Server::on_a_laptop().await.serving(one_place).await;
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let idle = files.connector(b"http/1.1");
    let idle = idle.connect(name, server.connect().await).await;
    let mut idle = idle.expect("a handshake");
    idle.write_all(HEALTH).await.expect("a request");
    // For which there is no place but that of the idle one.
    let next = server.connect().await;
    let mut said = Vec::new();
    let end = timeout(A_WHILE, idle.read_to_end(&mut said)).await;
    // Without that word it would be an error: something may have been cut off.
    end.expect("an end").expect("a word");
    assert!(said.ends_with(b"ok\n"));
    drop(next);
}

#[tokio::test(flavor = "multi_thread")]
async fn http2_is_spoken_without_tls_to_who_begins_with_it() {
    let server = Server::on_a_laptop().await;
    let io = TokioIo::new(server.connect().await);
    let handshake = http2::handshake(TokioExecutor::new(), io).await;
    let (mut sender, connection) = handshake.expect("HTTP/2");
    tokio::spawn(connection);
    let request = axum::http::Request::get(format!("{}/healthz", server.base));
    let request = request.body(axum::body::Body::empty()).expect("a request");
    let answer = sender.send_request(request).await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
}

/// The windows that the server offers to a new connection over HTTP/2: of each stream, and of all together.
async fn offered_windows(connection: &mut TcpStream) -> (u32, u32) {
    http2_frames::begin(connection, &[])
        .await
        .expect("a connection");
    let ping = http2_frames::frame(http2_frames::PING, 0, 0, b"the last");
    let (mut stream, mut all) = (65_535, 65_535);
    // The window of the connection may be offered behind the first answer, and not behind the second.
    let mut is_first = true;
    connection.write_all(&ping).await.expect("a connection");
    loop {
        let frame = http2_frames::read(connection).await.expect("a frame");
        let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().expect("four bytes"));
        match (frame.kind, frame.flags) {
            (http2_frames::SETTINGS, 0) => {
                let name = http2_frames::INITIAL_WINDOW_SIZE.to_be_bytes();
                let mut all = frame.payload.chunks(6);
                let own = all.find(|it| it.starts_with(&name));
                stream = own.map_or(stream, |it| number(&it[2..]));
            }
            (http2_frames::WINDOW_UPDATE, _) => all += number(&frame.payload),
            (http2_frames::PING, http2_frames::ACK) if is_first => {
                is_first = false;
                connection.write_all(&ping).await.expect("a connection");
            }
            (http2_frames::PING, http2_frames::ACK) => return (stream, all),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_of_http2_are_large_while_their_budget_lasts() {
    const LARGE: (u32, u32) = (512 << 10, 1 << 20);
    const LEAST: (u32, u32) = (65_535, 65_535);
    let limits = LimitArgs {
        upload_memory: 1 << 20,
        ..generous()
    };
    let server = Server::on_a_laptop().await.limited(limits).await;
    let mut first = server.connect().await;
    assert_eq!(offered_windows(&mut first).await, LARGE);
    let mut second = server.connect().await;
    assert_eq!(offered_windows(&mut second).await, LEAST);
    drop(first);
    wait_until(async || offered_windows(&mut server.connect().await).await == LARGE).await;
}

/// What a server shows to who connects now.
async fn shown(tls: &Tls, trusting: &CertificateFiles) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (tls, client) = (tls.clone(), trusting.connector(b"http/1.1"));
    let accepting = async move {
        let (tcp, _) = listener.accept().await.expect("a connection");
        tls.shake_hands(tcp).await
    };
    let connecting = async move {
        let tcp = TcpStream::connect(address).await.expect("a connection");
        let name = ServerName::try_from("127.0.0.1").expect("a name");
        client.connect(name, tcp).await.is_ok()
    };
    tokio::join!(accepting, connecting).1
}

#[tokio::test]
async fn a_certificate_is_replaced_only_by_one_that_can_be_used() {
    let (files, first, second) = (
        CertificateFiles::new(),
        CertificateFiles::new(),
        CertificateFiles::new(),
    );
    files.become_a_copy_of(&first);
    let tls = Tls::open(&files.certificate(), &files.key()).expect("a certificate");
    assert!(shown(&tls, &first).await);

    files.become_a_copy_of(&second);
    assert!(shown(&tls, &first).await, "before it was told");
    tls.reload().expect("another one");
    assert!(shown(&tls, &second).await && !shown(&tls, &first).await);

    // The key of the first one.
    fs::copy(first.key(), files.key()).expect("a file");
    tls.reload().expect_err("a key that doesn't fit");
    fs::write(files.certificate(), "nothing").expect("a file");
    tls.reload().expect_err("no certificate");
    fs::remove_file(files.certificate()).expect("a file");
    tls.reload().expect_err("no file");
    assert!(shown(&tls, &second).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byte_too_many_holds_nobody_up() {
    let server = Server::on_a_laptop().await;
    let mut odd = server.connect().await;
    odd.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\r\nG")
        .await
        .expect("a request and the beginning of one");
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok\n") {
        answer.push(odd.read_u8().await.expect("an answer"));
    }
    let mut nothing = [0];
    let kept = timeout(Duration::from_millis(500), odd.read(&mut nothing)).await;
    assert!(kept.is_err(), "it was closed, or said something");
    assert_eq!(server.get("/healthz").await.status(), StatusCode::OK);
    // The rest of it is understood.
    odd.write_all(&HEALTH[1..]).await.expect("a request");
    let mut answer = Vec::new();
    while !answer.ends_with(b"ok\n") {
        answer.push(odd.read_u8().await.expect("an answer"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_body_of_a_refused_request_is_no_request() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let mut slow = server.connect().await;
    let head = format!(
        "PATCH {}/none HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/partial-upload\r\n\
         Upload-Offset: 0\r\nUpload-Complete: ?0\r\nContent-Length: {}\r\n\r\n",
        creator.page("/takes"),
        HEALTH.len(),
    );
    slow.write_all(head.as_bytes()).await.expect("a head");
    let mut answer = vec![slow.read_u8().await.expect("an answer")];
    // Longer than a connection with nothing to do keeps what it needs for a request.
    let more = async { while slow.read_buf(&mut answer).await.is_ok_and(|it| it > 0) {} };
    let _ = timeout(Duration::from_millis(500), more).await;
    assert!(answer.starts_with(b"HTTP/1.1 404"));
    answer.clear();
    let _ = slow.write_all(HEALTH).await;
    let more = async { while slow.read_buf(&mut answer).await.is_ok_and(|it| it > 0) {} };
    let _ = timeout(Duration::from_secs(1), more).await;
    assert!(answer.is_empty(), "a body was answered");
}
