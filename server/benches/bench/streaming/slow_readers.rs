//! Many slow readers: the memory that the server holds for them.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{MissedTickBehavior, interval};

use super::download::Video;
use crate::process::{PeakMemory, raise_open_file_limit};
use crate::servers::Server;

/// Bytes and interval of a read: 160 kB/s.
const READ_SIZE: usize = 16 << 10;
const INTERVAL: Duration = Duration::from_millis(100);

/// Receive buffer of a socket in bytes: a larger one would let the kernel absorb what is left unread.
const RECEIVE_BUFFER: u32 = 64 << 10;

/// Longest wait for the first byte of any stream.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Reads the video slowly on this many connections. Returns the server's peak memory in bytes.
pub async fn run(
    server: &Server,
    video: &Video,
    slow_readers: usize,
    duration: Duration,
) -> Result<u64> {
    raise_open_file_limit(slow_readers as u64)?;
    let memory = PeakMemory::start(server.id());
    let request = video.request(None);
    let mut streams = Vec::new();
    for _ in 0..slow_readers {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
        let mut stream = socket.connect(video.address().parse()?).await?;
        stream.write_all(request.as_bytes()).await?;
        streams.push((stream, 0));
    }
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (begun, mut all_since) = (Instant::now(), None);
    // Measured from when every stream has received something.
    while all_since.is_none_or(|it: Instant| it.elapsed() < duration) {
        ticks.tick().await;
        for (stream, bytes) in &mut streams {
            *bytes += read_available(stream)?;
        }
        if all_since.is_none() && streams.iter().all(|it| it.1 > 0) {
            all_since = Some(Instant::now());
        }
        let waiting = all_since.is_none() && begun.elapsed() > TIMEOUT;
        ensure!(!waiting, "a stream receives nothing");
    }
    let peak = memory.peak()?;
    let least = streams.iter().map(|it| it.1).min().unwrap_or_default();
    let all: usize = streams.iter().map(|it| it.1).sum();
    eprintln!("{slow_readers} streams: {all} bytes, none less than {least}");
    Ok(peak)
}

fn read_available(stream: &mut TcpStream) -> Result<usize> {
    match stream.try_read(&mut [0; READ_SIZE]) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
        Ok(0) => anyhow::bail!("a stream ended early"),
        read => Ok(read?),
    }
}
