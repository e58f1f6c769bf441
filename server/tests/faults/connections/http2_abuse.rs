//! Known denial-of-service attacks over HTTP/2 on the release binary: its memory stays bounded, other clients are
//! answered, and the connection ends as RFC 9113 prescribes.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::http2_attack::{FloodResult, attack, flood, repeated};
use crate::environment::Environment;
use test_support::clients::http2_frames::{self, Frame};
use test_support::clients::retrying_client::http_client_builder;

/// SETTINGS_MAX_CONCURRENT_STREAMS of the server.
const STREAMS: u32 = 32;

fn odd_streams() -> impl Iterator<Item = u32> {
    (1..).step_by(2)
}

#[tokio::test(flavor = "multi_thread")]
async fn rapid_reset_ends_the_connection() {
    // CVE-2023-44487.
    attack(async |address| {
        let pairs = odd_streams().take(10_000);
        let pairs = pairs
            .flat_map(|it| [http2_frames::get(it, "/docs", ""), http2_frames::reset(it)].concat());
        let answer = flood(address, &[], pairs.collect()).await;
        answer.assert_ended(http2_frames::ENHANCE_YOUR_CALM);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_streams_hold_bounded_memory() {
    attack(async |address| leave_unread(address, "/docs").await).await;
}

/// What renders and compresses a page takes megabytes.
#[tokio::test(flavor = "multi_thread")]
async fn unread_pages_hold_bounded_memory() {
    attack(async |address| {
        let body = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
        // From another address, because this one may still have as many calls in progress as it may have.
        let other = http_client_builder().local_address(IpAddr::from([127, 0, 0, 3]));
        let other = other.build().expect("a client");
        let create = other.post(format!("http://{address}/v1/requests"));
        let created = create.json(&body).send().await.expect("an answer");
        let created: Value = created.json().await.expect("a request");
        let id = created["id"].as_str().expect("an id");
        leave_unread(address, &format!("/r/{id}")).await;
    })
    .await;
}

/// Asks for a page over as many streams as the server takes on fifty connections, and takes no byte of a body.
async fn leave_unread(address: SocketAddr, path: &str) {
    let closed = [(http2_frames::INITIAL_WINDOW_SIZE, 0)];
    let mut fields = http2_frames::pseudo_headers("GET", path).to_vec();
    fields.push(("accept-encoding", "br"));
    let mut connections = Vec::new();
    for _ in 0..50 {
        let mut connection = TcpStream::connect(address).await.expect("a connection");
        http2_frames::send_preface(&mut connection, &closed)
            .await
            .expect("a connection");
        let all = odd_streams().take(STREAMS as usize + 1);
        let all: Vec<u8> = all
            .flat_map(|it| http2_frames::request(it, http2_frames::END_STREAM, &fields))
            .collect();
        connection.write_all(&all).await.expect("requests");
        let (mut heads, mut refused) = (0, 0);
        while heads < STREAMS || refused < 1 {
            let frame = http2_frames::read(&mut connection)
                .await
                .expect("an answer");
            assert_ne!(frame.kind, http2_frames::DATA);
            heads += u32::from(frame.kind == http2_frames::HEADERS);
            refused += u32::from(frame.resets(2 * STREAMS + 1));
        }
        connections.push(connection);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_of_settings_ping_and_priority_are_survived() {
    attack(async |address| {
        for frame in [
            http2_frames::settings(&[(http2_frames::INITIAL_WINDOW_SIZE, 1000)]),
            http2_frames::frame(http2_frames::PING, 0, 0, b"flooding"),
            http2_frames::frame(http2_frames::PRIORITY, 0, 1, &[0, 0, 0, 3, 1]),
        ] {
            let answer = flood(address, &[], repeated(&frame)).await;
            assert!(answer.is_alive || answer.goaway().is_some());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_frames_is_read_at_a_bounded_rate() {
    // The limit of all connections from one address together.
    const BYTES_PER_SECOND: usize = 4 << 20;
    const BURST: usize = 1 << 20;
    let environment = Environment::sqlite().await;
    let address = environment.nodes[0].address();
    let pings = http2_frames::frame(http2_frames::PING, 0, 0, b"flooding").repeat(300_000);
    let sent = 2 * pings.len();
    let start = Instant::now();
    let answers = tokio::join!(
        flood(address, &[], pings.clone()),
        flood(address, &[], pings)
    );
    let elapsed = start.elapsed().as_secs_f64();
    assert!(answers.0.is_alive && answers.1.is_alive);
    let shortest = (sent - BURST) as f64 / BYTES_PER_SECOND as f64;
    assert!(
        elapsed > shortest,
        "{sent} bytes in {elapsed} s, {shortest} at least"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_acknowledgements_hold_bounded_memory() {
    attack(async |address| {
        for frame in [
            http2_frames::settings(&[(http2_frames::INITIAL_WINDOW_SIZE, 1000)]),
            http2_frames::frame(http2_frames::PING, 0, 0, b"flooding"),
        ] {
            let mut connection = TcpStream::connect(address).await.expect("a connection");
            http2_frames::send_preface(&mut connection, &[])
                .await
                .expect("a connection");
            // The server stops reading when its acknowledgements back up, which blocks the sender.
            let flood = repeated(&frame).repeat(10);
            let _ = timeout(Duration::from_secs(3), connection.write_all(&flood)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_data_frames_end_the_connection() {
    attack(async |address| {
        let head =
            http2_frames::request(1, 0, &http2_frames::pseudo_headers("POST", "/v1/requests"));
        let empty = http2_frames::frame(http2_frames::DATA, 0, 1, &[]);
        let answer = flood(address, &[], [head, repeated(&empty)].concat()).await;
        answer.assert_ended(http2_frames::ENHANCE_YOUR_CALM);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_header_fields_are_refused() {
    attack(async |address| {
        let fields = |count| {
            let mut fields = http2_frames::pseudo_headers("GET", "/healthz").to_vec();
            fields.resize(fields.len() + count, ("x", "y"));
            http2_frames::header_block(&fields)
        };
        // In one frame, beyond SETTINGS_MAX_HEADER_LIST_SIZE.
        let flags = http2_frames::END_HEADERS | http2_frames::END_STREAM;
        let over = http2_frames::frame(http2_frames::HEADERS, flags, 1, &fields(2000));
        let answer = flood(address, &[], over).await;
        let assert_refused = |answer: &FloodResult| {
            let refuses = |it: &Frame| {
                it.kind == http2_frames::HEADERS || it.resets(1) || it.kind == http2_frames::GOAWAY
            };
            let succeeds = |it: &Frame| it.kind == http2_frames::DATA && it.payload == b"ok\n";
            assert!(!answer.is_alive || answer.frames.iter().any(refuses));
            assert!(!answer.frames.iter().any(succeeds));
        };
        assert_refused(&answer);

        // Ten thousand fields in as many frames as necessary.
        let block = fields(10_000);
        let mut pieces = block.chunks(16_000);
        let first = pieces.next().expect("a piece");
        let mut far_over =
            http2_frames::frame(http2_frames::HEADERS, http2_frames::END_STREAM, 1, first);
        for piece in pieces {
            far_over.extend(http2_frames::frame(http2_frames::CONTINUATION, 0, 1, piece));
        }
        far_over.extend(http2_frames::frame(
            http2_frames::CONTINUATION,
            http2_frames::END_HEADERS,
            1,
            &[],
        ));
        let answer = flood(address, &[], far_over).await;
        assert_refused(&answer);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_continuation_flood_ends_the_connection() {
    // CVE-2024-27316: empty, small and large CONTINUATION frames.
    attack(async |address| {
        for (size, count) in [(0, 10_000), (10, 10_000), (16_000, 500)] {
            let head = http2_frames::header_block(&http2_frames::pseudo_headers("GET", "/healthz"));
            let head =
                http2_frames::frame(http2_frames::HEADERS, http2_frames::END_STREAM, 1, &head);
            let fields = http2_frames::header_block(&vec![("x", "y"); size / 5]);
            let piece = http2_frames::frame(http2_frames::CONTINUATION, 0, 1, &fields);
            let flooded = [head, piece.repeat(count)].concat();
            let answer = flood(address, &[], flooded).await;
            assert!(!answer.is_alive, "pieces of {size} bytes");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_overflow_is_a_flow_control_error() {
    attack(async |address| {
        let closed = [(http2_frames::INITIAL_WINDOW_SIZE, 0)];
        // Connection window, already at its maximum.
        let answer = flood(
            address,
            &closed,
            http2_frames::window_update(0, http2_frames::MAX_WINDOW_SIZE),
        )
        .await;
        answer.assert_ended(http2_frames::FLOW_CONTROL_ERROR);
        // Stream window: RFC 9113, section 6.9.1.
        let update = http2_frames::window_update(1, http2_frames::MAX_WINDOW_SIZE);
        let twice = [http2_frames::get(1, "/docs", ""), update.clone(), update].concat();
        let answer = flood(address, &closed, twice).await;
        let reset = answer
            .frames
            .iter()
            .find(|it| it.resets(1) || it.kind == http2_frames::GOAWAY);
        let code = reset.and_then(Frame::error_code);
        assert_eq!(code, Some(http2_frames::FLOW_CONTROL_ERROR));
    })
    .await;
}
