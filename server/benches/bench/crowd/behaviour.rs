//! Behaviour of the crowd's connections: silent, idle after a request, or slow.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;

/// Pause between two small reads or writes.
const INTERVAL: Duration = Duration::from_millis(500);

/// Bytes of a small read or write.
const SMALL: usize = 512;

/// Declared length of a recording that never ends.
const DECLARED_LENGTH: u64 = 100_000_000;

/// The start of each recording: an MP4 with an open-ended `mdat`.
const OPEN_ENDED: &[u8] = include_bytes!("../../../../crates/test-support/fixtures/open_ended.mp4");

/// Requests that the crowd sends.
pub struct Requests {
    /// A poll that succeeds.
    pub poll: Vec<u8>,
    /// A GET of a video.
    pub download: String,
    /// Paths of empty takes.
    pub takes: Vec<String>,
}

/// Behaviour of one connection.
pub enum Behaviour {
    Silent,
    IdleAfterRequest,
    SlowHead,
    /// Index of the take, modulo the number of takes.
    SlowBody(usize),
    SlowReader,
}

impl Behaviour {
    /// Behaves so until the server closes the connection.
    pub async fn run(&self, stream: &mut TcpStream, requests: &Requests) -> Result<()> {
        if !matches!(self, Self::Silent | Self::IdleAfterRequest) {
            // Spreads them over time.
            sleep(INTERVAL.mul_f64(rand::random())).await;
        }
        match self {
            Self::Silent => send_nothing(stream).await,
            Self::IdleAfterRequest => idle_after_request(stream, &requests.poll).await,
            Self::SlowHead => send_slow_head(stream).await,
            Self::SlowBody(take) => {
                send_slow_body(stream, &requests.takes[take % requests.takes.len()]).await
            }
            Self::SlowReader => read_slowly(stream, &requests.download).await,
        }
    }
}

/// Sends nothing.
async fn send_nothing(stream: &mut TcpStream) -> Result<()> {
    read_to_end(stream).await
}

/// Sends one request and keeps the connection open.
async fn idle_after_request(stream: &mut TcpStream, poll: &[u8]) -> Result<()> {
    stream.write_all(poll).await?;
    let mut answer = [0; 4096];
    let read = stream.read(&mut answer).await?;
    ensure!(
        answer[..read].starts_with(b"HTTP/1.1 200"),
        "the poll fails"
    );
    read_to_end(stream).await
}

/// Sends a request head header by header.
async fn send_slow_head(stream: &mut TcpStream) -> Result<()> {
    stream.write_all(b"GET /v1/requests/a HTTP/1.1\r\n").await?;
    loop {
        stream.write_all(b"X-A: b\r\n").await?;
        sleep(INTERVAL).await;
    }
}

/// Sends a recording in small writes, from the offset of the attempt before.
async fn send_slow_body(stream: &mut TcpStream, take: &str) -> Result<()> {
    let head = format!("HEAD {take} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = [0; 4096];
    let read = stream.read(&mut answer).await?;
    let answer = str::from_utf8(&answer[..read])?.to_lowercase();
    let offset = answer.split("upload-offset: ").nth(1);
    let offset = offset.and_then(|it| it.split("\r\n").next());
    let offset = offset.context("no Upload-Offset")?;
    let append = format!(
        "PATCH {take} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {DECLARED_LENGTH}\r\n\
         Content-Type: application/partial-upload\r\nUpload-Complete: ?0\r\n\
         Upload-Offset: {offset}\r\n\r\n"
    );
    stream.write_all(append.as_bytes()).await?;
    if offset == "0" {
        stream.write_all(OPEN_ENDED).await?;
    }
    loop {
        stream.write_all(&[0; SMALL]).await?;
        sleep(INTERVAL).await;
    }
}

/// Reads a video in small reads.
async fn read_slowly(stream: &mut TcpStream, download: &str) -> Result<()> {
    stream.write_all(download.as_bytes()).await?;
    loop {
        let read = stream.read(&mut [0; SMALL]).await?;
        ensure!(read > 0, "the download ended");
        sleep(INTERVAL).await;
    }
}

async fn read_to_end(stream: &mut TcpStream) -> Result<()> {
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}
