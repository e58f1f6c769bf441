//! A line that passes a megabyte a second each way, and may stop: TCP on loopback, passed on to a server.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// What passes at a time, in bytes, and how often.
const PIECE: usize = 50_000;
const PACE: Duration = Duration::from_millis(50);

/// What waits in front of the line on its way to the client, in bytes: a server hears soon of a line that stops.
const QUEUE: u32 = 64 << 10;

/// How much passes before the line stops, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct StopsAfter {
    /// To the server.
    pub sent: Option<u64>,
    /// To the client.
    pub received: Option<u64>,
}

/// What the line and its connections tell each other.
#[derive(Clone, Default)]
struct Ends {
    stopped: CancellationToken,
    mended: CancellationToken,
}

/// For as long as it lives.
pub struct SlowLine {
    address: SocketAddr,
    ends: Ends,
    _listening: AbortOnDropHandle<()>,
}

impl SlowLine {
    /// One to the server at this address.
    pub async fn to(server: SocketAddr, stops_after: StopsAfter) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let ends = Ends::default();
        let listening = listen(listener, server, stops_after, ends.clone());
        Self {
            address,
            ends,
            _listening: AbortOnDropHandle::new(tokio::spawn(listening)),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until it has stopped, and something waits in front of it.
    pub async fn stopped(&self) {
        self.ends.stopped.cancelled().await;
    }

    /// From now on everything passes, as soon as it comes.
    pub fn mend(&self) {
        self.ends.mended.cancel();
    }
}

async fn listen(listener: TcpListener, server: SocketAddr, stops_after: StopsAfter, ends: Ends) {
    while let Ok((near, _)) = listener.accept().await {
        let far = connect(server).await;
        let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
        let StopsAfter { sent, received } = stops_after;
        tokio::spawn(pass(from_near, to_far, sent, ends.clone()));
        tokio::spawn(pass(from_far, to_near, received, ends.clone()));
    }
}

async fn connect(server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(QUEUE).expect("a smaller queue");
    socket.connect(server).await.expect("a server")
}

/// Until either side ends.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    stops_after: Option<u64>,
    Ends { stopped, mended }: Ends,
) {
    let (mut piece, mut passed) = (vec![0; PIECE], 0);
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while let Ok(length @ 1..) = from.read(&mut piece).await {
        if stops_after.is_some_and(|most| passed >= most) {
            stopped.cancel();
            mended.cancelled().await;
        }
        if !mended.is_cancelled() {
            pace.tick().await;
        }
        if to.write_all(&piece[..length]).await.is_err() {
            return;
        }
        passed += length as u64;
    }
    // It fails for a connection that is gone already.
    let _ = to.shutdown().await;
}
