//! Connection timeouts. Each test shortens one timeout of a server whose others last for hours.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use rustls::pki_types::ServerName;
use server::Timeouts;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use crate::support::certificate::{CertificateFiles, parse_serving_args};
use crate::support::{CLIP, CLIP_LENGTH, Server};
use crate::transport::connections::{HEALTH, is_answered, read_to_end};
use test_support::clients::http2_frames::{self, CONTINUATION, END_STREAM, HEADERS, PING};

const SHORT: Duration = Duration::from_millis(300);
const FAR_AWAY: Duration = Duration::from_secs(10_000);

/// A busy machine may need much longer than a [`SHORT`] timeout.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Hours for each timeout.
const LONG: Timeouts = Timeouts {
    unused: FAR_AWAY,
    handshake: FAR_AWAY,
    head: FAR_AWAY,
    idle: FAR_AWAY,
    crowded: FAR_AWAY,
    spread: Duration::ZERO,
    silence: FAR_AWAY,
    stall: FAR_AWAY,
};

async fn server(timeouts: Timeouts) -> Server {
    Server::sqlite().await.with_timeouts(timeouts).await
}

const SHORT_HEAD: Timeouts = Timeouts {
    head: SHORT,
    ..LONG
};

#[tokio::test(flavor = "multi_thread")]
async fn an_unused_connection_is_closed() {
    let server = server(Timeouts {
        unused: SHORT,
        ..LONG
    })
    .await;
    assert!(read_to_end(server.connect().await).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed() {
    let server = server(Timeouts {
        idle: SHORT,
        ..LONG
    })
    .await;
    let mut idle = server.connect().await;
    assert!(is_answered(&mut idle).await);
    assert!(read_to_end(idle).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed_sooner_while_another_is_pending() {
    let timeouts = Timeouts {
        crowded: SHORT,
        ..LONG
    };
    let one_connection = parse_serving_args(&["--max-connections", "1"]);
    let server = server(timeouts)
        .await
        .with_serving_args(one_connection)
        .await;
    let mut idle = server.connect().await;
    assert!(is_answered(&mut idle).await);
    let mut next = server.connect().await;
    assert!(is_answered(&mut next).await);
    assert!(read_to_end(idle).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_request_head_times_out() {
    let server = server(SHORT_HEAD).await;
    let mut slow = server.connect().await;
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        .await
        .expect("a connection");
    assert_eq!(server.get("/healthz").await.status(), StatusCode::OK);
    assert!(read_to_end(slow).await.is_empty());

    let mut second = server.connect().await;
    assert!(is_answered(&mut second).await);
    second.write_all(&HEALTH[..9]).await.expect("a connection");
    assert!(read_to_end(second).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_http2_preface_times_out() {
    let server = server(Timeouts {
        handshake: SHORT,
        ..LONG
    })
    .await;
    let mut slow = server.connect().await;
    slow.write_all(b"PR").await.expect("a connection");
    assert!(read_to_end(slow).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_tls_handshake_times_out() {
    let files = CertificateFiles::new();
    let server = server(Timeouts {
        handshake: SHORT,
        ..LONG
    })
    .await;
    let server = server.with_serving_args(files.serving_args()).await;
    let mut slow = server.connect().await;
    // The beginning of a record with a ClientHello: RFC 8446, section 5.1.
    slow.write_all(&[22, 3, 1, 2, 0, 1])
        .await
        .expect("a connection");
    assert!(read_to_end(slow).await.is_empty());
}

/// Whether the server closes an HTTP/2 connection that receives these bytes after an answered request.
async fn is_closed_within(
    connection: &mut (impl AsyncRead + AsyncWrite + Unpin),
    bytes: &[u8],
    patience: Duration,
) -> bool {
    http2_frames::send_preface(connection, &[])
        .await
        .expect("a connection");
    let request = http2_frames::get(1, "/healthz", "");
    connection.write_all(&request).await.expect("a request");
    loop {
        let frame = http2_frames::read(connection).await.expect("an answer");
        if frame.stream == 1 && frame.flags & END_STREAM != 0 {
            break;
        }
    }
    connection.write_all(bytes).await.expect("more");
    let end = async { while connection.read_u8().await.is_ok() {} };
    timeout(patience, end).await.is_ok()
}

/// Incomplete request heads over HTTP/2: RFC 9113, section 6.10.
fn unfinished_heads() -> Vec<Vec<u8>> {
    let whole = http2_frames::get(3, "/healthz", "");
    let block = http2_frames::header_block(&http2_frames::pseudo_headers("GET", "/healthz"));
    let without_end = http2_frames::frame(HEADERS, END_STREAM, 3, &block);
    let continued = [
        &without_end[..],
        &http2_frames::frame(CONTINUATION, 0, 3, &[]),
    ]
    .concat();
    vec![
        whole[..5].to_vec(),
        whole[..20].to_vec(),
        without_end,
        continued,
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_http2_header_block_times_out() {
    let server = server(SHORT_HEAD).await;
    for bytes in unfinished_heads() {
        let mut connection = server.connect().await;
        assert!(
            is_closed_within(&mut connection, &bytes, TIMEOUT).await,
            "{bytes:?}"
        );
    }
    // These begin no request.
    let ping = http2_frames::frame(PING, 0, 0, b"12345678");
    for bytes in [&[][..], &ping] {
        let mut connection = server.connect().await;
        assert!(
            !is_closed_within(&mut connection, bytes, 10 * SHORT).await,
            "{bytes:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_http2_header_block_over_tls_times_out() {
    let files = CertificateFiles::new();
    let server = server(SHORT_HEAD)
        .await
        .with_serving_args(files.serving_args())
        .await;
    let connector = files.connector(b"h2");
    for bytes in unfinished_heads() {
        let name = ServerName::try_from("127.0.0.1").expect("a name");
        let connection = connector.connect(name, server.connect().await).await;
        let mut connection = connection.expect("a handshake");
        assert!(
            is_closed_within(&mut connection, &bytes, TIMEOUT).await,
            "{bytes:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_append_times_out_and_loses_no_byte() {
    let server = server(Timeouts {
        silence: SHORT,
        ..LONG
    })
    .await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let mut silent = server.connect().await;
    let path = take.strip_prefix(&server.base).unwrap_or(&take);
    let head = format!(
        "PATCH {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/partial-upload\r\n\
         Upload-Offset: 0\r\nUpload-Complete: ?0\r\nContent-Length: 1000000\r\n\r\n"
    );
    // At once, so that nothing comes between them that lasts as long as the timeout.
    let begun = [head.as_bytes(), CLIP].concat();
    silent.write_all(&begun).await.expect("a head and a piece");
    // Without a response, which some clients would take for the final one.
    assert!(read_to_end(silent).await.is_empty());
    let stands = server.request(Method::HEAD, &take).send().await;
    let stands = stands.expect("an answer");
    assert_eq!(stands.headers()["upload-offset"], CLIP_LENGTH.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trickling_body_times_out() {
    let server = server(Timeouts {
        stall: 2 * SHORT,
        ..LONG
    })
    .await;
    let mut slow = server.connect().await;
    // Before the server reads the head, and begins to count.
    let begin = Instant::now();
    slow.write_all(
        b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
          Content-Length: 1000\r\n\r\n",
    )
    .await
    .expect("a head");
    let (mut answer, mut send_slowly) = slow.split();
    let trickle_task = async {
        let mut ticks = tokio::time::interval(SHORT / 10);
        loop {
            ticks.tick().await;
            if send_slowly.write_all(b" ").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let ended = async { while answer.read_u8().await.is_ok() {} };
    let ended = timeout(60 * SHORT, async {
        tokio::select! { () = trickle_task => {}, () = ended => {} }
    });
    ended.await.expect("an end before the whole body");
    assert!(begin.elapsed() >= 2 * SHORT, "{:?}", begin.elapsed());
}
