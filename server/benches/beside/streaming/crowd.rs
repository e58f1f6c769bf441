//! Many who watch slowly: what the server holds for each of them is what counts.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{MissedTickBehavior, interval};

use super::watch::Video;
use crate::process::Watch;
use crate::servers::Server;

/// What each takes at a time, and how often: 160 kB/s.
const TAKES: usize = 16 << 10;
const EVERY: Duration = Duration::from_millis(100);

/// Of a socket: so that not all of what is sent lies with the kernel.
const BUFFER: u32 = 64 << 10;

/// Nobody waits so long for the first byte.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the server's own memory at its peak, in bytes.
pub async fn run(server: &Server, video: &Video, crowd: usize, lasts: Duration) -> Result<u64> {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            ..limit
        },
    )?;
    let memory = Watch::start(server.id());
    let request = video.request(None);
    let mut streams = Vec::new();
    for _ in 0..crowd {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(BUFFER)?;
        let mut stream = socket.connect(video.address().parse()?).await?;
        stream.write_all(request.as_bytes()).await?;
        streams.push((stream, 0));
    }
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (begun, mut all_since) = (Instant::now(), None);
    // From when the last one has got something.
    while all_since.is_none_or(|it: Instant| it.elapsed() < lasts) {
        ticks.tick().await;
        for (stream, bytes) in &mut streams {
            *bytes += take(stream)?;
        }
        if all_since.is_none() && streams.iter().all(|it| it.1 > 0) {
            all_since = Some(Instant::now());
        }
        let waiting = all_since.is_none() && begun.elapsed() > PATIENCE;
        ensure!(!waiting, "somebody gets nothing");
    }
    let peak = memory.peak()?;
    let least = streams.iter().map(|it| it.1).min().unwrap_or_default();
    let all: usize = streams.iter().map(|it| it.1).sum();
    eprintln!("{crowd} streams: {all} bytes, none less than {least}");
    Ok(peak)
}

fn take(stream: &mut TcpStream) -> Result<usize> {
    match stream.try_read(&mut [0; TAKES]) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
        Ok(0) => anyhow::bail!("a stream ended early"),
        read => Ok(read?),
    }
}
