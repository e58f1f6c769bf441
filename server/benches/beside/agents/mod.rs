//! Agents over MCP beside the same agents over REST: how soon a recording is there with its pictures, what a
//! large one costs, and what it costs that many wait.

mod agent;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use agent::Agent;
pub use agent::call;
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use futures_util::future::try_join_all;
use reqwest::Client;
use serde_json::Value;
use tokio::process::Command;
use tokio::time::sleep;

use crate::process::Watch;
use crate::servers::Server;
use crate::table::{median, met, print};

/// A film of H.264 in fragments, whose pictures are made by what is built in.
const FILM: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/chromium_h264_opus.mp4");

/// Bytes of a large recording.
const LARGE: usize = 500_000_000;

/// Agents that wait at a time.
const WAITING: usize = 200;

/// As long as a call may wait.
const WAIT_SECONDS: u32 = 45;

/// Aims.
const SOON: Duration = Duration::from_millis(200);
const FLAT: u64 = 20_000_000;
const AT_ONCE: Duration = Duration::from_secs(1);

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (times, large, waiting) = match quick {
        true => (5, LARGE / 50, WAITING / 10),
        false => (100, LARGE, WAITING),
    };
    // A proxy that the environment names would come in between.
    let client = Client::builder().no_proxy().tls_certs_only([]).build()?;
    let film = ten_seconds(disk).await?;
    let server = Server::vidence(binary, &disk.join("gets"))?;
    let small = asked(&client, &server).await?;
    small.submit("video/webm", film).await?;
    pictures_are_made(&small).await?;
    let (mut over_mcp, mut over_rest) = (Vec::new(), Vec::new());
    let (mut answer, mut fetched) = (0, 0);
    for _ in 0..times {
        let start = Instant::now();
        answer = small.get("auto", 0).await?.len();
        over_mcp.push(start.elapsed());
        let start = Instant::now();
        fetched = small.get_by_rest().await?;
        over_rest.push(start.elapsed());
    }
    println!("A recording of 10 s with its pictures: {fetched} bytes, as an answer {answer}\n");
    let row = |name: &str, taken: &[Duration]| {
        [
            name.to_owned(),
            milliseconds(taken, 50),
            milliseconds(taken, 99),
        ]
    };
    print(
        ["", "p50 (ms)", "p99 (ms)"],
        [
            row("MCP, one call", &over_mcp),
            row("REST, one by one", &over_rest),
        ],
    );
    let slowest = *over_mcp.iter().max().context("nothing was measured")?;
    let ratio = seconds(&over_mcp) / seconds(&over_rest);
    println!(
        "\nMCP takes {ratio:.2} of what REST takes. Under 200 ms: {}",
        met(slowest < SOON)
    );
    drop(server);

    let (link, grown) = a_large_one(binary, disk, &client, large).await?;
    println!(
        "\nOf a recording of {large} bytes: a link and pictures in {} ms, with {} kB more memory: {}",
        link.as_millis(),
        grown / 1000,
        met(grown < FLAT)
    );
    let (grown, latest) = many_that_wait(binary, disk, &client, waiting).await?;
    println!(
        "\n{waiting} agents that wait take {} kB of memory ({}); the last is answered {} ms after its \
         submission ({})",
        grown / 1000,
        met(grown < FLAT),
        latest.as_millis(),
        met(latest < AT_ONCE)
    );
    Ok(())
}

async fn asked(client: &Client, server: &Server) -> Result<Agent> {
    Agent::ask(client, &server.base).await
}

/// A recording as browsers make them.
async fn ten_seconds(disk: &Path) -> Result<Bytes> {
    let film = disk.join("film.webm");
    let made = Command::new("ffmpeg")
        .args([
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            "testsrc2=size=1280x720:rate=30",
        ])
        .args([
            "-f", "lavfi", "-i", "sine", "-t", "10", "-c:v", "libvpx", "-b:v", "2500k",
        ])
        .args([
            "-deadline",
            "realtime",
            "-cpu-used",
            "8",
            "-g",
            "30",
            "-c:a",
            "libopus",
        ])
        .arg(&film)
        .status()
        .await?;
    ensure!(made.success(), "ffmpeg made no film");
    Ok(fs::read(film)?.into())
}

