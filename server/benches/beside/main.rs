//! This server beside others, in one run: the same load, the same machine, the same disk, by turns. And by
//! itself, for long and in a crowd. `cargo xtask bench` brings the others.
//!
//! Reports and judges; falling short of an aim is no failure. Linux only: time and memory of a process are
//! read from `/proc`.

mod agents;
mod api;
mod cluster;
mod crowd;
mod process;
mod servers;
mod soak;
mod streaming;
mod table;
mod uploads;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::{Parser, Subcommand};
use tempfile::TempDir;
use tokio::signal::unix::{SignalKind, signal};

/// `statfs` says this of a folder in memory.
const TMPFS: i64 = 0x0102_1994;

#[derive(Parser)]
struct Flags {
    #[command(subcommand)]
    what: What,
    /// The server to measure
    #[arg(long, env = "VIDENCE_BINARY", default_value = "vidence", global = true)]
    binary: PathBuf,
    /// A smoke run: once, and not for long
    #[arg(long, global = true)]
    quick: bool,
    /// What cargo passes
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum What {
    /// Uploads, beside npm's tus server
    Uploads,
    /// Creating and polling, beside a handler that does nothing
    Api,
    /// Watching, beside nginx
    Streaming,
    /// Agents over MCP, beside the same over REST
    Agents,
    /// Everything that callers do, mixed, for long
    Soak {
        /// For how long
        #[arg(long, default_value_t = 60)]
        minutes: u32,
    },
    /// Ten thousand connections on which nothing happens, and hundreds of slow ones
    Crowd,
    /// Nodes side by side, and what is lost when they are killed
    Cluster,
    /// The handler that does nothing
    #[command(hide = true)]
    Nothing {
        /// What it answers
        body: String,
    },
    /// A bucket
    #[command(hide = true)]
    Bucket,
}

#[tokio::main]
async fn main() -> Result<()> {
    let flags = Flags::parse();
    match flags.what {
        What::Nothing { body } => return api::nothing::serve(body).await,
        What::Bucket => return cluster::serve_a_bucket().await,
        _ => {}
    }
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

async fn measure(flags: &Flags) -> Result<()> {
    let disk = disk()?;
    println!("Load average before: {}\n", table::load_average());
    let (binary, disk, quick) = (&*flags.binary, disk.path(), flags.quick);
    match flags.what {
        What::Uploads => uploads::measure(binary, disk, quick).await,
        What::Api => api::measure(binary, disk, quick).await,
        What::Streaming => streaming::measure(binary, disk, quick).await,
        What::Agents => agents::measure(binary, disk, quick).await,
        What::Soak { minutes } => {
            let lasts = Duration::from_secs(60) * minutes;
            soak::measure(binary, disk, lasts).await
        }
        What::Crowd => crowd::measure(binary, disk, quick).await,
        What::Cluster => cluster::measure(disk, quick).await,
        What::Nothing { .. } | What::Bucket => Ok(()),
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

/// A folder for all data, removed when dropped.
fn disk() -> Result<TempDir> {
    let disk = tempfile::Builder::new()
        .prefix("bench-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let is_memory = rustix::fs::statfs(disk.path())?.f_type == TMPFS;
    ensure!(!is_memory, "{} is no disk", disk.path().display());
    Ok(disk)
}
