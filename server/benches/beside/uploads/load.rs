//! One measurement: so many uploads at once, until the last one is whole.

use std::time::{Duration, Instant};

use anyhow::Result;
use bytes::Bytes;
use futures_util::future::try_join_all;
use tokio::task::JoinSet;

use super::Target;
use super::client::Upload;
use super::film::Film;
use crate::process::Watch;

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Bytes of one append.
    pub piece: usize,
    /// Uploads at once.
    pub uploads: usize,
    /// Bytes of all of them together.
    pub bytes: usize,
}

/// What was seen.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub bytes_per_second: f64,
    /// Of one append.
    pub p50: Duration,
    /// Likewise.
    pub p99: Duration,
    /// Memory of the server, in bytes.
    pub peak: f64,
}

/// Uploads, checks that everything is there, and removes it again. The clock runs from the first append
/// to the answer to the last one: creating and removing are not what is measured.
pub async fn run(target: &Target, film: &Film, shape: Shape) -> Result<Seen> {
    let length = shape.bytes / shape.uploads;
    let begin = (0..shape.uploads).map(|_| Upload::begin(target, length as u64));
    let begun = try_join_all(begin).await?;
    let pieces = (0..shape.uploads).map(|n| film.pieces(n, length, shape.piece));
    let ready: Vec<_> = begun.into_iter().zip(pieces).collect();

    let watch = Watch::start(target.server.id());
    let start = Instant::now();
    let mut sending: JoinSet<_> = ready
        .into_iter()
        .map(|(upload, pieces)| send(upload, pieces))
        .collect();
    let (mut uploads, mut waits) = (Vec::new(), Vec::new());
    while let Some(sent) = sending.join_next().await {
        let (upload, took) = sent??;
        uploads.push(upload);
        waits.extend(took);
    }
    let took = start.elapsed();
    let peak = watch.peak()?;

    for upload in uploads {
        upload.check().await?;
        upload.remove().await?;
    }
    waits.sort_unstable();
    Ok(Seen {
        bytes_per_second: shape.bytes as f64 / took.as_secs_f64(),
        p50: quantile(&waits, 50),
        p99: quantile(&waits, 99),
        peak: peak as f64,
    })
}

/// One piece after the other. Returns how long each append took.
async fn send(mut upload: Upload, pieces: Vec<Bytes>) -> Result<(Upload, Vec<Duration>)> {
    let mut waits = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let start = Instant::now();
        upload.append(piece).await?;
        waits.push(start.elapsed());
    }
    Ok((upload, waits))
}

/// The smallest of the sorted values that so many percent of them don't exceed.
fn quantile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}
