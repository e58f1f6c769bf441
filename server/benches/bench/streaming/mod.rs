//! Downloads compared with nginx (`sendfile`, one worker): the same bytes on the same disk, there as one file, here
//! as the objects that they were uploaded as. Everything is in the page cache.
//!
//! The client copies every byte and takes its share of the processors, most of the work with `sendfile`; the table
//! therefore has the CPU time of a gigabyte as well.

mod download;
mod nginx;
mod report;
mod slow_readers;

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use download::{Access, DownloadResult, Video};
use report::Row;

use crate::servers::Server;
use crate::stats::median;
use crate::uploads::{Dialect, Upload, UploadTarget, noise};

/// The start of the video: an MP4 with an open-ended `mdat`.
const HEAD: &[u8] = include_bytes!("../../../../crates/test-support/fixtures/open_ended.mp4");

/// Length of the video in bytes.
const LENGTH: usize = 100_000_000;

/// Append sizes: that of the recording page, and the whole video, which the server splits.
const APPENDS: [usize; 2] = [1 << 20, LENGTH];

/// Concurrent connections.
const CONNECTIONS: [usize; 3] = [1, 16, 64];

const REPETITIONS: usize = 5;

const DURATION: Duration = Duration::from_secs(1);

/// Slow readers, and how long they read.
const SLOW_READERS: (usize, Duration) = (1000, Duration::from_secs(10));

/// Durations of a smoke run.
const QUICK: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (duration, repetitions, slow_readers_duration) = match quick {
        true => (QUICK.0, 1, QUICK.1),
        false => (DURATION, REPETITIONS, SLOW_READERS.1),
    };
    let target = UploadTarget {
        dialect: Dialect::Vidence,
        server: Server::vidence(binary, &disk.join("vidence"))?,
    };
    let bytes = recording(LENGTH);
    let mut videos = Vec::new();
    for append in APPENDS {
        videos.push(upload(&target, &bytes, append).await?);
    }
    // The peer serves the sealed video, with its index.
    let served = videos[0].download()?;
    ensure!(served.ends_with(&bytes), "the video isn't the uploaded one");
    let peer = nginx::start(&disk.join("nginx"), &served)?;
    let servers = [&peer, &target.server, &target.server];
    videos.insert(0, Video::new(&peer, &format!("/{}", nginx::FILE), ""));
    fs::File::open(disk).map(rustix::fs::syncfs)??;

    let mut rows = Vec::new();
    for access in [Access::Whole, Access::Ranges] {
        for connections in CONNECTIONS {
            let mut results = [const { Vec::new() }; 3];
            for _ in 0..repetitions {
                for ((video, server), results) in videos.iter().zip(servers).zip(&mut results) {
                    let (video, process) = (video.clone(), server.id());
                    let download =
                        move || download::run(&video, process, access, connections, duration);
                    let it = tokio::task::spawn_blocking(download).await??;
                    eprintln!("{} {access:?} {connections}: {it:?}", server.base);
                    results.push(it);
                }
            }
            rows.push(Row {
                access,
                connections,
                results: results.map(|results| medians(&results)),
            });
        }
    }
    report::print(&rows);
    // A new process holds no memory of earlier requests.
    drop(target);
    let server = Server::vidence(binary, &disk.join("vidence"))?;
    let video = videos.get(1).context("no video")?.on_server(&server);
    let peak = slow_readers::run(&server, &video, SLOW_READERS.0, slow_readers_duration).await?;
    println!("\n{}", report::targets(&rows, SLOW_READERS.0, peak));
    Ok(())
}

/// A sealable video of this length.
pub fn recording(length: usize) -> Bytes {
    [HEAD, &noise(length - HEAD.len())].concat().into()
}

/// Uploads a video in appends of `piece` bytes and submits it.
pub async fn upload(target: &UploadTarget, bytes: &Bytes, piece: usize) -> Result<Video> {
    let mut upload = Upload::create(target, bytes.len() as u64).await?;
    for start in (0..bytes.len()).step_by(piece) {
        let end = bytes.len().min(start + piece);
        upload.append(bytes.slice(start..end)).await?;
    }
    let submitted = upload.submit().await?;
    let path = submitted.video.path().to_owned();
    Ok(Video::new(&target.server, &path, &submitted.token))
}

/// The median of each figure.
fn medians(results: &[DownloadResult]) -> DownloadResult {
    let of = |figure: fn(&DownloadResult) -> f64| median(results.iter().map(figure).collect());
    DownloadResult {
        bytes_per_second: of(|it| it.bytes_per_second),
        seconds_per_gigabyte: of(|it| it.seconds_per_gigabyte),
    }
}
