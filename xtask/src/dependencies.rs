//! Other people's crates: that we may use them, and that we do use them.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::shell::{cargo, program, root, run};

/// What looks at `Cargo.toml` and `Cargo.lock` for us.
const READERS: [(&str, &str); 2] = [("cargo-deny", "0.20.2"), ("cargo-machete", "0.9.2")];

/// Licences, sources and what `deny.toml` bans; and what nobody uses any more. What is known against a crate is
/// another question: its answer changes by itself, and comes from a network.
pub fn check() -> Result<()> {
    run(&mut program(
        installed("cargo-deny"),
        &["check", "licenses", "bans", "sources"],
    ))?;
    run(&mut program(installed("cargo-machete"), &["."]))
}

/// In these versions.
pub fn has_readers() -> bool {
    let list = fs::read_to_string(root().join(FOLDER).join(".crates.toml")).unwrap_or_default();
    READERS
        .iter()
        .all(|(name, version)| list.contains(&format!("\"{name} {version} ")))
}

/// Unoptimised: they are quick enough, and twice as quickly compiled.
pub fn install_readers() -> Result<()> {
    let mut install = cargo();
    install.args([
        "install", "--quiet", "--locked", "--debug", "--root", FOLDER,
    ]);
    install.args(READERS.map(|(name, version)| format!("{name}@{version}")));
    run(&mut install)
}

const FOLDER: &str = "target/tools";

fn installed(name: &str) -> PathBuf {
    root().join(FOLDER).join("bin").join(name)
}
