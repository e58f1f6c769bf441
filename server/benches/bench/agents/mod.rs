//! Agents over MCP compared with REST: latency of a recording with its stills and of single pictures, cost of a large
//! video, of waiting agents and of transcripts.

mod agent;
mod pictures;
mod transcripts;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use agent::Agent;
pub use agent::call_tool;
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use futures_util::future::try_join_all;
use reqwest::Client;
use serde_json::Value;
use tokio::process::Command;
use tokio::time::sleep;

use crate::process::PeakMemory;
use crate::servers::Server;
use crate::stats::{median, quantile};
use crate::table::{met, print};

/// H.264 in fragments, whose stills the built-in decoder makes.
const RECORDING: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/chromium_h264_opus.mp4");

/// Size of a large recording in bytes.
const LARGE_VIDEO_BYTES: usize = 500_000_000;

/// Agents that wait at the same time.
const WAITING_AGENTS: usize = 200;

/// The longest `wait_seconds` of a call.
const WAIT_SECONDS: u32 = 45;

/// Targets: latency of a call, growth of memory in bytes, delay of the last waiting agent.
const MAX_LATENCY: Duration = Duration::from_millis(200);
const MAX_GROWTH: u64 = 20_000_000;
const MAX_WAKE_UP_DELAY: Duration = Duration::from_secs(1);

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (times, rounds, large, waiting) = match quick {
        true => (5_u64, 1, LARGE_VIDEO_BYTES / 50, WAITING_AGENTS / 10),
        false => (100, 5, LARGE_VIDEO_BYTES, WAITING_AGENTS),
    };
    // A proxy named by the environment would distort the measurement.
    let client = Client::builder().no_proxy().tls_certs_only([]).build()?;
    let recording = encode(disk, "1280x720", "libvpx", 30, "webm").await?;
    let server = Server::vidence(binary, &disk.join("gets"))?;
    let small = create_request(&client, &server).await?;
    small.submit("video/webm", recording).await?;
    wait_until_stills_are_ready(&small).await?;
    let (mut over_mcp, mut over_rest) = (Vec::new(), Vec::new());
    let (mut answer, mut fetched) = (0, 0);
    for _ in 0..times {
        let start = Instant::now();
        answer = small.get_evidence("auto", 0).await?.len();
        over_mcp.push(start.elapsed());
        let start = Instant::now();
        fetched = small.get_evidence_over_rest().await?;
        over_rest.push(start.elapsed());
    }
    println!("A recording of 10 s with its stills: {fetched} bytes over REST, {answer} over MCP\n");
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
        "\nMCP takes {ratio:.2} x the time of REST (aim: under 200 ms: {})",
        met(slowest < MAX_LATENCY)
    );
    drop(server);

    println!();
    pictures::measure(binary, disk, &client, times.min(30)).await?;
    println!();
    transcripts::measure(binary, disk, &client, rounds).await?;

    let (link, grown) = measure_large_video(binary, disk, &client, large).await?;
    println!(
        "\na link and stills of {large} bytes take {} ms, and {} kB of memory (aim: under 20 MB: {})",
        link.as_millis(),
        grown / 1000,
        met(grown < MAX_GROWTH)
    );
    let (grown, latest) = measure_waiting_agents(binary, disk, &client, waiting).await?;
    println!(
        "\n{waiting} waiting agents take {} kB of memory (aim: under 20 MB: {}); the last is answered {} ms \
         after its submission (aim: under 1 s: {})",
        grown / 1000,
        met(grown < MAX_GROWTH),
        latest.as_millis(),
        met(latest < MAX_WAKE_UP_DELAY)
    );
    Ok(())
}

async fn create_request(client: &Client, server: &Server) -> Result<Agent> {
    Agent::create_request(client, &server.base).await
}

/// A recording of 10 s as a browser encodes: size, encoder, frames from one keyframe to the next, container.
async fn encode(
    disk: &Path,
    size: &str,
    encoder: &str,
    keyframe_every: u32,
    extension: &str,
) -> Result<Bytes> {
    let recording = disk.join(format!("{encoder}-{size}.{extension}"));
    let film = format!("testsrc2=size={size}:rate=30,noise=alls=8:allf=t");
    let audio = if extension == "mp4" { "aac" } else { "libopus" };
    let quick = match encoder {
        "libx264" => {
            "-preset veryfast -tune zerolatency -pix_fmt yuv420p -movflags +frag_keyframe+empty_moov"
        }
        _ => "-deadline realtime -cpu-used 8",
    };
    let made = Command::new("ffmpeg")
        .args(["-y", "-v", "error", "-f", "lavfi", "-i", &film])
        .args(["-f", "lavfi", "-i", "sine", "-t", "10", "-c:v", encoder])
        .args([
            "-b:v",
            "2500k",
            "-g",
            &keyframe_every.to_string(),
            "-c:a",
            audio,
        ])
        .args(quick.split(' '))
        .arg(&recording)
        .status()
        .await?;
    ensure!(made.success(), "ffmpeg failed");
    Ok(fs::read(recording)?.into())
}

