//! Our upload path beside npm's `@tus/server` with its file store, which never syncs: the same client, the
//! same bytes, the same disk, in one run. `cargo xtask bench uploads` brings both servers.
//!
//! Reports and judges; falling short of an aim is no failure. Linux only: memory is read from `/proc`.

mod client;
mod film;
mod load;
mod memory;
mod servers;
mod table;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use film::Film;
use load::{Seen, Shape};
use servers::Server;
use table::{Row, median};
use tokio::signal::unix::{SignalKind, signal};

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

/// `statfs` says this of a folder in memory.
const TMPFS: i64 = 0x0102_1994;

#[derive(Parser)]
struct Flags {
    /// The server to measure
    #[arg(long, env = "VIDENCE_BINARY")]
    binary: PathBuf,
    /// A smoke run: once, few bytes
    #[arg(long)]
    quick: bool,
    /// What cargo passes
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let flags = Flags::parse();
    // reqwest wants one, though nothing here is encrypted.
    if rustls::crypto::ring::default_provider()
        .install_default()
        .is_err()
    {
        bail!("there is another TLS already");
    }
    tokio::select! {
        done = measure(&flags) => done,
        // What is dropped with the measurement ends the servers and removes their data.
        told = told_to_stop() => told.and_then(|()| bail!("told to stop")),
    }
}

async fn told_to_stop() -> Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

async fn measure(flags: &Flags) -> Result<()> {
    let (less, repetitions) = match flags.quick {
        true => (QUICK, 1),
        false => (1, REPETITIONS),
    };
    let disk = tempfile::Builder::new()
        .prefix("uploads-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let is_memory = rustix::fs::statfs(disk.path())?.f_type == TMPFS;
    ensure!(!is_memory, "{} is no disk", disk.path().display());
    let film = Film::new(LOADS.iter().map(|load| load.1 / less).max().unwrap_or(0));
    let mut rows = Vec::new();
    for (piece, bytes) in LOADS {
        for uploads in UPLOADS {
            let shape = Shape {
                piece,
                uploads,
                bytes: bytes / less,
            };
            rows.push(row(&flags.binary, disk.path(), &film, shape, repetitions).await?);
        }
    }
    table::print(&rows);
    println!("\n{}", table::verdict(&rows));
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
    let servers = [
        Server::vidence(binary, &folders[0])?,
        Server::peer(&folders[1])?,
    ];
    let mut seen = [const { Vec::new() }; 2];
    // The peer compiles itself while it works.
    let warm_up = Shape {
        bytes: (shape.bytes / 2).max(shape.piece * shape.uploads),
        ..shape
    };
    for server in &servers {
        load::run(server, film, warm_up).await?;
    }
    for _ in 0..repetitions {
        for (server, seen) in servers.iter().zip(&mut seen) {
            // What the one before left to be written is not this one's to wait for.
            rustix::fs::syncfs(File::open(disk)?)?;
            let it = load::run(server, film, shape).await;
            let it = it.with_context(|| format!("{:?}, {shape:?}", server.dialect))?;
            let speed = it.bytes_per_second / 1e6;
            eprintln!("{:?}, {shape:?}: {speed:.0} MB/s", server.dialect);
            seen.push(it);
        }
    }
    drop(servers);
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
