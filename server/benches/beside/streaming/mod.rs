//! Watching, beside nginx with `sendfile` and one worker: the same bytes on the same disk, there as one
//! file, here as the objects that they were uploaded as. Everything lies in the kernel's cache.
//!
//! Whoever receives copies every byte and takes its part of the processors: with `sendfile` that is most of
//! the work. So the processor's time a gigabyte is told as well. Then the same from a bucket, without a peer.

mod bucket;
mod crowd;
mod nginx;
mod report;
mod watch;

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use bucket::Extent;
use bytes::Bytes;
use report::Row;
use watch::{Seen, Shape, Video};

use crate::servers::Server;
use crate::table::median;
use crate::uploads::{Dialect, Target, Upload, noise};

/// A film of one picture, in an `mdat` without an end.
const HEAD: &[u8] = include_bytes!("../../../../crates/test-support/fixtures/open_ended.mp4");

/// Bytes of the video.
const LENGTH: usize = 100_000_000;

/// What a browser sends at a time, and what arrives at once and is cut by the server.
const APPENDS: [usize; 2] = [1 << 20, LENGTH];

/// Who watches at a time.
const CONNECTIONS: [usize; 3] = [1, 16, 64];

const REPETITIONS: usize = 5;

const LASTS: Duration = Duration::from_secs(1);

/// Slow ones at a time, and for how long.
const CROWD: (usize, Duration) = (1000, Duration::from_secs(10));

/// A smoke run's.
const QUICK: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (lasts, repetitions, crowd_lasts) = match quick {
        true => (QUICK.0, 1, QUICK.1),
        false => (LASTS, REPETITIONS, CROWD.1),
    };
    let target = Target {
        dialect: Dialect::Vidence,
        server: Server::vidence(binary, &disk.join("vidence"))?,
    };
    let bytes = film(LENGTH);
    let mut videos = Vec::new();
    for append in APPENDS {
        videos.push(upload(&target, &bytes, append).await?);
    }
    // What is served, with the index in front.
    let served = videos[0].whole()?;
    ensure!(served.ends_with(&bytes), "something else is served");
    let peer = nginx::start(&disk.join("nginx"), &served)?;
    let servers = [&peer, &target.server, &target.server];
    videos.insert(0, Video::of(&peer, &format!("/{}", nginx::FILE), ""));
    fs::File::open(disk).map(rustix::fs::syncfs)??;

    let mut rows = Vec::new();
    for shape in [Shape::Whole, Shape::Mebibytes] {
        for connections in CONNECTIONS {
            let mut seen = [const { Vec::new() }; 3];
            for _ in 0..repetitions {
                for ((video, server), seen) in videos.iter().zip(servers).zip(&mut seen) {
                    let (video, process) = (video.clone(), server.id());
                    let watch = move || watch::run(&video, process, shape, connections, lasts);
                    let it = tokio::task::spawn_blocking(watch).await??;
                    eprintln!("{} {shape:?} {connections}: {it:?}", server.base);
                    seen.push(it);
                }
            }
            rows.push(Row {
                shape,
                connections,
                seen: seen.map(|seen| middle(&seen)),
            });
        }
    }
    report::print(&rows);
    // A server of which nothing but this was asked holds no memory of something else.
    drop(target);
    let server = Server::vidence(binary, &disk.join("vidence"))?;
    let video = videos.get(1).context("no video")?.at(&server);
    let peak = crowd::run(&server, &video, CROWD.0, crowd_lasts).await?;
    println!("\n{}", report::verdict(&rows, CROWD.0, peak));
    drop(server);
    let extent = Extent {
        length: LENGTH,
        lasts,
        repetitions,
        crowd: CROWD.0,
        crowd_lasts,
    };
    bucket::measure(binary, disk, &extent).await
}

/// So many bytes that can be sealed.
pub fn film(length: usize) -> Bytes {
    [HEAD, &noise(length - HEAD.len())].concat().into()
}

/// Has our server take the video in appends of `piece` bytes, seal it, and count it as submitted.
pub async fn upload(target: &Target, bytes: &Bytes, piece: usize) -> Result<Video> {
    let mut upload = Upload::begin(target, bytes.len() as u64).await?;
    for start in (0..bytes.len()).step_by(piece) {
        let end = bytes.len().min(start + piece);
        upload.append(bytes.slice(start..end)).await?;
    }
    let submitted = upload.submit().await?;
    let path = submitted.video.path().to_owned();
    Ok(Video::of(&target.server, &path, &submitted.token))
}

/// The median of each figure.
fn middle(seen: &[Seen]) -> Seen {
    let of = |figure: fn(&Seen) -> f64| median(seen.iter().map(figure).collect());
    Seen {
        bytes_per_second: of(|it| it.bytes_per_second),
        seconds_per_gigabyte: of(|it| it.seconds_per_gigabyte),
    }
}
