//! A TCP proxy on loopback with little bandwidth in each direction, which may stall.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// Reads a second.
const READS: usize = 20;
const INTERVAL: Duration = Duration::from_millis(1000 / READS as u64);

/// Bytes that queue in front of the proxy on their way to the client: few, so that the server soon notices a stall.
const QUEUE: u32 = 64 << 10;

/// Bytes that pass before the connection stalls.
#[derive(Clone, Copy, Debug, Default)]
pub struct StallAfter {
    /// Bytes to the server.
    pub sent: Option<u64>,
    /// Bytes to the client.
    pub received: Option<u64>,
}

/// Signals between the proxy and its connections.
#[derive(Clone, Default)]
struct Signals {
    stalled: CancellationToken,
    resumed: CancellationToken,
}

/// A running proxy, stopped on drop.
pub struct SlowProxy {
    address: SocketAddr,
    signals: Signals,
    _listening: AbortOnDropHandle<()>,
}

impl SlowProxy {
    /// A proxy to the server at this address, with so many bytes a second in each direction.
    pub async fn to(server: SocketAddr, bandwidth: usize, stall_after: StallAfter) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let signals = Signals::default();
        let listening = listen(listener, server, bandwidth, stall_after, signals.clone());
        Self {
            address,
            signals,
            _listening: AbortOnDropHandle::new(tokio::spawn(listening)),
        }
    }

    /// Listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until a connection has stalled with bytes in front of it.
    pub async fn stalled(&self) {
        self.signals.stalled.cancelled().await;
    }

    /// Removes the stall and the bandwidth limit.
    pub fn resume(&self) {
        self.signals.resumed.cancel();
    }
}

async fn listen(
    listener: TcpListener,
    server: SocketAddr,
    bandwidth: usize,
    stall_after: StallAfter,
    signals: Signals,
) {
    while let Ok((client_side, _)) = listener.accept().await {
        let server_side = connect(server).await;
        let ((from_client, to_client), (from_server, to_server)) =
            (client_side.into_split(), server_side.into_split());
        let StallAfter { sent, received } = stall_after;
        for (from, to, stall_after) in [
            (from_client, to_server, sent),
            (from_server, to_client, received),
        ] {
            tokio::spawn(copy(from, to, bandwidth, stall_after, signals.clone()));
        }
    }
}

async fn connect(server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(QUEUE).expect("a smaller queue");
    socket.connect(server).await.expect("a server")
}

/// Copies bytes until either side ends.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    bandwidth: usize,
    stall_after: Option<u64>,
    Signals { stalled, resumed }: Signals,
) {
    let (mut buffer, mut copied) = (vec![0; bandwidth / READS], 0);
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if stall_after.is_some_and(|most| copied >= most) {
            stalled.cancel();
            resumed.cancelled().await;
        }
        if !resumed.is_cancelled() {
            ticks.tick().await;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
        copied += length as u64;
    }
    // Fails for a connection that is closed already.
    let _ = to.shutdown().await;
}
