//! Watching what lies in a bucket: fast clients, and a crowd that stalls, over HTTP/1 and HTTP/2.
//!
//! The bucket is an S3 server on the same machine, so a read of it costs far less time than over a network, and
//! takes its part of the processors.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::{Client, Response};
use tokio::time::sleep;

use super::watch::{self, Shape, Video};
use super::{APPENDS, CONNECTIONS, crowd, film, middle, upload};
use crate::process::Watch;
use crate::servers::Server;
use crate::table::{self, met};
use crate::uploads::{Dialect, Target};
use test_support::bucket::Bucket;

/// HTTP/2 streams on one connection.
const STREAMS: usize = 50;

/// What a client lets the server send ahead: what RFC 9113 gives a client that says nothing.
const WINDOW: u32 = 65_535;

/// Before memory is looked at.
const SETTLING: Duration = Duration::from_secs(2);

/// What a thousand stalled streams may hold.
const MOST: u64 = 150_000_000;

/// How much is measured.
pub struct Extent {
    pub length: usize,
    pub lasts: Duration,
    pub repetitions: usize,
    pub crowd: usize,
    pub crowd_lasts: Duration,
}

pub async fn measure(binary: &Path, disk: &Path, extent: &Extent) -> Result<()> {
    let bucket = Server::bucket(disk)?;
    let folder = disk.join("vidence-bucket");
    let start = || Server::vidence_on(binary, &folder, Bucket::URL, &Bucket::env_at(&bucket.base));
    let target = Target {
        dialect: Dialect::Vidence,
        server: start()?,
    };
    let bytes = film(extent.length);
    let mut videos = Vec::new();
    for append in APPENDS {
        videos.push(upload(&target, &bytes, append).await?);
    }
    File::open(disk).map(rustix::fs::syncfs)??;

    let mut rows = Vec::new();
    for shape in [Shape::Whole, Shape::Mebibytes] {
        for connections in CONNECTIONS {
            let mut cells = vec![format!("{shape:?}"), connections.to_string()];
            for video in &videos {
                let mut seen = Vec::new();
                for _ in 0..extent.repetitions {
                    let (video, process, lasts) = (video.clone(), target.server.id(), extent.lasts);
                    let watch = move || watch::run(&video, process, shape, connections, lasts);
                    seen.push(tokio::task::spawn_blocking(watch).await??);
                }
                let seen = middle(&seen);
                cells.push(format!("{:.2}", seen.bytes_per_second / 1e9));
                cells.push(format!("{:.3}", seen.seconds_per_gigabyte));
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
        // A server of which nothing else was asked holds no memory of something else.
        let server = start()?;
        let video = videos[0].at(&server);
        let (peak, other) = match over_http2 {
            false => {
                let peak = crowd::run(&server, &video, extent.crowd, extent.crowd_lasts).await?;
                (peak, None)
            }
            true => {
                let (peak, other) = stall_over_http2(&server, &video, extent.crowd).await?;
                (peak, Some(other))
            }
        };
        println!(
            "{} {} streams over HTTP/{} hold {:.0} MB (aim {:.0}: {})",
            extent.crowd,
            if over_http2 { "stalled" } else { "slow" },
            if over_http2 { "2" } else { "1" },
            peak as f64 / 1e6,
            MOST as f64 / 1e6,
            met(peak < MOST),
        );
        if let Some(other) = other {
            println!("another client gets the whole video beside them in {other:?}");
        }
    }
    Ok(())
}

/// Asks for the video on so many streams and reads none of them on. Returns the server's own memory at its peak, in
/// bytes, and how long another client takes to read all of the video beside them.
async fn stall_over_http2(server: &Server, video: &Video, crowd: usize) -> Result<(u64, Duration)> {
    let memory = Watch::start(server.id());
    let mut stalled: Vec<(Client, Vec<Response>)> = Vec::new();
    for streams in (0..crowd)
        .step_by(STREAMS)
        .map(|from| STREAMS.min(crowd - from))
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
    tokio::task::spawn_blocking(move || other.whole()).await??;
    let took = begun.elapsed();
    let peak = memory.peak()?;
    drop(stalled);
    Ok((peak, took))
}
