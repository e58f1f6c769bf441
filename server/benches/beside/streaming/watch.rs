//! Who watches: a thread and a connection each, which takes bytes as fast as they come.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};

use crate::process::worked;
use crate::servers::Server;

/// What a thread takes at a time.
const TAKES: usize = 256 << 10;

/// What is asked for, again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Whole,
    /// One at a time, at random places.
    Mebibytes,
}

/// What was seen.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub bytes_per_second: f64,
    /// Of processors, in the server.
    pub seconds_per_gigabyte: f64,
}

/// Where a video is to be had.
#[derive(Clone)]
pub struct Video {
    address: String,
    path: String,
    token: String,
}

/// An answer that comes.
pub struct Answer {
    stream: TcpStream,
    left: u64,
}

impl Video {
    pub fn of(server: &Server, path: &str, token: &str) -> Self {
        Self {
            address: server.address().to_owned(),
            path: path.to_owned(),
            token: token.to_owned(),
        }
    }

    /// The same one, after its server has moved.
    pub fn at(&self, server: &Server) -> Self {
        Self::of(server, &self.path, &self.token)
    }

    /// All of it, in memory.
    pub fn whole(&self) -> Result<Vec<u8>> {
        let mut answer = self.ask(self.connect()?, None)?;
        let mut bytes = Vec::new();
        let left = answer.left;
        (&mut answer.stream).take(left).read_to_end(&mut bytes)?;
        ensure!(bytes.len() as u64 == left, "it ends early");
        Ok(bytes)
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// A whole request.
    pub fn request(&self, from: Option<u64>) -> String {
        let range = from.map(|from| format!("Range: bytes={from}-{}\r\n", from + MEBIBYTE - 1));
        let (path, token, range) = (&self.path, &self.token, range.unwrap_or_default());
        format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n{range}\r\n"
        )
    }

    /// Asks, and reads until the bytes begin.
    fn ask(&self, mut stream: TcpStream, from: Option<u64>) -> Result<Answer> {
        stream.write_all(self.request(from).as_bytes())?;
        let mut head = Vec::new();
        // By peeking: what comes behind it is counted later, and copied as all of it.
        loop {
            let mut bytes = [0; 2048];
            let there = stream.peek(&mut bytes)?;
            ensure!(there > 0, "the server hung up");
            let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else {
                continue;
            };
            head.resize(end + 4, 0);
            stream.read_exact(&mut head)?;
            break;
        }
        let head = String::from_utf8(head)?.to_lowercase();
        let want = if from.is_some() { "206" } else { "200" };
        ensure!(head[9..12] == *want, "it answers {head}");
        let length = head.split("content-length: ").nth(1);
        let length = length.and_then(|it| it.split("\r\n").next());
        Ok(Answer {
            stream,
            left: length.context("no length")?.parse()?,
        })
    }
}

const MEBIBYTE: u64 = 1 << 20;

/// Watches on so many connections until the time is over.
pub fn run(
    video: &Video,
    server: u32,
    shape: Shape,
    connections: usize,
    lasts: Duration,
) -> Result<Seen> {
    let length = video.ask(video.connect()?, None)?.left;
    let bytes = AtomicU64::new(0);
    let (before, start) = (worked(server)?, Instant::now());
    let end = start + lasts;
    thread::scope(|scope| {
        let watch = |seed| {
            let bytes = &bytes;
            scope.spawn(move || watch(video, shape, length, seed, end, bytes))
        };
        let watching: Vec<_> = (1..=connections as u64).map(watch).collect();
        for one in watching {
            one.join().map_err(|_| anyhow!("who watched panicked"))??;
        }
        anyhow::Ok(())
    })?;
    let (took, after) = (start.elapsed(), worked(server)?);
    let bytes = bytes.into_inner() as f64;
    Ok(Seen {
        bytes_per_second: bytes / took.as_secs_f64(),
        seconds_per_gigabyte: after.saturating_sub(before).as_secs_f64() / bytes * 1e9,
    })
}

fn watch(
    video: &Video,
    shape: Shape,
    length: u64,
    mut seed: u64,
    end: Instant,
    bytes: &AtomicU64,
) -> Result<()> {
    let mut buffer = vec![0; TAKES];
    let mut stream = video.connect()?;
    loop {
        // A step of PCG: its high bits are random enough.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let from = match shape {
            Shape::Whole => None,
            Shape::Mebibytes => Some((seed >> 16) % (length - MEBIBYTE)),
        };
        let mut answer = video.ask(stream, from)?;
        while answer.left > 0 {
            let most = buffer.len().min(usize::try_from(answer.left)?);
            let read = answer.stream.read(&mut buffer[..most])?;
            ensure!(read > 0, "it ends early");
            answer.left -= read as u64;
            bytes.fetch_add(read as u64, Ordering::Relaxed);
            if Instant::now() >= end {
                return Ok(());
            }
        }
        stream = answer.stream;
    }
}
