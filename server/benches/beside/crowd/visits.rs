//! What members of a crowd do: nothing at all, nothing any more, or everything slowly.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;

/// Slow ones do a little, and then nothing for so long.
const PACE: Duration = Duration::from_millis(500);

/// Bytes that a slow sender sends and a slow reader reads at a time.
const LITTLE: usize = 512;

/// Bytes of a recording that is never sent to its end.
const ENDLESS: u64 = 100_000_000;

/// How each recording begins, in an `mdat` without an end.
const OPEN_ENDED: &[u8] = include_bytes!("../../../../crates/test-support/fixtures/open_ended.mp4");

/// What members of the crowd say.
pub struct Lines {
    /// A poll that is answered.
    pub poll: Vec<u8>,
    /// Asks for a video.
    pub watch: String,
    /// Paths of takes that wait for their bytes.
    pub takes: Vec<String>,
}

/// What one of them does.
pub enum Role {
    Silent,
    Once,
    SlowHead,
    /// Which of the takes, counted round.
    SlowBody(usize),
    SlowReader,
}

impl Role {
    /// Until the server has enough of it.
    pub async fn play(&self, stream: &mut TcpStream, lines: &Lines) -> Result<()> {
        if !matches!(self, Self::Silent | Self::Once) {
            // Not all of them in step.
            sleep(PACE.mul_f64(rand::random())).await;
        }
        match self {
            Self::Silent => silent(stream).await,
            Self::Once => once(stream, &lines.poll).await,
            Self::SlowHead => slow_head(stream).await,
            Self::SlowBody(take) => slow_body(stream, &lines.takes[take % lines.takes.len()]).await,
            Self::SlowReader => slow_reader(stream, &lines.watch).await,
        }
    }
}

/// Never says a word.
async fn silent(stream: &mut TcpStream) -> Result<()> {
    until_it_ends(stream).await
}

/// Asks once, and keeps the connection.
async fn once(stream: &mut TcpStream, poll: &[u8]) -> Result<()> {
    stream.write_all(poll).await?;
    let mut answer = [0; 4096];
    let read = stream.read(&mut answer).await?;
    ensure!(answer[..read].starts_with(b"HTTP/1.1 200"), "no answer");
    until_it_ends(stream).await
}

/// A head that comes letter by letter.
async fn slow_head(stream: &mut TcpStream) -> Result<()> {
    stream.write_all(b"GET /v1/requests/a HTTP/1.1\r\n").await?;
    loop {
        stream.write_all(b"X-A: b\r\n").await?;
        sleep(PACE).await;
    }
}

/// A recording that comes drop by drop, from where it broke off before.
async fn slow_body(stream: &mut TcpStream, take: &str) -> Result<()> {
    let ask = format!("HEAD {take} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    stream.write_all(ask.as_bytes()).await?;
    let mut answer = [0; 4096];
    let read = stream.read(&mut answer).await?;
    let answer = str::from_utf8(&answer[..read])?.to_lowercase();
    let offset = answer.split("upload-offset: ").nth(1);
    let offset = offset.and_then(|it| it.split("\r\n").next());
    let offset = offset.context("no offset")?;
    let append = format!(
        "PATCH {take} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {ENDLESS}\r\n\
         Content-Type: application/partial-upload\r\nUpload-Complete: ?0\r\n\
         Upload-Offset: {offset}\r\n\r\n"
    );
    stream.write_all(append.as_bytes()).await?;
    if offset == "0" {
        stream.write_all(OPEN_ENDED).await?;
    }
    loop {
        stream.write_all(&[0; LITTLE]).await?;
        sleep(PACE).await;
    }
}

/// A video that is watched drop by drop.
async fn slow_reader(stream: &mut TcpStream, watch: &str) -> Result<()> {
    stream.write_all(watch.as_bytes()).await?;
    loop {
        let read = stream.read(&mut [0; LITTLE]).await?;
        ensure!(read > 0, "it ended");
        sleep(PACE).await;
    }
}

async fn until_it_ends(stream: &mut TcpStream) -> Result<()> {
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}
