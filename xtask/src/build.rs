//! The server's half, with the browser's half in it.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::shell::{cargo, root, run, say, step};
use crate::{setup, site, weights};

/// How much the compiler should try.
#[derive(Clone, Copy)]
pub enum Profile {
    /// What ships.
    Release,
    /// What is built in a moment.
    Dev,
}

/// Everything, as it ships.
pub fn release() -> Result<PathBuf> {
    build(Profile::Release)
}

/// Everything. Returns the binary.
pub fn build(profile: Profile) -> Result<PathBuf> {
    step("Check the tools", setup::for_building)?;
    step("Build the browser's half", site::build)?;
    let binary = step("Build the server", || server(profile))?;
    let weighed = step("Weigh the recording page", || weights::check(&binary));
    match profile {
        Profile::Release => weighed?,
        // Who is in the middle of a change wants to see the page, whatever it weighs.
        Profile::Dev => weighed.unwrap_or_else(|error| say(format!("{error:#}"))),
    }
    Ok(binary)
}

fn server(profile: Profile) -> Result<PathBuf> {
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
