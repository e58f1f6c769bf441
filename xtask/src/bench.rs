//! Measurements beside what others use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Subcommand;

use crate::build;
use crate::shell::{cargo, program, root, run, step, which};

/// What to measure.
#[derive(Subcommand)]
pub enum Bench {
    /// Uploads, beside npm's tus server
    Uploads {
        /// A smoke run: once, few bytes
        #[arg(long)]
        quick: bool,
    },
}

/// Measures, and prints what was seen. Falling short of an aim is no failure.
pub fn bench(what: &Bench) -> Result<()> {
    match what {
        Bench::Uploads { quick } => uploads(*quick),
    }
}

fn uploads(quick: bool) -> Result<()> {
    let binary = build::release()?;
    let binary = keep(&binary)?;
    step("Install the peer", || {
        let npm = which("npm").context("npm is missing: cargo xtask setup")?;
        run(program(npm, &["ci", "--no-audit", "--no-fund"])
            .current_dir(root().join("server/benches/peer")))
    })?;
    step("Build the measurement", || {
        run(cargo_bench().arg("--no-run"))
    })?;
    let mut bench = cargo_bench();
    if quick {
        bench.args(["--", "--quick"]);
    }
    step("Measure", || run(bench.env("VIDENCE_BINARY", binary)))
}

fn cargo_bench() -> Command {
    let mut command = cargo();
    command
        .args(["bench", "--package", "server", "--bench", "uploads"])
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
