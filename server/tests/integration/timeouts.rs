//! How long a connection may get nowhere. Each test shortens one timeout of a server whose others last for hours, so that an
//! end is the work of that one.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use rustls::pki_types::ServerName;
use server::Timeouts;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use crate::serving::{HEALTH, ask, rest};
use crate::support::certificate::{CertificateFiles, serving_by};
use crate::support::{CLIP, CLIP_LENGTH, Server};
use test_support::http2_frames::{self, CONTINUATION, END_STREAM, HEADERS, PING};

const SHORT: Duration = Duration::from_millis(300);
const HOURS: Duration = Duration::from_secs(10_000);

/// A busy machine needs a while for what is to happen after a [`SHORT`] one.
const PATIENCE: Duration = Duration::from_secs(60);

/// All of them.
const LONG: Timeouts = Timeouts {
    unused: HOURS,
    handshake: HOURS,
    head: HOURS,
    idle: HOURS,
    crowded: HOURS,
    spread: Duration::ZERO,
    silence: HOURS,
    stall: HOURS,
};

async fn server(timeouts: Timeouts) -> Server {
    Server::on_a_laptop().await.with_timeouts(timeouts).await
}

const SHORT_HEAD: Timeouts = Timeouts {
    head: SHORT,
    ..LONG
};

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_says_nothing_is_closed() {
    let server = server(Timeouts {
        unused: SHORT,
        ..LONG
    })
    .await;
    assert!(rest(server.connect().await).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_asks_no_more_is_closed() {
    let server = server(Timeouts {
        idle: SHORT,
        ..LONG
    })
    .await;
    let mut idle = server.connect().await;
    assert!(ask(&mut idle).await);
    assert!(rest(idle).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed_sooner_while_another_waits() {
    let timeouts = Timeouts {
        crowded: SHORT,
        ..LONG
    };
    let one_place = serving_by(&["--max-connections", "1"]);
    let server = server(timeouts).await.serving(one_place).await;
    let mut idle = server.connect().await;
    assert!(ask(&mut idle).await);
    let mut next = server.connect().await;
    assert!(ask(&mut next).await);
    assert!(rest(idle).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_never_ends_is_not_waited_for() {
    let server = server(SHORT_HEAD).await;
    let mut slow = server.connect().await;
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        .await
        .expect("a connection");
    assert_eq!(server.get("/healthz").await.status(), StatusCode::OK);
    assert!(rest(slow).await.is_empty());

    let mut second = server.connect().await;
    assert!(ask(&mut second).await);
    second.write_all(&HEALTH[..9]).await.expect("a connection");
    assert!(rest(second).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_looks_like_http2_and_stops_is_not_waited_for() {
    let server = server(Timeouts {
        handshake: SHORT,
        ..LONG
    })
    .await;
    let mut slow = server.connect().await;
    slow.write_all(b"PR").await.expect("a connection");
    assert!(rest(slow).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tls_handshake_that_stops_is_not_waited_for() {
    let files = CertificateFiles::new();
    let server = server(Timeouts {
        handshake: SHORT,
        ..LONG
    })
    .await;
    let server = server.serving(files.args()).await;
    let mut slow = server.connect().await;
    // The beginning of a record with a ClientHello: RFC 8446, section 5.1.
    slow.write_all(&[22, 3, 1, 2, 0, 1])
        .await
        .expect("a connection");
    assert!(rest(slow).await.is_empty());
}

/// Whether the server ends a connection over HTTP/2 on which this comes, behind an answered request.
async fn ends(
    connection: &mut (impl AsyncRead + AsyncWrite + Unpin),
    bytes: &[u8],
    patience: Duration,
) -> bool {
    http2_frames::begin(connection, &[])
        .await
        .expect("a connection");
    let asked = http2_frames::get(1, "/healthz", "");
    connection.write_all(&asked).await.expect("a request");
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

/// What is the beginning of a request over HTTP/2, and never a whole one: RFC 9113, section 6.10.
fn unfinished_heads() -> Vec<Vec<u8>> {
    let whole = http2_frames::get(3, "/healthz", "");
    let block = http2_frames::block(&http2_frames::pseudo("GET", "/healthz"));
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
async fn a_head_over_http2_that_never_ends_is_not_waited_for() {
    let server = server(SHORT_HEAD).await;
    for bytes in unfinished_heads() {
        let mut connection = server.connect().await;
        assert!(ends(&mut connection, &bytes, PATIENCE).await, "{bytes:?}");
    }
    // Nothing has begun with these.
    let ping = http2_frames::frame(PING, 0, 0, b"12345678");
    for bytes in [&[][..], &ping] {
        let mut connection = server.connect().await;
        assert!(!ends(&mut connection, bytes, 10 * SHORT).await, "{bytes:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nor_is_one_over_tls() {
    let files = CertificateFiles::new();
    let server = server(SHORT_HEAD).await.serving(files.args()).await;
    let connector = files.connector(b"h2");
    for bytes in unfinished_heads() {
        let name = ServerName::try_from("127.0.0.1").expect("a name");
        let connection = connector.connect(name, server.connect().await).await;
        let mut connection = connection.expect("a handshake");
        assert!(ends(&mut connection, &bytes, PATIENCE).await, "{bytes:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sender_that_falls_silent_within_a_recording_loses_the_connection_and_no_byte() {
    let server = server(Timeouts {
        silence: SHORT,
        ..LONG
    })
    .await;
    let creator = server.create().await;
    let take = creator.begin().await;
    let mut silent = server.connect().await;
    let path = take.strip_prefix(&server.base).unwrap_or(&take);
    let head = format!(
        "PATCH {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/partial-upload\r\n\
         Upload-Offset: 0\r\nUpload-Complete: ?0\r\nContent-Length: 1000000\r\n\r\n"
    );
    silent.write_all(head.as_bytes()).await.expect("a head");
    silent.write_all(CLIP).await.expect("a piece");
    // No answer, which some clients would take for the last word.
    assert!(rest(silent).await.is_empty());
    let stands = server.request(Method::HEAD, &take).send().await;
    let stands = stands.expect("an answer");
    assert_eq!(stands.headers()["upload-offset"], CLIP_LENGTH.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_trickles_is_not_waited_for() {
    let server = server(Timeouts {
        stall: 2 * SHORT,
        ..LONG
    })
    .await;
    let mut slow = server.connect().await;
    slow.write_all(
        b"POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
          Content-Length: 1000\r\n\r\n",
    )
    .await
    .expect("a head");
    let (mut answer, mut trickle) = slow.split();
    let trickling = async {
        let mut pace = tokio::time::interval(SHORT / 10);
        loop {
            pace.tick().await;
            if trickle.write_all(b" ").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let ended = async { while answer.read_u8().await.is_ok() {} };
    let begin = Instant::now();
    let ended = timeout(60 * SHORT, async {
        tokio::select! { () = trickling => {}, () = ended => {} }
    });
    ended.await.expect("an end before the whole body");
    assert!(begin.elapsed() >= 2 * SHORT, "{:?}", begin.elapsed());
}
