//! Protocols: HTTP/2 and its windows, TLS and its certificate.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use reqwest::StatusCode;
use rustls::pki_types::ServerName;
use server::Tls;
use server::config::{LimitArgs, ServingArgs};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::connections::{HEALTH, TIMEOUT};
use crate::support::certificate::CertificateFiles;
use crate::support::{Server, generous_limits, wait_until};
use test_support::clients::http2_frames;

/// Sends a request over TLS with HTTP/2, which the server must have negotiated.
async fn request_over_http2(server: &Server, files: &CertificateFiles) -> StatusCode {
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
async fn tls_serves_both_http_versions_and_plain_http_is_redirected() {
    let files = CertificateFiles::new();
    let server = Server::sqlite()
        .await
        .with_serving_args(files.serving_args())
        .await;
    let secure = server.base.replace("http://", "https://");
    let answer = files.client().get(format!("{secure}/healthz")).send().await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    assert_eq!(request_over_http2(&server, &files).await, StatusCode::OK);

    let plain = files.client().get(format!("{}/docs?a=b", server.base));
    let answer = plain.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::PERMANENT_REDIRECT);
    let to = answer.headers()["location"].to_str().expect("an address");
    assert!(to.ends_with("/docs?a=b"), "{to}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evicted_tls_connection_gets_close_notify() {
    let files = CertificateFiles::new();
    let one_connection = ServingArgs {
        max_connections: 1,
        ..files.serving_args()
    };
    let server = Server::sqlite()
        .await
        .with_serving_args(one_connection)
        .await;
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let idle = files.connector(b"http/1.1");
    let idle = idle.connect(name, server.connect().await).await;
    let mut idle = idle.expect("a handshake");
    idle.write_all(HEALTH).await.expect("a request");
    // There is no other slot than that of the idle one.
    let next = server.connect().await;
    let mut received = Vec::new();
    let end = timeout(TIMEOUT, idle.read_to_end(&mut received)).await;
    // Without `close_notify` it would be an error, as the data could be truncated.
    end.expect("an end").expect("bytes");
    assert!(received.ends_with(b"ok\n"));
    drop(next);
}

#[tokio::test(flavor = "multi_thread")]
async fn http2_with_prior_knowledge_is_served_without_tls() {
    let server = Server::sqlite().await;
    let io = TokioIo::new(server.connect().await);
    let handshake = http2::handshake(TokioExecutor::new(), io).await;
    let (mut sender, connection) = handshake.expect("HTTP/2");
    tokio::spawn(connection);
    let request = axum::http::Request::get(format!("{}/healthz", server.base));
    let request = request.body(axum::body::Body::empty()).expect("a request");
    let answer = sender.send_request(request).await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
}

/// The initial windows that the server offers to a new HTTP/2 connection: per stream, and for the connection.
async fn advertised_windows(connection: &mut TcpStream) -> (u32, u32) {
    http2_frames::send_preface(connection, &[])
        .await
        .expect("a connection");
    let ping = http2_frames::frame(http2_frames::PING, 0, 0, b"the last");
    let (mut stream, mut all) = (65_535, 65_535);
    // The connection window may be offered after the first acknowledgement, but not after the second.
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
async fn http2_windows_are_large_while_their_budget_lasts() {
    const LARGE: (u32, u32) = (512 << 10, 1 << 20);
    const MIN_WINDOW: (u32, u32) = (65_535, 65_535);
    let limits = LimitArgs {
        upload_memory: 1 << 20,
        ..generous_limits()
    };
    let server = Server::sqlite().await.with_limits(limits).await;
    let mut first = server.connect().await;
    assert_eq!(advertised_windows(&mut first).await, LARGE);
    let mut second = server.connect().await;
    assert_eq!(advertised_windows(&mut second).await, MIN_WINDOW);
    drop(first);
    wait_until(async || advertised_windows(&mut server.connect().await).await == LARGE).await;
}

/// Instead of one frame with the bytes and another one that ends the answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_small_answer_over_http2_ends_with_its_bytes() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let mut connection = server.connect().await;
    http2_frames::send_preface(&mut connection, &[])
        .await
        .expect("a connection");
    let path = format!("/v1/requests/{}", creator.id());
    for (stream, token) in [(1, creator.created.access_token.as_str()), (3, "wrong")] {
        let poll = http2_frames::get(stream, &path, token);
        connection.write_all(&poll).await.expect("a request");
        let is_data = |it: &http2_frames::Frame| it.kind == http2_frames::DATA;
        let answer = http2_frames::read_until(&mut connection, is_data).await;
        let answer = answer.expect("an answer");
        assert!(answer.payload.len() > 50, "{answer:?}");
        assert_eq!(answer.flags, http2_frames::END_STREAM);
    }
}

/// Whether a new connection gets a certificate that this client trusts.
async fn is_trusted(tls: &Tls, files: &CertificateFiles) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (tls, client) = (tls.clone(), files.connector(b"http/1.1"));
    let accepting = async move {
        let (tcp, _) = listener.accept().await.expect("a connection");
        tls.handshake(tcp).await
    };
    let connecting = async move {
        let tcp = TcpStream::connect(address).await.expect("a connection");
        let name = ServerName::try_from("127.0.0.1").expect("a name");
        client.connect(name, tcp).await.is_ok()
    };
    tokio::join!(accepting, connecting).1
}

#[tokio::test]
async fn a_certificate_is_only_replaced_by_a_valid_one() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.expect("a time after 1970");
    let (files, first, second) = (
        CertificateFiles::new(),
        CertificateFiles::new(),
        CertificateFiles::new(),
    );
    files.copy_from(&first);
    let tls = Tls::open(&files.certificate(), &files.key()).expect("a certificate");
    assert!(is_trusted(&tls, &first).await);

    files.copy_from(&second);
    assert!(is_trusted(&tls, &first).await, "before the reload");
    tls.reload(now).expect("another one");
    assert!(is_trusted(&tls, &second).await && !is_trusted(&tls, &first).await);

    // The key of the first certificate.
    fs::copy(first.key(), files.key()).expect("a file");
    tls.reload(now).expect_err("a key that doesn't fit");
    fs::write(files.certificate(), "nothing").expect("a file");
    tls.reload(now).expect_err("no certificate");
    fs::remove_file(files.certificate()).expect("a file");
    tls.reload(now).expect_err("no file");
    files.copy_from(&CertificateFiles::valid_until(2020));
    tls.reload(now).expect_err("one that has expired");
    assert!(is_trusted(&tls, &second).await);
    // One that has expired as well isn't better.
    let far = now + Duration::from_secs(200 * 365 * 24 * 60 * 60);
    tls.reload(far).expect("another one");
    assert!(!is_trusted(&tls, &second).await);
}
