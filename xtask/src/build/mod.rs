//! The build: the frontend, and the server that embeds it.

mod glue;
mod site;
mod weights;

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::setup;
use crate::shell::{cargo, root, run, say, step};

pub use site::build as build_site;

/// How the server is compiled.
#[derive(Clone, Copy)]
pub enum Profile {
    /// Optimized, as it ships.
    Release,
    /// Quick to compile.
    Dev,
}

/// Builds everything as it ships. Returns the binary.
pub fn build_release() -> Result<PathBuf> {
    build(Profile::Release)
}

/// Builds everything. Returns the binary.
pub fn build(profile: Profile) -> Result<PathBuf> {
    step("Check the tools", setup::install_for_building)?;
    step("Build the frontend", site::build)?;
    let binary = step("Build the server", || build_server(profile))?;
    let weighed = step("Weigh the recording page", || weights::check(&binary));
    match profile {
        Profile::Release => weighed?,
        // During development a page that is too heavy should still be shown.
        Profile::Dev => weighed.unwrap_or_else(|error| say(format!("{error:#}"))),
    }
    Ok(binary)
}

fn build_server(profile: Profile) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--package", "server", "--target-dir", "target"]);
    let folder = match profile {
        Profile::Release => {
            build.arg("--release");
            "release"
        }
        Profile::Dev => "debug",
    };
    run(&mut build)?;
    let binary = root().join("target").join(folder).join("vidence");
    let megabytes = fs::metadata(&binary)?.len() / 100_000;
    say(format!(
        "{}: {}.{} MB",
        binary.display(),
        megabytes / 10,
        megabytes % 10
    ));
    Ok(binary)
}