/// What an answer says in its first text.
fn told(answer: &[u8]) -> Result<Value> {
    let answer: Value = serde_json::from_slice(answer)?;
    let text = answer["result"]["content"][0]["text"].as_str();
    Ok(serde_json::from_str(text.unwrap_or_default())?)
}

async fn pictures_are_made(agent: &Agent) -> Result<()> {
    loop {
        let told = told(&agent.get("link", 1).await?)?;
        let pictures = &told["stills"];
        match pictures["state"].as_str() {
            Some("ready") => return Ok(()),
            Some("pending") => sleep(Duration::from_millis(100)).await,
            _ => anyhow::bail!("no pictures: {pictures}"),
        }
    }
}

/// How long the first answer takes, and by how many bytes the server grows in a hundred of them.
async fn a_large_one(
    binary: &Path,
    disk: &Path,
    client: &Client,
    large: usize,
) -> Result<(Duration, u64)> {
    let folder = disk.join("large");
    let server = Server::vidence(binary, &folder)?;
    let agent = asked(client, &server).await?;
    agent.submit("video/mp4", padded(FILM, large)?).await?;
    pictures_are_made(&agent).await?;
    // What took the upload has its memory still. Another process has the same data.
    drop(server);
    let server = Server::vidence(binary, &folder)?;
    let agent = agent.at(&server.base);
    let start = Instant::now();
    agent.get("auto", 0).await?;
    let first = start.elapsed();
    let before = Watch::start(server.id()).peak()?;
    let watch = Watch::start(server.id());
    for _ in 0..100 {
        let told = told(&agent.get("auto", 0).await?)?;
        ensure!(
            told["delivered"]["as"] == "link",
            "it was put into the answer"
        );
        ensure!(told["stills"]["status"] == "ready", "it has no pictures");
    }
    Ok((first, watch.peak()?.saturating_sub(before)))
}

/// The film, with a box behind it that players skip: ISO/IEC 14496-12, section 8.1.2.
fn padded(film: &[u8], length: usize) -> Result<Bytes> {
    let free = u32::try_from(length - film.len())?;
    let mut padded = Vec::with_capacity(length);
    padded.extend_from_slice(film);
    padded.extend_from_slice(&free.to_be_bytes());
    padded.extend_from_slice(b"free");
    padded.resize(length, 0);
    Ok(padded.into())
}

/// By how many bytes the server grows, and how long after its submission the last of them is answered.
async fn many_that_wait(
    binary: &Path,
    disk: &Path,
    client: &Client,
    many: usize,
) -> Result<(u64, Duration)> {
    let server = Server::vidence(binary, &disk.join("waits"))?;
    let agents = try_join_all((0..many).map(|_| asked(client, &server))).await?;
    // Connections, and what the first of anything takes.
    let warm = agents.iter().map(|it| it.get("auto", 0));
    try_join_all(warm).await?;
    let before = Watch::start(server.id()).peak()?;
    let watch = Watch::start(server.id());
    let waiting = agents.iter().map(|agent| {
        let agent = agent.clone();
        tokio::spawn(async move {
            let answer = agent.get("link", WAIT_SECONDS).await?;
            Ok::<_, anyhow::Error>((Instant::now(), answer))
        })
    });
    let waiting: Vec<_> = waiting.collect();
    // There is nothing to see of a server that waits but that it does.
    sleep(Duration::from_secs(5)).await;
    let grown = watch.peak()?.saturating_sub(before);
    let mut latest = Duration::ZERO;
    for (agent, waiting) in agents.iter().zip(waiting) {
        ensure!(!waiting.is_finished(), "it didn't wait");
        agent.submit("video/mp4", Bytes::from_static(FILM)).await?;
        let submitted = Instant::now();
        let (answered, answer) = waiting.await??;
        let status = &told(&answer)?["status"];
        ensure!(status == "submitted", "it was told {status}");
        latest = latest.max(answered.saturating_duration_since(submitted));
    }
    Ok((grown, latest))
}

fn seconds(taken: &[Duration]) -> f64 {
    median(taken.iter().map(Duration::as_secs_f64).collect())
}

fn milliseconds(taken: &[Duration], percent: usize) -> String {
    let mut sorted = taken.to_vec();
    sorted.sort();
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    let taken = sorted.get(at).copied().unwrap_or_default();
    format!("{:.1}", taken.as_secs_f64() * 1000.0)
}
