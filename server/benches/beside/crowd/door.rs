//! Connections that are held open, and opened again when the server ends them.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use super::visits::{Lines, Role};

/// Connections from one address: there are ports enough for those that come back.
const PER_ADDRESS: u32 = 40;

/// Of a socket, in bytes: so that not all of what is sent to slow ones lies with the kernel.
const BUFFER: u32 = 64 << 10;

/// Before somebody comes back.
const PAUSE: Duration = Duration::from_millis(200);

/// Where a crowd comes in, and how many of them are inside.
pub struct Door {
    pub address: SocketAddr,
    inside: AtomicUsize,
    ended: AtomicU64,
    refused: AtomicU64,
}

/// Who is inside for as long as this lives.
struct Inside<'a>(&'a Door);

impl Door {
    pub fn at(address: &str) -> Result<Self> {
        Ok(Self {
            address: address.parse()?,
            inside: AtomicUsize::new(0),
            ended: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        })
    }

    /// Connections that are open now.
    pub fn inside(&self) -> usize {
        self.inside.load(Ordering::Relaxed)
    }

    /// How many the server has ended.
    pub fn ended(&self) -> u64 {
        self.ended.load(Ordering::Relaxed)
    }

    /// How many it has not let in.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Comes in as `number` of the crowd, plays its role, and comes back. For ever.
    pub async fn keep(&self, number: u32, role: &Role, lines: &Lines) {
        loop {
            match self.connect(number).await {
                Ok(mut stream) => {
                    self.inside.fetch_add(1, Ordering::Relaxed);
                    let _inside = Inside(self);
                    // How it ends is the server's affair: by a word, by a reset.
                    let _ = role.play(&mut stream, lines).await;
                    self.ended.fetch_add(1, Ordering::Relaxed);
                }
                Err(_) => {
                    self.refused.fetch_add(1, Ordering::Relaxed);
                }
            }
            sleep(PAUSE).await;
        }
    }

    /// From one of many addresses, as the machines of a crowd have them.
    async fn connect(&self, number: u32) -> Result<TcpStream> {
        let from = u32::from(Ipv4Addr::new(127, 1, 0, 1)) + number / PER_ADDRESS;
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(BUFFER)?;
        socket.bind((Ipv4Addr::from(from), 0).into())?;
        Ok(socket.connect(self.address).await?)
    }

    /// Waits until so many are inside.
    pub async fn fills(&self, many: usize, patience: Duration) -> Result<()> {
        let start = Instant::now();
        while self.inside() < many {
            let refused = self.refused();
            ensure!(
                start.elapsed() < patience,
                "{} of {many} are inside, {refused} were refused",
                self.inside()
            );
            sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Lets this process, and those that it starts, have as many connections as the system allows.
pub fn open_wide(connections: u64) -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX);
    ensure!(
        most > connections,
        "{connections} connections need more than {most} open files: raise `ulimit -Hn`"
    );
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    setrlimit(Resource::Nofile, raised).context("open files can't be raised")
}
