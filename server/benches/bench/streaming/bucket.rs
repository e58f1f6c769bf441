//! Downloads from a bucket: fast clients, and many that stall, over HTTP/1 and HTTP/2.
//!
//! The bucket is an S3 server on the same machine, so reading from it is much faster than over a network, and takes
//! its share of the processors.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::{Client, Response};
use tokio::time::sleep;

use super::download::{self, Access, Video};
use super::{APPENDS, CONNECTIONS, medians, recording, slow_readers, upload};
use crate::process::PeakMemory;
use crate::servers::Server;
use crate::table::{self, met};
use crate::uploads::{Dialect, UploadTarget};
use test_support::stores::bucket::Bucket;

/// HTTP/2 streams on one connection.
const STREAMS: usize = 50;

/// Initial stream window of the client in bytes, the default of RFC 9113, section 6.9.2.
const WINDOW: u32 = 65_535;

/// Delay before memory is read.
const SETTLING: Duration = Duration::from_secs(2);

/// Target: memory of a thousand stalled streams in bytes.
const MAX_MEMORY: u64 = 150_000_000;

/// Size of the measurement.
pub struct Scale {
    pub length: usize,
    pub duration: Duration,
    pub repetitions: usize,
    pub slow_readers: usize,
    pub slow_readers_duration: Duration,
}

pub async fn measure(binary: &Path, disk: &Path, scale: &Scale) -> Result<()> {
    let bucket = Server::bucket(disk)?;
    let folder = disk.join("vidence-bucket");
    let start = || Server::vidence_on(binary, &folder, Bucket::URL, &Bucket::env_at(&bucket.base));
    let target = UploadTarget {
        dialect: Dialect::Vidence,
        server: start()?,
    };
    let bytes = recording(scale.length);
    let mut videos = Vec::new();
    for append in APPENDS {
        videos.push(upload(&target, &bytes, append).await?);
    }
    File::open(disk).map(rustix::fs::syncfs)??;

    let mut rows = Vec::new();
    for access in [Access::Whole, Access::Ranges] {
        for connections in CONNECTIONS {
            let mut cells = vec![format!("{access:?}"), connections.to_string()];
            for video in &videos {
                let mut results = Vec::new();
                for _ in 0..scale.repetitions {
                    let (video, process, duration) =
                        (video.clone(), target.server.id(), scale.duration);
                    let download =
                        move || download::run(&video, process, access, connections, duration);
                    results.push(tokio::task::spawn_blocking(download).await??);
                }
                let results = medians(&results);
                cells.push(format!("{:.2}", results.bytes_per_second / 1e9));
                cells.push(format!("{:.3}", results.seconds_per_gigabyte));
            }
            rows.push(<[String; 6]>::try_from(cells).unwrap_or_default());
        }
    }
    println!("\nfrom a bucket:\n");
    table::print(
        [
            "video",
            "connections",
            "1 MiB objects GB/s",
            "CPU s/GB",
            "8 MiB objects GB/s",
            "CPU s/GB",
        ],
        rows,
    );
    drop(target);

    for over_http2 in [false, true] {
        // A new process holds no memory of earlier requests.
        let server = start()?;
        let video = videos[0].on_server(&server);
        let (peak, other) = match over_http2 {
            false => {
                let peak = slow_readers::run(
                    &server,
                    &video,
                    scale.slow_readers,
                    scale.slow_readers_duration,
                )
                .await?;
                (peak, None)
            }
            true => {
                let (peak, other) = stall_over_http2(&server, &video, scale.slow_readers).await?;
                (peak, Some(other))
            }
        };
        println!(
            "{} {} streams over HTTP/{} hold {:.0} MB (aim {:.0}: {})",
            scale.slow_readers,
            if over_http2 { "stalled" } else { "slow" },
            if over_http2 { "2" } else { "1" },
            peak as f64 / 1e6,
            MAX_MEMORY as f64 / 1e6,
            met(peak < MAX_MEMORY),
        );
        if let Some(other) = other {
            println!("another client downloads the whole video meanwhile in {other:?}");
        }
    }
    Ok(())
}

/// Opens this many streams of the video and reads none of them on.
/// Returns the server's peak memory in bytes, and how long another client takes to download the whole video
/// meanwhile.
async fn stall_over_http2(
    server: &Server,
    video: &Video,
    slow_readers: usize,
) -> Result<(u64, Duration)> {
    let memory = PeakMemory::start(server.id());
    let mut stalled: Vec<(Client, Vec<Response>)> = Vec::new();
    for streams in (0..slow_readers)
        .step_by(STREAMS)
        .map(|from| STREAMS.min(slow_readers - from))
    {
        let client = Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .http2_prior_knowledge()
            .http2_initial_stream_window_size(WINDOW)
            .build()?;
        let mut answers = Vec::new();
        for _ in 0..streams {
            let answer = client
                .get(format!("{}{}", server.base, video.path()))
                .bearer_auth(video.token())
                .send()
                .await?;
            ensure!(answer.status().is_success(), "{}", answer.status());
            answers.push(answer);
        }
        stalled.push((client, answers));
    }
    sleep(SETTLING).await;
    let (other, begun) = (video.clone(), Instant::now());
    tokio::task::spawn_blocking(move || other.download()).await??;
    let elapsed = begun.elapsed();
    let peak = memory.peak()?;
    drop(stalled);
    Ok((peak, elapsed))
}
