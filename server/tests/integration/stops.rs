//! What becomes of those whom a server, or one of its connections, leaves.

use std::time::Duration;

use server::id::TakeId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::certificate::serving_by;
use crate::support::{
    CLIP, CLIP_LENGTH, LIVE_WEBM, Server, body_in_two_pieces, during, journeys, wait_until,
};

journeys! {
    what_arrives_during_a_stop_is_sealed_while_others_go_on
}

async fn what_arrives_during_a_stop_is_sealed_while_others_go_on(server: Server) {
    let (creator, other) = (server.create().await, server.create().await);
    let (take, long) = (creator.begin().await, other.begin().await);
    let (begun, rest) = LIVE_WEBM.split_at(1000);
    let (body, end) = body_in_two_pieces(begun, rest);
    let (long_body, long_end) = body_in_two_pieces(CLIP, b"more");
    let db = &server.app.db;
    let goes_on = during(other.append(&long, 0, long_body, false), async {
        let answer = during(creator.append(&take, 0, body, true), async {
            wait_until(async || other.state().await.takes[0].offset == CLIP_LENGTH).await;
            wait_until(async || creator.state().await.takes[0].offset == 1000).await;
            server.stop();
            wait_until(async || TcpStream::connect(address(&server)).await.is_err()).await;
            end.send(()).expect("an upload under way");
        });
        assert!(answer.await.status().is_success());
        let id = TakeId::parse(take.rsplit('/').next().expect("an id")).expect("an id");
        wait_until(async || db.seal_get(&id).await.expect("rows").is_some()).await;
        long_end.send(()).expect("an upload under way");
    });
    let answer = goes_on.await;
    assert!(answer.status().is_success());
    let whole = (CLIP_LENGTH + 4).to_string();
    assert_eq!(answer.headers()["upload-offset"], whole);
}

fn address(server: &Server) -> &str {
    server.base.strip_prefix("http://").expect("an address")
}

/// Frames of HTTP/2: RFC 9113, sections 4.1, 6.5 and 6.8.
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

/// Asks for `/healthz` by what section 3.4 there says a client begins with, and a head after RFC 7541.
const ASKED_BY_HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
    \x00\x00\x00\x04\x00\x00\x00\x00\x00\
    \x00\x00\x0f\x01\x05\x00\x00\x00\x01\x82\x86\x44\x08/healthz\x41\x01x";

/// Its kind and what it says.
async fn frame(connection: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 9];
    connection.read_exact(&mut head).await.ok()?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut said = vec![0; usize::try_from(length).expect("a length")];
    connection.read_exact(&mut said).await.ok()?;
    Some((head[3], said))
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_idle_by_http2_is_told_before_the_end() {
    let server = Server::on_a_laptop().await;
    let server = server
        .serving(serving_by(&["--max-connections", "1"]))
        .await;
    let mut idle = server.connect().await;
    idle.write_all(ASKED_BY_HTTP2).await.expect("a request");
    let begun = frame(&mut idle).await.expect("a frame");
    assert_eq!(begun.0, SETTINGS);
    // For which there is no place but that of the idle one.
    let next = server.connect().await;
    let said = timeout(Duration::from_secs(60), async {
        let mut said = Vec::new();
        while let Some(frame) = frame(&mut idle).await {
            said.push(frame);
        }
        said
    });
    let said = said.await.expect("an end");
    let answered = said.iter().position(|it| it.1 == b"ok\n");
    let goodbye = said.iter().position(|it| it.0 == GOAWAY);
    assert!(answered.expect("an answer") < goodbye.expect("a goodbye"));
    // Nothing went wrong: the error is NO_ERROR.
    assert_eq!(said[goodbye.expect("a goodbye")].1[4..8], [0; 4]);
    drop(next);
}
