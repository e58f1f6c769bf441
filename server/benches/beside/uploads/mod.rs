//! Uploads beside npm's `@tus/server` with its file store, which never syncs: the same client, the same
//! bytes, the same disk.

mod client;
mod film;
mod load;
mod report;

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::servers::Server;
use crate::table::median;
pub use client::{Dialect, Upload};
use film::Film;
pub use film::noise;
use load::{Seen, Shape};
use report::Row;

/// Bytes of one append, and of all uploads together: a second or more of work for either server.
const LOADS: [(usize, usize); 3] = [
    (256 << 10, 192 << 20),
    (1 << 20, 384 << 20),
    (4 << 20, 768 << 20),
];

/// Uploads at once.
const UPLOADS: [usize; 3] = [1, 8, 32];

const REPETITIONS: usize = 5;

/// How many times less a smoke run sends. There are pieces for all uploads still.
const QUICK: usize = 6;

/// A server, and its language.
pub struct Target {
    pub dialect: Dialect,
    pub server: Server,
}

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (less, repetitions) = match quick {
        true => (QUICK, 1),
        false => (1, REPETITIONS),
    };
    let film = Film::new(LOADS.iter().map(|load| load.1 / less).max().unwrap_or(0));
    let mut rows = Vec::new();
    for (piece, bytes) in LOADS {
        for uploads in UPLOADS {
            let shape = Shape {
                piece,
                uploads,
                bytes: bytes / less,
            };
            rows.push(row(binary, disk, &film, shape, repetitions).await?);
        }
    }
    report::print(&rows);
    println!("\n{}", report::verdict(&rows));
    Ok(())
}

/// Measures one shape, the servers by turns, so that what changes on the machine meanwhile hits both. They
/// are new ones each time: none holds memory that an earlier shape has taken.
async fn row(
    binary: &Path,
    disk: &Path,
    film: &Film,
    shape: Shape,
    repetitions: usize,
) -> Result<Row> {
    let folders = ["vidence", "peer"].map(|name| disk.join(name));
    let targets = [
        Target {
            dialect: Dialect::Vidence,
            server: Server::vidence(binary, &folders[0])?,
        },
        Target {
            dialect: Dialect::Tus,
            server: Server::tus(&folders[1])?,
        },
    ];
    let mut seen = [const { Vec::new() }; 2];
    // The peer compiles itself while it works.
    let warm_up = Shape {
        bytes: (shape.bytes / 2).max(shape.piece * shape.uploads),
        ..shape
    };
    for target in &targets {
        load::run(target, film, warm_up).await?;
    }
    for _ in 0..repetitions {
        for (target, seen) in targets.iter().zip(&mut seen) {
            // What the one before left to be written is not this one's to wait for.
            rustix::fs::syncfs(File::open(disk)?)?;
            let it = load::run(target, film, shape).await;
            let it = it.with_context(|| format!("{:?}, {shape:?}", target.dialect))?;
            let speed = it.bytes_per_second / 1e6;
            eprintln!("{:?}, {shape:?}: {speed:.0} MB/s", target.dialect);
            seen.push(it);
        }
    }
    drop(targets);
    for folder in folders {
        fs::remove_dir_all(folder)?;
    }
    let [ours, peer] = seen.map(|seen| middle(&seen));
    Ok(Row { shape, ours, peer })
}

/// The median of each figure.
fn middle(seen: &[Seen]) -> Seen {
    let of = |figure: fn(&Seen) -> f64| median(seen.iter().map(figure).collect());
    Seen {
        bytes_per_second: of(|it| it.bytes_per_second),
        p50: Duration::from_secs_f64(of(|it| it.p50.as_secs_f64())),
        p99: Duration::from_secs_f64(of(|it| it.p99.as_secs_f64())),
        peak: of(|it| it.peak),
    }
}
