//! The build: the frontend, and the server that embeds it.

pub mod flags;
mod glue;
mod minify;
mod names;
pub mod revision;
mod site;
mod weights;

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::setup;
use crate::shell::{cargo, root, run, say, step};

pub use site::build as build_site;

/// How the product is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Optimized, as it ships.
    Release,
    /// Optimized, and compiled again in a quarter of the time.
    Incremental,
    /// Hardly optimized, but for the server's dependencies, which are those of a release.
    Dev,
}

/// The profile in which tests are built, and the server while it is worked on.
pub const QUICK_BUILD: [&str; 3] = ["--config", ".cargo/tests.toml", "--release"];

/// Builds everything. Returns the binary.
pub fn build(profile: Profile) -> Result<PathBuf> {
    step("Check the tools", setup::install_for_building)?;
    step("Build the frontend", || site::build(profile))?;
    let binary = step("Build the server", || build_server(profile))?;
    // During development a page that is too heavy should still be shown.
    if profile != Profile::Dev {
        step("Weigh the recording page", || weights::check(&binary))?;
    }
    Ok(binary)
}

/// Builds the pages alone, as they ship.
pub fn build_pages() -> Result<()> {
    step("Check the tools", setup::install_for_building)?;
    step("Build the frontend", || site::build(Profile::Release))
}

fn build_server(profile: Profile) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--package", "server"]);
    let folder = match profile {
        Profile::Release => {
            build.args(["--release", "--target-dir", "target"]);
            if let Some(revision) = revision::find() {
                build.env(revision::VARIABLE, revision);
            }
            "target/release"
        }
        Profile::Incremental => {
            build.args(["--release", "--config", ".cargo/incremental.toml"]);
            "target/incremental/release"
        }
        Profile::Dev => {
            build.args(QUICK_BUILD);
            "target/tests/release"
        }
    };
    run(&mut build)?;
    let binary = root().join(folder).join("vidence");
    let megabytes = fs::metadata(&binary)?.len() / 100_000;
    say(format!(
        "{}: {}.{} MB",
        binary.display(),
        megabytes / 10,
        megabytes % 10
    ));
    Ok(binary)
}
