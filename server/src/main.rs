//! Parse, and do it.

use std::process::ExitCode;

use server::cli;

/// The allocator of musl has one lock for all threads.
/// This one reserves no addresses ahead, which a decoder may not have.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    // Before there is a thread, a file or a secret: a decoder gives up the right to have any.
    if stills::is_worker() {
        return stills::run_worker();
    }
    cli::run(cli::parse())
}
