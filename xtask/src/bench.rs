//! Runs the benchmarks: the server compared with others, the soak test, many connections, a cluster, the recording page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};

use crate::postgres::Postgres;
use crate::shell::{cargo, program, root, run, step, which};
use crate::{browser, build, setup, tools};

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
        /// For how long, and at most a quarter of an hour more
        #[arg(long, default_value_t = 60)]
        minutes: u32,
    },
    /// Memory of ten thousand idle connections and hundreds of slow ones
    Crowd(Flags),
    /// One to three nodes on PostgreSQL and a bucket, and kills under load
    Cluster(Flags),
    /// The recording page: memory, waiting, what a killed browser loses, Lighthouse
    Recording(Flags),
}

/// How to measure.
#[derive(Args)]
pub struct Flags {
    /// A smoke run: once, and not for long
    #[arg(long)]
    quick: bool,
}

/// No smoke run.
const WHOLE: Flags = Flags { quick: false };

/// Measures, and prints what was seen. Falling short of an aim is no failure.
pub fn bench(what: &Bench) -> Result<()> {
    let binary = build::release()?;
    let binary = keep(&binary)?;
    let (mut words, mut postgres) = (Vec::new(), None);
    let (name, flags) = match what {
        Bench::Recording(flags) => return recording(flags, &binary),
        Bench::Uploads(flags) => {
            step("Install the peer", npm_packages)?;
            ("uploads", flags)
        }
        Bench::Api(flags) => ("api", flags),
        Bench::Streaming(flags) => {
            step("Install the peer", || tools::NGINX.install())?;
            ("streaming", flags)
        }
        Bench::Agents(flags) => {
            step("Install what makes a film", || tools::FFMPEG.install())?;
            ("agents", flags)
        }
        Bench::Soak { minutes } => {
            words.extend(["--minutes".to_owned(), minutes.to_string()]);
            ("soak", &WHOLE)
        }
        Bench::Crowd(flags) => ("crowd", flags),
        Bench::Cluster(flags) => {
            step("Install the proxy", || tools::NGINX.install())?;
            step("Install the database", || tools::POSTGRES.install())?;
            // As it is run elsewhere: a commit is on the disk.
            postgres = Some(step("Start a throw-away PostgreSQL", Postgres::durable)?);
            ("cluster", flags)
        }
    };
    step("Build the measurement", || {
        run(cargo_bench().arg("--no-run"))
    })?;
    let mut bench = cargo_bench();
    bench.args(["--", name]).args(words);
    if flags.quick {
        bench.arg("--quick");
    }
    if let Some(postgres) = &postgres {
        bench.env("VIDENCE_TEST_POSTGRES", postgres.url());
        bench.env("VIDENCE_BENCH_POSTGRES", postgres.id().to_string());
    }
    step("Measure", || run(bench.env("VIDENCE_BINARY", binary)))
}

/// In a browser, so in TypeScript beside the tests, whose page objects it uses.
fn recording(flags: &Flags, binary: &Path) -> Result<()> {
    step("Set up for measuring", setup::for_recordings)?;
    let mut measures = program("npx", &["playwright", "test", "--config", "measures"]);
    browser::name_all(&mut measures)
        .env("VIDENCE_BINARY", binary)
        .current_dir(root().join("end2end"));
    if flags.quick {
        measures.env("VIDENCE_QUICK", "1");
    }
    step("Measure", || run(&mut measures))
}

fn npm_packages() -> Result<()> {
    let npm = which("npm").context("npm is missing: cargo xtask setup --all")?;
    run(program(npm, &["ci", "--no-audit", "--no-fund"])
        .current_dir(root().join("server/benches/peer")))
}

fn cargo_bench() -> Command {
    let mut command = cargo();
    command
        .args(["bench", "--package", "server", "--bench", "bench"])
        .args(["--target-dir", "target"]);
    command
}

/// Puts the binary aside: cargo builds it anew for a bench, with the features that tests bring, and it is
/// what ships that is measured.
fn keep(binary: &Path) -> Result<PathBuf> {
    let folder = root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let kept = folder.join("vidence");
    fs::copy(binary, &kept)?;
    Ok(kept)
}
