//! Benchmarks of the release binary: against other servers under the same load on the same machine and disk, in
//! turns; and by itself, long and under many connections. `cargo xtask bench` installs the other servers.
//!
//! Prints results and targets; a missed target is no failure. Linux only: CPU time and memory of a process are read
//! from `/proc`.

mod agents;
mod api;
mod cluster;
mod crowd;
mod plot;
mod process;
mod servers;
mod soak;
mod stats;
mod streaming;
mod table;
mod uploads;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::{Parser, Subcommand};
use tempfile::TempDir;
use tokio::signal::unix::{SignalKind, signal};

/// `f_type` of tmpfs: statfs(2).
const TMPFS: i64 = 0x0102_1994;

#[derive(Parser)]
struct Flags {
    #[command(subcommand)]
    command: Command,
    /// The release binary to measure
    #[arg(long, env = "VIDENCE_BINARY", default_value = "vidence", global = true)]
    binary: PathBuf,
    /// A short smoke run, whose figures mean little
    #[arg(long, global = true)]
    quick: bool,
    /// Passed by cargo; ignored
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Uploads, compared with npm's tus server
    Uploads,
    /// Creation and polling of requests, compared with a handler of constant responses
    Api,
    /// Downloads, compared with nginx
    Streaming,
    /// Polling over MCP, compared with polling over REST
    Agents,
    /// A long mix of all operations, to find leaks
    Soak {
        /// Duration in minutes
        #[arg(long, default_value_t = 60)]
        minutes: u32,
    },
    /// Memory of ten thousand idle connections and hundreds of slow ones
    Crowd,
    /// One to three nodes on PostgreSQL and a bucket, and kills under load
    Cluster,
    /// Serves a constant response
    #[command(hide = true)]
    ConstantHandler(api::constant_handler::Constant),
    /// Serves a bucket
    #[command(hide = true)]
    Bucket,
}

#[tokio::main]
async fn main() -> Result<()> {
    let flags = Flags::parse();
    match flags.command {
        Command::ConstantHandler(constant) => {
            return api::constant_handler::serve(constant).await;
        }
        Command::Bucket => return cluster::serve_bucket().await,
        _ => {}
    }
    // reqwest needs a default provider even without TLS.
    if rustls::crypto::ring::default_provider()
        .install_default()
        .is_err()
    {
        bail!("another TLS provider is installed already");
    }
    tokio::select! {
        done = measure(&flags) => done,
        // Dropping the measurement kills the servers and removes their data.
        stopped = wait_for_signal() => stopped.and_then(|()| bail!("stopped by a signal")),
    }
}

async fn measure(flags: &Flags) -> Result<()> {
    let data_folder = data_folder()?;
    println!("Load average before: {}\n", table::load_average());
    let (binary, data_folder, quick) = (&*flags.binary, data_folder.path(), flags.quick);
    match flags.command {
        Command::Uploads => uploads::measure(binary, data_folder, quick).await,
        Command::Api => api::measure(binary, data_folder, quick).await,
        Command::Streaming => streaming::measure(binary, data_folder, quick).await,
        Command::Agents => agents::measure(binary, data_folder, quick).await,
        Command::Soak { minutes } => {
            let duration = Duration::from_secs(60) * minutes;
            soak::measure(binary, data_folder, duration).await
        }
        Command::Crowd => crowd::measure(binary, data_folder, quick).await,
        Command::Cluster => cluster::measure(data_folder, quick).await,
        Command::ConstantHandler(_) | Command::Bucket => Ok(()),
    }
}

async fn wait_for_signal() -> Result<()> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}

/// A folder on a real disk for all data, removed on drop.
fn data_folder() -> Result<TempDir> {
    let data_folder = tempfile::Builder::new()
        .prefix("bench-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let is_memory = rustix::fs::statfs(data_folder.path())?.f_type == TMPFS;
    ensure!(
        !is_memory,
        "{} is a tmpfs, not a disk",
        data_folder.path().display()
    );
    Ok(data_folder)
}
