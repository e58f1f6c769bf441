//! What is known to bring HTTP/2 servers down, against the binary: it keeps its memory, answers others meanwhile,
//! and ends the connection or answers as RFC 9113 says.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::time::timeout;

use super::crowd::watch_memory;
use super::stage::Stage;
use test_support::callers::client;
use test_support::http2_frames::{self, Frame};
use test_support::scale::PATIENCE;

/// What an attack may make the server hold, in bytes.
const MEMORY: u64 = 100 << 20;

/// What others may wait for all but one of a hundred answers: this machine does much else.
const P99: Duration = Duration::from_secs(5);

/// Answers to others that an attack is repeated for.
const OTHERS: usize = 100;

/// Frames of a flood.
const MANY: usize = 100_000;

/// Streams that the server allows on a connection: its SETTINGS_MAX_CONCURRENT_STREAMS.
const STREAMS: u32 = 32;

const LAST_PING: &[u8; 8] = b"the last";

/// What came of a flood.
struct Answer {
    /// All frames but acknowledgements.
    frames: Vec<Frame>,
    /// The connection took it all, and answered a last PING.
    is_alive: bool,
}

impl Answer {
    fn goaway(&self) -> Option<u32> {
        let goaway = self
            .frames
            .iter()
            .find(|it| it.kind == http2_frames::GOAWAY);
        goaway.and_then(Frame::error_code)
    }

    /// The server ended the connection. With bytes of ours unread, the reason may be lost to a reset.
    fn assert_ended(&self, code: u32) {
        assert!(!self.is_alive);
        assert!(
            self.goaway().is_none_or(|it| it == code),
            "{:?}",
            self.goaway()
        );
    }
}

/// Sends these bytes, and reads what comes of it meanwhile.
async fn flood(address: SocketAddr, settings: &[(u16, u32)], flood: Vec<u8>) -> Answer {
    let connection = TcpStream::connect(address).await.expect("a connection");
    let (mut read, mut write) = connection.into_split();
    let ping = http2_frames::frame(http2_frames::PING, 0, 0, LAST_PING);
    let mut answer = Answer {
        frames: Vec::new(),
        is_alive: false,
    };
    let sending = async {
        // Fails when the server has had enough.
        let begun = http2_frames::begin(&mut write, settings).await;
        begun.is_ok()
            && write
                .write_all(&[flood, ping.clone()].concat())
                .await
                .is_ok()
    };
    let (_, is_alive) = timeout(PATIENCE, async {
        tokio::join!(sending, read_to_ping(&mut read, &mut answer.frames))
    })
    .await
    .expect("an end or an answer");
    // An acknowledgement overtakes what else there is to send, and a second one does not.
    if is_alive && write.write_all(&ping).await.is_ok() {
        answer.is_alive = read_to_ping(&mut read, &mut answer.frames).await;
    }
    answer
}

/// Keeps all frames but acknowledgements, until that of the last PING. `false`: the connection ended before.
async fn read_to_ping(read: &mut OwnedReadHalf, kept: &mut Vec<Frame>) -> bool {
    while let Ok(frame) = http2_frames::read(read).await {
        let has_acks = [http2_frames::PING, http2_frames::SETTINGS].contains(&frame.kind);
        match has_acks && frame.flags == http2_frames::ACK {
            true if frame.payload == LAST_PING => return true,
            true => {}
            false => kept.push(frame),
        }
    }
    false
}

