//! Harness for attacks over HTTP/2: floods of frames, while other clients are measured.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::time::timeout;

use crate::environment::Environment;
use crate::environment::memory::record_peak_memory;
use test_support::clients::http2_frames::{self, Frame};
use test_support::clients::retrying_client::http_client_builder;
use test_support::scale::TIMEOUT;

/// Bound of the server's growth in bytes.
const MAX_GROWTH: u64 = 100 << 20;

/// Bound of the other clients' p99 latency, generous because the attack shares this machine's processors.
const MAX_P99: Duration = Duration::from_secs(5);

/// Answers to other clients, until which an attack is repeated: so many that p99 isn't the longest.
const OTHER_RESPONSES: usize = 200;

/// Frames of a flood.
const FLOOD_FRAMES: usize = 100_000;

const LAST_PING: &[u8; 8] = b"the last";

/// The server's reaction to a flood.
pub struct FloodResult {
    /// Received frames without acknowledgements.
    pub frames: Vec<Frame>,
    /// Whether the connection survived the flood and answered a last PING.
    pub is_alive: bool,
}

impl FloodResult {
    pub fn goaway(&self) -> Option<u32> {
        let goaway = self
            .frames
            .iter()
            .find(|it| it.kind == http2_frames::GOAWAY);
        goaway.and_then(Frame::error_code)
    }

    /// Asserts that the server closed the connection. A reset with unread bytes may swallow the GOAWAY.
    pub fn assert_ended(&self, code: u32) {
        assert!(!self.is_alive);
        assert!(
            self.goaway().is_none_or(|it| it == code),
            "{:?}",
            self.goaway()
        );
    }
}

/// Sends these bytes and reads the frames that arrive meanwhile.
pub async fn flood(address: SocketAddr, settings: &[(u16, u32)], flood: Vec<u8>) -> FloodResult {
    let connection = TcpStream::connect(address).await.expect("a connection");
    let (mut read, mut write) = connection.into_split();
    let ping = http2_frames::frame(http2_frames::PING, 0, 0, LAST_PING);
    let mut answer = FloodResult {
        frames: Vec::new(),
        is_alive: false,
    };
    let sending = async {
        // Fails when the server closes the connection.
        let preface = http2_frames::send_preface(&mut write, settings).await;
        preface.is_ok()
            && write
                .write_all(&[flood, ping.clone()].concat())
                .await
                .is_ok()
    };
    let (_, is_alive) = timeout(TIMEOUT, async {
        tokio::join!(sending, read_to_ping(&mut read, &mut answer.frames))
    })
    .await
    .expect("an end or an answer");
    // A PING acknowledgement overtakes queued frames; that of a second one doesn't.
    if is_alive && write.write_all(&ping).await.is_ok() {
        answer.is_alive = read_to_ping(&mut read, &mut answer.frames).await;
    }
    answer
}

/// Reads frames up to the acknowledgement of the last PING and keeps all others.
/// `false` if the connection ended first.
async fn read_to_ping(read: &mut OwnedReadHalf, frames: &mut Vec<Frame>) -> bool {
    while let Ok(frame) = http2_frames::read(read).await {
        let has_acks = [http2_frames::PING, http2_frames::SETTINGS].contains(&frame.kind);
        match has_acks && frame.flags == http2_frames::ACK {
            true if frame.payload == LAST_PING => return true,
            true => {}
            false => frames.push(frame),
        }
    }
    false
}

/// Repeats an attack on a server, and checks its memory and the latency of other clients.
pub async fn attack(attack: impl AsyncFn(SocketAddr)) {
    let mut environment = Environment::sqlite().await;
    let (address, process) = (environment.nodes[0].address(), environment.nodes[0].id());
    let health = format!("{}/healthz", environment.nodes[0].url());
    // From another address, because one has a limit of calls in progress.
    let other = http_client_builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2)));
    let other = other.build().expect("a client");
    let mut before = 0;
    let _ = timeout(
        Duration::from_millis(500),
        record_peak_memory(process, &mut before),
    )
    .await;
    let (mut latencies, mut peak, answered) = (Vec::new(), 0, AtomicUsize::new(0));
    let other_client = async {
        loop {
            let start = Instant::now();
            let answer = other.get(&health).send().await.expect("an answer");
            assert_eq!(answer.status(), StatusCode::OK);
            latencies.push(start.elapsed());
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let attacks = async {
        while answered.load(Ordering::Relaxed) < OTHER_RESPONSES {
            attack(address).await;
        }
    };
    tokio::select! {
        () = attacks => {}
        () = other_client => {}
        () = record_peak_memory(process, &mut peak) => {}
    }
    let answer = other.get(&health).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    environment.nodes[0].assert_alive();
    latencies.sort_unstable();
    let p99 = latencies
        .get(latencies.len() * 99 / 100)
        .copied()
        .unwrap_or_default();
    let grown = peak.saturating_sub(before);
    println!(
        "{} other responses, p99 {p99:?}; {} kB more",
        latencies.len(),
        grown / 1000
    );
    assert!(p99 < MAX_P99, "{p99:?}");
    assert!(grown < MAX_GROWTH, "{grown} bytes");
}

pub fn repeated(frame: &[u8]) -> Vec<u8> {
    frame.repeat(FLOOD_FRAMES)
}
