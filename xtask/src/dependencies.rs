//! Checks the dependencies: licences, bans and sources, and that each one is used.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::shell::{cargo, program, root, run};

/// The programs that check `Cargo.toml` and `Cargo.lock`, and their versions.
const CHECKERS: [(&str, &str); 2] = [("cargo-deny", "0.20.2"), ("cargo-machete", "0.9.2")];

/// Where they are installed.
const FOLDER: &str = "target/tools";

/// Runs the checkers.
///
/// Not advisories: their answer changes without a change of the project, and needs the network.
pub fn check() -> Result<()> {
    run(&mut program(
        installed("cargo-deny"),
        &["check", "licenses", "bans", "sources"],
    ))?;
    run(&mut program(installed("cargo-machete"), &["."]))
}

/// Whether the checkers are installed in these versions.
pub fn has_checkers() -> bool {
    let list = fs::read_to_string(root().join(FOLDER).join(".crates.toml")).unwrap_or_default();
    CHECKERS
        .iter()
        .all(|(name, version)| list.contains(&format!("\"{name} {version} ")))
}

/// Installs debug builds of the checkers: those are fast enough, and compile in half the time.
pub fn install_checkers() -> Result<()> {
    let mut install = cargo();
    install.args([
        "install", "--quiet", "--locked", "--debug", "--root", FOLDER,
    ]);
    install.args(CHECKERS.map(|(name, version)| format!("{name}@{version}")));
    run(&mut install)
}

fn installed(name: &str) -> PathBuf {
    root().join(FOLDER).join("bin").join(name)
}
