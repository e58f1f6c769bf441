//! Feeds the parsers what nobody would write, for a while.

use std::fs;

use anyhow::{Result, ensure};

use crate::shell::{program, root, run, step, which};

/// In the order in which they run.
const TARGETS: &[&str] = &["sniff", "range", "structured", "webm", "mp4"];

/// Longer inputs say nothing new, and slower.
const LONGEST: &str = "-max_len=65536";

/// Runs every target for so many minutes; ends at the first crash, and says where its input lies.
pub fn fuzz(minutes: u32) -> Result<()> {
    ensure!(minutes > 0, "give it a minute");
    step("Set up for fuzzing", || match which("cargo-fuzz") {
        Some(_) => Ok(()),
        None => run(&mut program(
            "cargo",
            &["install", "cargo-fuzz", "--locked"],
        )),
    })?;
    for target in TARGETS {
        step(&format!("Fuzz {target}"), || one(target, minutes))?;
    }
    Ok(())
}

fn one(target: &str, minutes: u32) -> Result<()> {
    // What is found goes to the first of them; the others are where it begins.
    let found = format!("fuzz/target/found/{target}");
    fs::create_dir_all(root().join(&found))?;
    let known = format!("fuzz/corpus/{target}");
    let time = format!("-max_total_time={}", u64::from(minutes) * 60);
    // Without a sanitizer it builds with the stable compiler. Nothing here is unsafe.
    let fuzz = ["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none"];
    let mut cargo = program("cargo", &fuzz);
    cargo
        .args([target, &found, &known, "crates/test-support/fixtures", "--"])
        .args([&time, LONGEST, "-timeout=10", "-rss_limit_mb=1024"]);
    run(&mut cargo)
}
