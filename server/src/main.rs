//! Parse, and do it.

use std::process::ExitCode;

use server::cli;

fn main() -> ExitCode {
    // Before there is a thread, a file or a secret: a decoder gives up the right to have any.
    if stills::is_worker() {
        return stills::run_worker();
    }
    cli::run(cli::parse())
}
