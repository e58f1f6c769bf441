//! Uploads compared with npm's `@tus/server` and its file store, which never syncs, and with the same made durable: the
//! same client, the same bytes, the same disk.

mod client;
mod disk;
mod load;
mod payload;
mod report;

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::servers::Server;
use crate::stats::median;
pub use client::{Dialect, Upload};
use load::{UploadLoad, UploadResult};
use payload::Payload;
pub use payload::noise;
use report::Row;

/// Bytes of one append, and of all uploads together: at least a second of work for either server.
const LOADS: [(usize, usize); 3] = [
    (256 << 10, 192 << 20),
    (1 << 20, 384 << 20),
    (4 << 20, 768 << 20),
];

/// Concurrent uploads.
const UPLOADS: [usize; 3] = [1, 8, 32];

const REPETITIONS: usize = 5;

/// Factor by which a smoke run sends less, with enough pieces for all uploads.
const QUICK: usize = 6;

/// A server and its upload protocol.
pub struct UploadTarget {
    pub dialect: Dialect,
    pub server: Server,
}

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (divisor, repetitions) = match quick {
        true => (QUICK, 1),
        false => (1, REPETITIONS),
    };
    let payload = Payload::new(LOADS.iter().map(|load| load.1 / divisor).max().unwrap_or(0));
    let mut rows = Vec::new();
    for (piece, bytes) in LOADS {
        for uploads in UPLOADS {
            let load = UploadLoad {
                piece,
                uploads,
                bytes: bytes / divisor,
            };
            rows.push(row(binary, disk, &payload, load, repetitions).await?);
        }
    }
    report::print(&rows);
    println!("\n{}", report::targets(&rows));
    Ok(())
}

/// Measures one shape on all servers in turns, so that changes on the machine affect each.
/// The servers are started anew for each shape, so that none holds memory of an earlier one.
async fn row(
    binary: &Path,
    disk: &Path,
    payload: &Payload,
    load: UploadLoad,
    repetitions: usize,
) -> Result<Row> {
    let folders = ["vidence", "peer", "durable-peer"].map(|name| disk.join(name));
    let targets = [
        UploadTarget {
            dialect: Dialect::Vidence,
            server: Server::vidence(binary, &folders[0])?,
        },
        UploadTarget {
            dialect: Dialect::Tus,
            server: Server::tus(&folders[1])?,
        },
        UploadTarget {
            dialect: Dialect::Tus,
            server: Server::durable_tus(&folders[2])?,
        },
    ];
    let (mut results, mut disk_alone) = ([const { Vec::new() }; 3], Vec::new());
    // The peer's JIT compiler needs a warm-up.
    let warm_up = UploadLoad {
        bytes: (load.bytes / 2).max(load.piece * load.uploads),
        ..load
    };
    for target in &targets {
        load::run(target, payload, warm_up).await?;
    }
    for _ in 0..repetitions {
        for ((target, results), folder) in targets.iter().zip(&mut results).zip(&folders) {
            // Flushes what earlier runs left to be written, so that this one doesn't wait for it.
            rustix::fs::syncfs(File::open(disk)?)?;
            let it = load::run(target, payload, load).await;
            let it = it.with_context(|| format!("{}, {load:?}", folder.display()))?;
            let speed = it.bytes_per_second / 1e6;
            eprintln!("{}, {load:?}: {speed:.0} MB/s", folder.display());
            results.push(it);
        }
        rustix::fs::syncfs(File::open(disk)?)?;
        disk_alone.push(disk::measure(disk, load)?);
    }
    drop(targets);
    for folder in folders {
        fs::remove_dir_all(folder)?;
    }
    let [ours, peer, durable_peer] = results.map(|results| medians(&results));
    Ok(Row {
        load,
        ours,
        peer,
        durable_peer,
        disk: median(disk_alone),
    })
}

/// The median of each figure.
fn medians(results: &[UploadResult]) -> UploadResult {
    let of = |figure: fn(&UploadResult) -> f64| median(results.iter().map(figure).collect());
    UploadResult {
        bytes_per_second: of(|it| it.bytes_per_second),
        p50: Duration::from_secs_f64(of(|it| it.p50.as_secs_f64())),
        p99: Duration::from_secs_f64(of(|it| it.p99.as_secs_f64())),
        peak: of(|it| it.peak),
    }
}
