//! One measurement: concurrent uploads until the last one is complete.

use std::time::{Duration, Instant};

use anyhow::Result;
use bytes::Bytes;
use futures_util::future::try_join_all;
use tokio::task::JoinSet;

use super::UploadTarget;
use super::client::Upload;
use super::payload::Payload;
use crate::process::PeakMemory;
use crate::stats::quantile;

/// The load of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct UploadLoad {
    /// Bytes of one append.
    pub piece: usize,
    /// Concurrent uploads.
    pub uploads: usize,
    /// Bytes of all uploads together.
    pub bytes: usize,
}

/// Result of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct UploadResult {
    pub bytes_per_second: f64,
    /// Median latency of an append.
    pub p50: Duration,
    /// 99th percentile of the latency of an append.
    pub p99: Duration,
    /// Peak memory of the server in bytes.
    pub peak: f64,
}

/// Uploads, checks that all bytes have arrived, and deletes the uploads.
/// Only the time from the first append to the last response counts, not creation and removal.
pub async fn run(
    target: &UploadTarget,
    payload: &Payload,
    load: UploadLoad,
) -> Result<UploadResult> {
    let length = load.bytes / load.uploads;
    let create = (0..load.uploads).map(|_| Upload::create(target, length as u64));
    let begun = try_join_all(create).await?;
    let pieces = (0..load.uploads).map(|n| payload.pieces(n, length, load.piece));
    let ready: Vec<_> = begun.into_iter().zip(pieces).collect();

    let memory = PeakMemory::start(target.server.id());
    let start = Instant::now();
    let mut sending: JoinSet<_> = ready
        .into_iter()
        .map(|(upload, pieces)| send(upload, pieces))
        .collect();
    let (mut uploads, mut latencies) = (Vec::new(), Vec::new());
    while let Some(sent) = sending.join_next().await {
        let (upload, of_upload) = sent??;
        uploads.push(upload);
        latencies.extend(of_upload);
    }
    let elapsed = start.elapsed();
    let peak = memory.peak()?;

    for upload in uploads {
        upload.verify_complete().await?;
        upload.delete().await?;
    }
    latencies.sort_unstable();
    Ok(UploadResult {
        bytes_per_second: load.bytes as f64 / elapsed.as_secs_f64(),
        p50: quantile(&latencies, 50),
        p99: quantile(&latencies, 99),
        peak: peak as f64,
    })
}

/// Uploads piece by piece. Returns the latency of each append.
async fn send(mut upload: Upload, pieces: Vec<Bytes>) -> Result<(Upload, Vec<Duration>)> {
    let mut latencies = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let start = Instant::now();
        upload.append(piece).await?;
        latencies.push(start.elapsed());
    }
    Ok((upload, latencies))
}
