//! A pool of connections that are opened again when the server closes them.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use super::behaviour::{Behaviour, Requests};

/// Connections from one source address, few enough that there are ports for those that reconnect.
const CONNECTIONS_PER_ADDRESS: u32 = 40;

/// Receive buffer of a socket in bytes: a larger one would let the kernel absorb what slow readers leave unread.
const RECEIVE_BUFFER: u32 = 64 << 10;

/// Delay before a reconnection.
const RECONNECT_DELAY: Duration = Duration::from_millis(200);

/// Target and counters of a pool.
pub struct ConnectionPool {
    pub address: SocketAddr,
    open: AtomicUsize,
    closed: AtomicU64,
    refused: AtomicU64,
}

/// Counts a connection as open while it lives.
struct OpenGuard<'a>(&'a ConnectionPool);

impl ConnectionPool {
    pub fn at(address: &str) -> Result<Self> {
        Ok(Self {
            address: address.parse()?,
            open: AtomicUsize::new(0),
            closed: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        })
    }

    /// Connections that are open now.
    pub fn open(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// Connections that the server has closed.
    pub fn closed(&self) -> u64 {
        self.closed.load(Ordering::Relaxed)
    }

    /// Connections that the server has refused.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Keeps connection `number` open with this behaviour, and opens it again whenever it ends.
    /// Never returns.
    pub async fn keep_open(&self, number: u32, behaviour: &Behaviour, requests: &Requests) {
        loop {
            match self.connect(number).await {
                Ok(mut stream) => {
                    self.open.fetch_add(1, Ordering::Relaxed);
                    let _open = OpenGuard(self);
                    // Any end is fine: a response, a close or a reset.
                    let _ = behaviour.run(&mut stream, requests).await;
                    self.closed.fetch_add(1, Ordering::Relaxed);
                }
                Err(_) => {
                    self.refused.fetch_add(1, Ordering::Relaxed);
                }
            }
            sleep(RECONNECT_DELAY).await;
        }
    }

    /// Connects from one of many source addresses, as separate machines would.
    async fn connect(&self, number: u32) -> Result<TcpStream> {
        let from = u32::from(Ipv4Addr::new(127, 1, 0, 1)) + number / CONNECTIONS_PER_ADDRESS;
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
        socket.bind((Ipv4Addr::from(from), 0).into())?;
        Ok(socket.connect(self.address).await?)
    }

    /// Waits until this many connections are open.
    pub async fn wait_until_open(&self, wanted: usize, timeout: Duration) -> Result<()> {
        let start = Instant::now();
        while self.open() < wanted {
            let refused = self.refused();
            ensure!(
                start.elapsed() < timeout,
                "{} of {wanted} connections are open, {refused} were refused",
                self.open()
            );
            sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }
}

impl Drop for OpenGuard<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}
