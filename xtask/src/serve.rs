//! `cargo xtask serve`: builds the server and executes it.

use std::os::unix::process::CommandExt;

use anyhow::Result;

use crate::build::{Profile, build};
use crate::shell::program;

/// Replaces this process by the server, which then handles signals itself. Returns only on failure.
pub fn serve(flags: &[String]) -> Result<()> {
    let binary = build(Profile::Incremental)?;
    eprintln!();
    Err(program(binary, &[]).args(flags).exec().into())
}
