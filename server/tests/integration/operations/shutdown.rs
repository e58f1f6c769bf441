//! Graceful shutdown of a server, and of idle connections.

use std::time::Duration;

use server::id::TakeId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::certificate::parse_serving_args;
use crate::support::{
    CLIP, CLIP_LENGTH, LIVE_WEBM, Server, body_in_two_pieces, during, on_each_storage, wait_until,
};

on_each_storage! {
    takes_completed_during_a_shutdown_are_sealed
}

async fn takes_completed_during_a_shutdown_are_sealed(server: Server) {
    let patient = parse_serving_args(&["--drain", "60s"]);
    let server = server.with_serving_args(patient).await;
    let (creator, other) = (server.create_request().await, server.create_request().await);
    let (take, long) = (creator.create_take().await, other.create_take().await);
    let (begun, rest) = LIVE_WEBM.split_at(1000);
    let (body, end) = body_in_two_pieces(begun, rest);
    let (long_body, long_end) = body_in_two_pieces(CLIP, b"more");
    let db = &server.app.db;
    let keeps_sending = during(other.append(&long, 0, long_body, false), async {
        let answer = during(creator.append(&take, 0, body, true), async {
            wait_until(async || other.page_state().await.takes[0].offset == CLIP_LENGTH).await;
            wait_until(async || creator.page_state().await.takes[0].offset == 1000).await;
            server.stop();
            wait_until(async || TcpStream::connect(address(&server)).await.is_err()).await;
            end.send(()).expect("an upload under way");
        });
        assert!(answer.await.status().is_success());
        let id = TakeId::parse(take.rsplit('/').next().expect("an id")).expect("an id");
        wait_until(async || db.seal_get(&id).await.expect("rows").is_some()).await;
        long_end.send(()).expect("an upload under way");
    });
    let answer = keeps_sending.await;
    assert!(answer.status().is_success());
    let whole = (CLIP_LENGTH + 4).to_string();
    assert_eq!(answer.headers()["upload-offset"], whole);
}

fn address(server: &Server) -> &str {
    server.base.strip_prefix("http://").expect("an address")
}

/// Frame types: RFC 9113, sections 4.1, 6.5 and 6.8.
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

/// Connection preface (RFC 9113, section 3.4), and a GET of `/healthz` with a header block after RFC 7541.
const HTTP2_REQUESTS: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
    \x00\x00\x00\x04\x00\x00\x00\x00\x00\
    \x00\x00\x0f\x01\x05\x00\x00\x00\x01\x82\x86\x44\x08/healthz\x41\x01x";

/// Type and payload of the next frame.
async fn frame(connection: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 9];
    connection.read_exact(&mut head).await.ok()?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut payload = vec![0; usize::try_from(length).expect("a length")];
    connection.read_exact(&mut payload).await.ok()?;
    Some((head[3], payload))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evicted_http2_connection_gets_goaway() {
    let server = Server::sqlite().await;
    let server = server
        .with_serving_args(parse_serving_args(&["--max-connections", "1"]))
        .await;
    let mut idle = server.connect().await;
    idle.write_all(HTTP2_REQUESTS).await.expect("a request");
    let begun = frame(&mut idle).await.expect("a frame");
    assert_eq!(begun.0, SETTINGS);
    // There is no other slot than that of the idle one.
    let next = server.connect().await;
    let payload = timeout(Duration::from_secs(60), async {
        let mut payload = Vec::new();
        while let Some(frame) = frame(&mut idle).await {
            payload.push(frame);
        }
        payload
    });
    let payload = payload.await.expect("an end");
    let answered = payload.iter().position(|it| it.1 == b"ok\n");
    let goaway = payload.iter().position(|it| it.0 == GOAWAY);
    assert!(answered.expect("an answer") < goaway.expect("a goodbye"));
    // NO_ERROR.
    assert_eq!(payload[goaway.expect("a goodbye")].1[4..8], [0; 4]);
    drop(next);
}
