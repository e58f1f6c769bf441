//! Installs what is missing, or says with which command to install it.
//!
//! Checking is cheap, so every other command does it first. Not here: a compiler for C and C++, without which this
//! program can't be built either.

use anyhow::Result;

use crate::shell::{say, step};
use crate::tools::packages::{install_node_packages, install_target};
use crate::tools::{self, MissingTools};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Installs what the build needs and lists what the tests lack, or with `all`, installs that, too.
pub fn set_up(all: bool) -> Result<()> {
    step("Set up for building", install_for_building)?;
    let missing = match all {
        true => step("Set up for testing", MissingTools::install_all)?,
        false => step("Check the tools for testing", MissingTools::check)?,
    };
    missing
        .names()
        .for_each(|name| say(format!("{name}: missing")));
    Ok(())
}

/// Installs the WASM target.
pub fn install_for_building() -> Result<()> {
    install_target(WASM_TARGET)
}

/// Installs what the measurements of the recording page need.
pub fn install_for_recording_page() -> Result<()> {
    for tool in [tools::CHROMIUM, tools::FFMPEG, tools::NODE] {
        tool.install()?;
    }
    tools::WEBKIT.install()?;
    tools::PLAYWRIGHT.install()?;
    install_node_packages("end2end/measures")
}
