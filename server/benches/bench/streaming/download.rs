//! Download clients: a thread with a connection each, which reads as fast as it can.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};

use crate::process::cpu_time;
use crate::servers::Server;

/// Size of a read.
const READ_SIZE: usize = 256 << 10;

/// What each client requests again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Whole,
    /// Ranges of 1 MiB at random offsets.
    Ranges,
}

/// Result of a run.
#[derive(Clone, Copy, Debug)]
pub struct DownloadResult {
    pub bytes_per_second: f64,
    /// CPU time of the server.
    pub seconds_per_gigabyte: f64,
}

/// Where to download a video.
#[derive(Clone)]
pub struct Video {
    address: String,
    path: String,
    token: String,
}

/// A response whose body is being read.
pub struct ResponseBody {
    stream: TcpStream,
    remaining: u64,
}

impl Video {
    pub fn new(server: &Server, path: &str, token: &str) -> Self {
        Self {
            address: server.address().to_owned(),
            path: path.to_owned(),
            token: token.to_owned(),
        }
    }

    /// The same video on a restarted server.
    pub fn on_server(&self, server: &Server) -> Self {
        Self::new(server, &self.path, &self.token)
    }

    /// Downloads the whole video.
    pub fn download(&self) -> Result<Vec<u8>> {
        let mut answer = self.request_body(self.connect()?, None)?;
        let mut bytes = Vec::new();
        let remaining = answer.remaining;
        (&mut answer.stream)
            .take(remaining)
            .read_to_end(&mut bytes)?;
        ensure!(bytes.len() as u64 == remaining, "the body ends early");
        Ok(bytes)
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// An HTTP request for the video, or for a range of 1 MiB at `from`.
    pub fn request(&self, from: Option<u64>) -> String {
        let range = from.map(|from| format!("Range: bytes={from}-{}\r\n", from + MEBIBYTE - 1));
        let (path, token, range) = (&self.path, &self.token, range.unwrap_or_default());
        format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n{range}\r\n"
        )
    }

    /// Sends a request and reads the head of the response.
    fn request_body(&self, mut stream: TcpStream, from: Option<u64>) -> Result<ResponseBody> {
        stream.write_all(self.request(from).as_bytes())?;
        let mut head = Vec::new();
        // Peeks at the head, so that only body bytes are left to read and count.
        loop {
            let mut bytes = [0; 2048];
            let peeked = stream.peek(&mut bytes)?;
            ensure!(peeked > 0, "the server hung up");
            let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else {
                continue;
            };
            head.resize(end + 4, 0);
            stream.read_exact(&mut head)?;
            break;
        }
        let head = String::from_utf8(head)?.to_lowercase();
        let want = if from.is_some() { "206" } else { "200" };
        ensure!(head[9..12] == *want, "the answer is {head}");
        let length = head.split("content-length: ").nth(1);
        let length = length.and_then(|it| it.split("\r\n").next());
        Ok(ResponseBody {
            stream,
            remaining: length.context("no Content-Length")?.parse()?,
        })
    }
}

const MEBIBYTE: u64 = 1 << 20;

/// Downloads on this many connections until the time is over.
pub fn run(
    video: &Video,
    server: u32,
    access: Access,
    connections: usize,
    duration: Duration,
) -> Result<DownloadResult> {
    let length = video.request_body(video.connect()?, None)?.remaining;
    let bytes = AtomicU64::new(0);
    let (before, start) = (cpu_time(server)?, Instant::now());
    let end = start + duration;
    thread::scope(|scope| {
        let download = |seed| {
            let bytes = &bytes;
            scope.spawn(move || download(video, access, length, seed, end, bytes))
        };
        let clients: Vec<_> = (1..=connections as u64).map(download).collect();
        for client in clients {
            client.join().map_err(|_| anyhow!("a client panicked"))??;
        }
        anyhow::Ok(())
    })?;
    let (elapsed, after) = (start.elapsed(), cpu_time(server)?);
    let bytes = bytes.into_inner() as f64;
    Ok(DownloadResult {
        bytes_per_second: bytes / elapsed.as_secs_f64(),
        seconds_per_gigabyte: after.saturating_sub(before).as_secs_f64() / bytes * 1e9,
    })
}

fn download(
    video: &Video,
    access: Access,
    length: u64,
    mut seed: u64,
    end: Instant,
    bytes: &AtomicU64,
) -> Result<()> {
    let mut buffer = vec![0; READ_SIZE];
    let mut stream = video.connect()?;
    loop {
        // A step of PCG, whose high bits are random enough.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let from = match access {
            Access::Whole => None,
            Access::Ranges => Some((seed >> 16) % (length - MEBIBYTE)),
        };
        let mut answer = video.request_body(stream, from)?;
        while answer.remaining > 0 {
            let most = buffer.len().min(usize::try_from(answer.remaining)?);
            let read = answer.stream.read(&mut buffer[..most])?;
            ensure!(read > 0, "the body ends early");
            answer.remaining -= read as u64;
            bytes.fetch_add(read as u64, Ordering::Relaxed);
            if Instant::now() >= end {
                return Ok(());
            }
        }
        stream = answer.stream;
    }
}
