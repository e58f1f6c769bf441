//! Build, then become the server.

use std::os::unix::process::CommandExt;

use anyhow::Result;

use crate::build;
use crate::shell::program;

/// Returns only when the server can't be started: from then on signals and exit code are its own.
pub fn serve(flags: &[String]) -> Result<()> {
    let binary = build::release()?;
    eprintln!();
    Err(program(binary, &[]).args(flags).exec().into())
}
