//! How long a transcript takes, and what other clients notice of it, on a machine that the transcriber shares.

use std::fs;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use reqwest::Client;
use test_support::servers::transcriber::Transcriber;
use tokio::process::Command;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::create_request;
use crate::api::load::{Load, LoadResult, Rate, run};
use crate::servers::Server;
use crate::stats::median;
use crate::table::{met, print};

/// What is said, over and over for 44 s.
const SENTENCES: &str = "The number on the label is four seven one nine. The lock is broken, and the door does not close. ";

const SECONDS: &str = "44";

/// Polls a second, on a few connections.
const POLLS: f64 = 200.0;

/// How long polls are measured without a transcription, and with one, which takes longer.
const WINDOW: Duration = Duration::from_secs(6);

/// Targets: the time to a transcript, and the p99 of polls beside that without.
const MAX_TIME: Duration = Duration::from_secs(20);
const MAX_RATIO: f64 = 2.0;

pub async fn measure(binary: &Path, disk: &Path, client: &Client, rounds: u64) -> Result<()> {
    let recording = speak(disk).await?;
    let cores = available_parallelism()?.get();
    let all_but_first = format!("1-{}", cores.saturating_sub(1).max(1));
    // As the guide for operators says.
    let apart = [
        "chrt",
        "--idle",
        "0",
        "taskset",
        "--cpu-list",
        &all_but_first,
    ];
    let settings: [(&str, &[&str], usize); 2] = [
        ("all cores", &[], cores),
        (
            "idle class, one core less",
            &apart,
            cores.saturating_sub(1).max(1),
        ),
    ];
    let mut rows = Vec::new();
    for (name, launcher, threads) in settings {
        let model = Transcriber::start_behind(launcher, threads).await;
        let folder = disk.join("transcripts").join(threads.to_string());
        let server = Server::vidence_with_transcriber(binary, &folder, &model.url)?;
        let (mut before, mut meanwhile, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let agent = create_request(client, &server).await?;
            let poll = agent.poll();
            before.push(load(&server, poll.clone()).await?.p99.as_secs_f64() * 1e3);
            let start = Instant::now();
            agent.submit("video/webm", recording.clone()).await?;
            let polled = load(&server, poll).await?;
            let status = async || {
                let metadata = agent.metadata().await?;
                let status = metadata["transcript"]["status"].as_str().map(str::to_owned);
                status.context("no transcript")
            };
            ensure!(
                status().await? == "pending",
                "it was over before the polls were"
            );
            while status().await? == "pending" {
                sleep(Duration::from_millis(100)).await;
            }
            taken.push(start.elapsed().as_secs_f64());
            ensure!(status().await? == "ready", "it failed");
            meanwhile.push(polled.p99.as_secs_f64() * 1e3);
        }
        let ratios = before
            .iter()
            .zip(&meanwhile)
            .map(|(before, meanwhile)| meanwhile / before);
        let (ratio, taken) = (median(ratios.collect()), median(taken));
        rows.push([
            name.to_owned(),
            format!("{taken:.1}"),
            met(taken <= MAX_TIME.as_secs_f64()).to_owned(),
            format!("{:.2}", median(before)),
            format!("{:.2}", median(meanwhile)),
            format!("{ratio:.2}"),
            met(ratio <= MAX_RATIO).to_owned(),
        ]);
    }
    print(
        [
            "44 s of speech; the transcriber has",
            "seconds",
            "aim: 20",
            "p99 of polls before (ms)",
            "meanwhile (ms)",
            "ratio",
            "aim: 2",
        ],
        rows,
    );
    Ok(())
}

/// Polls for a while.
async fn load(server: &Server, poll: Vec<u8>) -> Result<LoadResult> {
    let address = server.address().to_owned();
    spawn_blocking(move || {
        run(&Load {
            address: &address,
            requests: &[poll],
            connections: 4,
            rate: Rate::PerSecond(POLLS),
            duration: WINDOW,
        })
    })
    .await?
}

/// Records the sentences, as a browser encodes.
async fn speak(disk: &Path) -> Result<Bytes> {
    let (said, recording) = (disk.join("said.wav"), disk.join("said.webm"));
    let mut speak = Command::new("espeak-ng");
    speak
        .args(["-s", "140", "-w"])
        .arg(&said)
        .arg(SENTENCES.repeat(12));
    let mut record = Command::new("ffmpeg");
    record.args([
        "-y",
        "-v",
        "error",
        "-f",
        "lavfi",
        "-i",
        "testsrc2=size=320x240:rate=10",
        "-i",
    ]);
    record
        .arg(&said)
        .args(["-t", SECONDS, "-c:v", "libvpx", "-deadline", "realtime"]);
    record
        .args(["-c:a", "libopus", "-ar", "48000"])
        .arg(&recording);
    for command in [&mut speak, &mut record] {
        ensure!(
            command.status().await?.success(),
            "there is no recording of speech"
        );
    }
    Ok(fs::read(recording)?.into())
}
