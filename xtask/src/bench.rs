//! Runs the benchmarks: the server compared with others, the soak test, many connections, a cluster, the recording page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};

use crate::build::{self, Profile};
use crate::setup;
use crate::shell::{self, cargo, program, root, step, which};
use crate::tools::postgres::Postgres;
use crate::tools::{self, browser};

/// What to measure.
#[derive(Subcommand)]
pub enum Bench {
    /// Uploads, compared with npm's tus server
    Uploads(Flags),
    /// Creation and polling of requests, compared with a handler of constant responses
    Api(Flags),
    /// Downloads, compared with nginx
    Streaming(Flags),
    /// Polling over MCP, compared with polling over REST
    Agents(Flags),
    /// A long mix of all operations, to find leaks: what the server holds before and after
    Soak {
        /// Minutes; it takes a quarter of an hour more at most
        #[arg(long, default_value_t = 60)]
        minutes: u32,
    },
    /// Memory of ten thousand idle connections and hundreds of slow ones
    Crowd(Flags),
    /// One to three nodes on PostgreSQL and a bucket
    Cluster(Flags),
    /// The recording page on a slow device: missing frames, memory, presses; what a killed browser loses; Lighthouse
    Recording(Flags),
}

/// How to measure.
#[derive(Args)]
pub struct Flags {
    /// Smoke run: once and briefly
    #[arg(long)]
    quick: bool,
}

/// A full run.
const FULL: Flags = Flags { quick: false };

/// Measures, and prints the results. A missed target is no error.
pub fn run(bench: &Bench) -> Result<()> {
    let binary = build::build(Profile::Release)?;
    let binary = keep(&binary)?;
    let (mut arguments, mut postgres) = (Vec::new(), None);
    let (name, flags) = match bench {
        Bench::Recording(flags) => return measure_recording_page(flags, &binary),
        Bench::Uploads(flags) => {
            step("Install the peer", install_peer)?;
            ("uploads", flags)
        }
        Bench::Api(flags) => {
            step("Install the load generator", || tools::H2LOAD.install())?;
            ("api", flags)
        }
        Bench::Streaming(flags) => {
            step("Install the peer", || tools::NGINX.install())?;
            ("streaming", flags)
        }
        Bench::Agents(flags) => {
            step("Install ffmpeg", || tools::FFMPEG.install())?;
            ("agents", flags)
        }
        Bench::Soak { minutes } => {
            arguments.extend(["--minutes".to_owned(), minutes.to_string()]);
            ("soak", &FULL)
        }
        Bench::Crowd(flags) => ("crowd", flags),
        Bench::Cluster(flags) => {
            step("Install the proxy", || tools::NGINX.install())?;
            step("Install the database", || tools::POSTGRES.install())?;
            // With fsync, as in production.
            postgres = Some(step("Start a throw-away PostgreSQL", Postgres::durable)?);
            ("cluster", flags)
        }
    };
    step("Build the measurement", || {
        shell::run(cargo_bench().arg("--no-run"))
    })?;
    let mut command = cargo_bench();
    command.args(["--", name]).args(arguments);
    if flags.quick {
        command.arg("--quick");
    }
    if let Some(postgres) = &postgres {
        command.env("VIDENCE_TEST_POSTGRES", postgres.url());
        command.env("VIDENCE_BENCH_POSTGRES", postgres.id().to_string());
    }
    step("Measure", || {
        shell::run(command.env("VIDENCE_BINARY", binary))
    })
}

/// Runs the measurements in browsers, which are TypeScript beside the browser tests and use their page objects.
fn measure_recording_page(flags: &Flags, binary: &Path) -> Result<()> {
    step("Set up for measuring", setup::install_for_recording_page)?;
    let mut measures = program("npx", &["playwright", "test", "--config", "measures"]);
    browser::set_env(&mut measures)
        .env("VIDENCE_BINARY", binary)
        .current_dir(root().join("end2end"));
    if flags.quick {
        measures.env("VIDENCE_QUICK", "1");
    }
    step("Measure", || shell::run(&mut measures))
}

fn install_peer() -> Result<()> {
    let npm = which("npm").context("npm is missing: cargo xtask setup --all")?;
    shell::run(
        program(npm, &["ci", "--no-audit", "--no-fund"])
            .current_dir(root().join("server/benches/peer")),
    )
}

fn cargo_bench() -> Command {
    let mut command = cargo();
    command
        .args(["bench", "--package", "server", "--bench", "bench"])
        .args(["--target-dir", "target"]);
    command
}

/// Copies the binary: for a bench cargo builds it again with the features of tests, but the shipped one is measured.
fn keep(binary: &Path) -> Result<PathBuf> {
    let folder = root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let kept = folder.join("vidence");
    fs::copy(binary, &kept)?;
    Ok(kept)
}