/// Attacks a server, and checks its memory and what others meet meanwhile.
async fn attack(attack: impl AsyncFn(SocketAddr)) {
    let mut stage = Stage::laptop().await;
    let (address, process) = (stage.nodes[0].address(), stage.nodes[0].id());
    let health = format!("{}/healthz", stage.nodes[0].url());
    let other = client();
    let mut before = 0;
    let _ = timeout(
        Duration::from_millis(500),
        watch_memory(process, &mut before),
    )
    .await;
    let (mut waits, mut peak, answered) = (Vec::new(), 0, AtomicUsize::new(0));
    let asking = async {
        loop {
            let asked = Instant::now();
            let answer = other.get(&health).send().await.expect("an answer");
            assert_eq!(answer.status(), StatusCode::OK);
            waits.push(asked.elapsed());
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let attacking = async {
        while answered.load(Ordering::Relaxed) < OTHERS {
            attack(address).await;
        }
    };
    tokio::select! {
        () = attacking => {}
        () = asking => {}
        () = watch_memory(process, &mut peak) => {}
    }
    let answer = other.get(&health).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    stage.nodes[0].assert_alive();
    waits.sort_unstable();
    let p99 = waits
        .get(waits.len() * 99 / 100)
        .copied()
        .unwrap_or_default();
    let grown = peak.saturating_sub(before);
    println!(
        "{} others answered, p99 {p99:?}; {} kB more",
        waits.len(),
        grown / 1000
    );
    assert!(p99 < P99, "{p99:?}");
    assert!(grown < MEMORY, "{grown} bytes");
}

fn odd_streams() -> impl Iterator<Item = u32> {
    (1..).step_by(2)
}

fn repeated(frame: &[u8]) -> Vec<u8> {
    frame.repeat(MANY)
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
async fn streams_that_are_never_read_hold_little() {
    attack(async |address| {
        let closed = [(http2_frames::INITIAL_WINDOW_SIZE, 0)];
        let mut held = Vec::new();
        for _ in 0..50 {
            let mut connection = TcpStream::connect(address).await.expect("a connection");
            http2_frames::begin(&mut connection, &closed)
                .await
                .expect("a connection");
            let all = odd_streams().take(STREAMS as usize + 1);
            let all: Vec<u8> = all
                .flat_map(|it| http2_frames::get(it, "/docs", ""))
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
            held.push(connection);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_of_cheap_frames_are_borne() {
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
    // Of all connections of an address together.
    const BYTES_PER_SECOND: usize = 4 << 20;
    const AT_ONCE: usize = 1 << 20;
    let stage = Stage::laptop().await;
    let address = stage.nodes[0].address();
    let pings = http2_frames::frame(http2_frames::PING, 0, 0, b"flooding").repeat(300_000);
    let sent = 2 * pings.len();
    let begun = Instant::now();
    let answers = tokio::join!(
        flood(address, &[], pings.clone()),
        flood(address, &[], pings)
    );
    let took = begun.elapsed().as_secs_f64();
    assert!(answers.0.is_alive && answers.1.is_alive);
    let least = (sent - AT_ONCE) as f64 / BYTES_PER_SECOND as f64;
    assert!(took > least, "{sent} bytes in {took} s, {least} at least");
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledgements_that_are_never_read_are_not_hoarded() {
    attack(async |address| {
        for frame in [
            http2_frames::settings(&[(http2_frames::INITIAL_WINDOW_SIZE, 1000)]),
            http2_frames::frame(http2_frames::PING, 0, 0, b"flooding"),
        ] {
            let mut connection = TcpStream::connect(address).await.expect("a connection");
            http2_frames::begin(&mut connection, &[])
                .await
                .expect("a connection");
            // The server stops reading what it can't answer: then nothing more of it goes out.
            let flood = repeated(&frame).repeat(10);
            let _ = timeout(Duration::from_secs(3), connection.write_all(&flood)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_data_ends_the_connection() {
    attack(async |address| {
        let head = http2_frames::request(1, 0, &http2_frames::pseudo("POST", "/v1/requests"));
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
            let mut fields = http2_frames::pseudo("GET", "/healthz").to_vec();
            fields.resize(fields.len() + count, ("x", "y"));
            http2_frames::block(&fields)
        };
        // In one frame and beyond what SETTINGS_MAX_HEADER_LIST_SIZE says.
        let flags = http2_frames::END_HEADERS | http2_frames::END_STREAM;
        let over = http2_frames::frame(http2_frames::HEADERS, flags, 1, &fields(2000));
        let answer = flood(address, &[], over).await;
        let refused = |it: &Frame| {
            it.kind == http2_frames::HEADERS || it.resets(1) || it.kind == http2_frames::GOAWAY
        };
        assert!(!answer.is_alive || answer.frames.iter().any(refused));
        assert!(
            !answer
                .frames
                .iter()
                .any(|it| it.kind == http2_frames::DATA && it.payload == b"ok\n")
        );

        // Ten thousand, in as many frames as it takes.
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
        assert!(!answer.is_alive || answer.frames.iter().any(refused));
        assert!(
            !answer
                .frames
                .iter()
                .any(|it| it.kind == http2_frames::DATA && it.payload == b"ok\n")
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_block_without_end_ends_the_connection() {
    // CVE-2024-27316: empty pieces, small ones, and large ones.
    attack(async |address| {
        for (size, count) in [(0, 10_000), (10, 10_000), (16_000, 500)] {
            let head = http2_frames::block(&http2_frames::pseudo("GET", "/healthz"));
            let head =
                http2_frames::frame(http2_frames::HEADERS, http2_frames::END_STREAM, 1, &head);
            let fields = http2_frames::block(&vec![("x", "y"); size / 5]);
            let piece = http2_frames::frame(http2_frames::CONTINUATION, 0, 1, &fields);
            let flooded = [head, piece.repeat(count)].concat();
            let answer = flood(address, &[], flooded).await;
            assert!(!answer.is_alive, "pieces of {size} bytes");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_beyond_the_largest_is_an_error() {
    attack(async |address| {
        let closed = [(http2_frames::INITIAL_WINDOW_SIZE, 0)];
        // Of the connection: it had the largest before.
        let answer = flood(
            address,
            &closed,
            http2_frames::window_update(0, http2_frames::LARGEST_WINDOW),
        )
        .await;
        answer.assert_ended(http2_frames::FLOW_CONTROL_ERROR);
        // Of a stream: RFC 9113, section 6.9.1.
        let update = http2_frames::window_update(1, http2_frames::LARGEST_WINDOW);
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
