//! Parse, and do it.

use std::process::ExitCode;

use server::cli;

fn main() -> anyhow::Result<ExitCode> {
    // Before there is a thread, a file or a secret: a decoder gives up the right to have any.
    if stills::is_child() {
        return Ok(stills::child());
    }
    cli::run(cli::parse())
}