/// The JSON in the first text block of a tool's response.
fn parse_text(answer: &[u8]) -> Result<Value> {
    let answer: Value = serde_json::from_slice(answer)?;
    let text = answer["result"]["content"][0]["text"].as_str();
    Ok(serde_json::from_str(text.unwrap_or_default())?)
}

async fn wait_until_stills_are_ready(agent: &Agent) -> Result<()> {
    loop {
        let text = parse_text(&agent.get_evidence("link", 1).await?)?;
        let stills = &text["stills"];
        match stills["status"].as_str() {
            Some("ready") => return Ok(()),
            Some("pending") => sleep(Duration::from_millis(100)).await,
            _ => anyhow::bail!("no stills: {stills}"),
        }
    }
}

/// Latency of the first call, and growth of the server's memory in a hundred calls, in bytes.
async fn measure_large_video(
    binary: &Path,
    disk: &Path,
    client: &Client,
    large: usize,
) -> Result<(Duration, u64)> {
    let folder = disk.join("large");
    let server = Server::vidence(binary, &folder)?;
    let agent = create_request(client, &server).await?;
    agent.submit("video/mp4", padded(RECORDING, large)?).await?;
    wait_until_stills_are_ready(&agent).await?;
    // The process that took the upload still holds memory for it; a new one on the same data doesn't.
    drop(server);
    let server = Server::vidence(binary, &folder)?;
    let agent = agent.on_server(&server.base);
    let start = Instant::now();
    agent.get_evidence("auto", 0).await?;
    let first = start.elapsed();
    let before = PeakMemory::start(server.id()).peak()?;
    let memory = PeakMemory::start(server.id());
    for _ in 0..100 {
        let text = parse_text(&agent.get_evidence("auto", 0).await?)?;
        ensure!(text["delivered"]["as"] == "link", "the video was embedded");
        ensure!(text["stills"]["status"] == "ready", "it has no stills");
    }
    Ok((first, memory.peak()?.saturating_sub(before)))
}

/// The video with a free space box behind it, which players skip: ISO/IEC 14496-12, section 8.1.2.
fn padded(recording: &[u8], length: usize) -> Result<Bytes> {
    let free = u32::try_from(length - recording.len())?;
    let mut padded = Vec::with_capacity(length);
    padded.extend_from_slice(recording);
    padded.extend_from_slice(&free.to_be_bytes());
    padded.extend_from_slice(b"free");
    padded.resize(length, 0);
    Ok(padded.into())
}

/// Growth of the server's memory in bytes, and the longest delay between a submission and the end of its wait.
async fn measure_waiting_agents(
    binary: &Path,
    disk: &Path,
    client: &Client,
    count: usize,
) -> Result<(u64, Duration)> {
    let server = Server::vidence(binary, &disk.join("waits"))?;
    let agents = try_join_all((0..count).map(|_| create_request(client, &server))).await?;
    // Opens the connections and fills caches.
    let warm = agents.iter().map(|it| it.get_evidence("auto", 0));
    try_join_all(warm).await?;
    let before = PeakMemory::start(server.id()).peak()?;
    let memory = PeakMemory::start(server.id());
    let waiting = agents.iter().map(|agent| {
        let agent = agent.clone();
        tokio::spawn(async move {
            let answer = agent.get_evidence("link", WAIT_SECONDS).await?;
            Ok::<_, anyhow::Error>((Instant::now(), answer))
        })
    });
    let waiting: Vec<_> = waiting.collect();
    // The server shows no sign of when all calls have begun to wait.
    sleep(Duration::from_secs(5)).await;
    let grown = memory.peak()?.saturating_sub(before);
    let mut latest = Duration::ZERO;
    for (agent, waiting) in agents.iter().zip(waiting) {
        ensure!(!waiting.is_finished(), "it didn't wait");
        agent
            .submit("video/mp4", Bytes::from_static(RECORDING))
            .await?;
        let submitted = Instant::now();
        let (answered, answer) = waiting.await??;
        let status = &parse_text(&answer)?["status"];
        ensure!(status == "submitted", "the call returned {status}");
        latest = latest.max(answered.saturating_duration_since(submitted));
    }
    Ok((grown, latest))
}

fn seconds(taken: &[Duration]) -> f64 {
    median(taken.iter().map(Duration::as_secs_f64).collect())
}

fn milliseconds(taken: &[Duration], percent: usize) -> String {
    format!("{:.1}", percentile(taken, percent).as_secs_f64() * 1000.0)
}

fn percentile(taken: &[Duration], percent: usize) -> Duration {
    let mut sorted = taken.to_vec();
    sorted.sort();
    quantile(&sorted, percent)
}
