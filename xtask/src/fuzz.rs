//! Runs the fuzz targets.

use std::fs;

use anyhow::{Result, ensure};

use crate::shell::{program, root, run, step, which};

/// In the order in which they run.
const TARGETS: &[&str] = &[
    "sniff",
    "range",
    "structured",
    "webm",
    "mp4",
    "worker",
    "answers",
    "ffmpeg",
    "transcript",
];

/// Longer inputs are slower and cover nothing new.
const MAX_LENGTH: &str = "-max_len=65536";

/// Runs each target for so many minutes. Stops at the first crash, and prints the path of its input.
pub fn fuzz(minutes: u32) -> Result<()> {
    ensure!(minutes > 0, "a run takes at least one minute");
    step("Set up for fuzzing", || match which("cargo-fuzz") {
        Some(_) => Ok(()),
        None => run(&mut program(
            "cargo",
            &["install", "cargo-fuzz", "--locked"],
        )),
    })?;
    for target in TARGETS {
        step(&format!("Fuzz {target}"), || run_target(target, minutes))?;
    }
    Ok(())
}

fn run_target(target: &str, minutes: u32) -> Result<()> {
    // New inputs are stored in the first folder; the others are only read.
    let found = format!("fuzz/target/found/{target}");
    fs::create_dir_all(root().join(&found))?;
    let known = format!("fuzz/corpus/{target}");
    let time = format!("-max_total_time={}", u64::from(minutes) * 60);
    // Sanitizers need a nightly compiler, and the parsers contain no unsafe code.
    let fuzz = ["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none"];
    let mut cargo = program("cargo", &fuzz);
    cargo
        .args([target, &found, &known, "crates/test-support/fixtures", "--"])
        .args([&time, MAX_LENGTH, "-timeout=10", "-rss_limit_mb=1024"]);
    run(&mut cargo)
}
