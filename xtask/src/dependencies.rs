//! Checks the dependencies: licences, bans and sources, and that each one is used.

use anyhow::Result;

use crate::shell::{program, run};
use crate::tools::packages::{cargo_program, has_cargo_programs, install_cargo_programs};

/// The programs that check `Cargo.toml` and `Cargo.lock`, and their versions.
const CHECKERS: [(&str, &str); 2] = [("cargo-deny", "0.20.2"), ("cargo-machete", "0.9.2")];

/// Runs the checkers.
///
/// Not advisories: their answer changes without a change of the project, and needs the network.
pub fn check() -> Result<()> {
    run(&mut program(
        cargo_program("cargo-deny"),
        &["check", "licenses", "bans", "sources"],
    ))?;
    run(&mut program(cargo_program("cargo-machete"), &["."]))
}

/// Whether the checkers are installed in these versions.
pub fn has_checkers() -> bool {
    has_cargo_programs(&CHECKERS)
}

/// Installs the checkers.
pub fn install_checkers() -> Result<()> {
    install_cargo_programs(&CHECKERS)
}
