//! The exit status: 2 for settings that can't work, 1 for every other failure.
//!
//! systemd restarts the server after 1. After 2 it doesn't (`RestartPreventExitStatus=2` in the unit), because a wrong
//! setting stays wrong until the operator changes it. clap exits with 2 as well.

use std::fmt::Display;
use std::io::{Write, stderr};
use std::process::ExitCode;

use crate::bootstrap::StartError;
use crate::cli::terminal::printable::printable;
use crate::storage::StorageError;
use crate::telemetry::logging::is_journal;

const FAILED: u8 = 1;
const MISCONFIGURED: u8 = 2;

/// An error that lasts until a setting, or a file that it names, is changed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) struct Misconfigured(#[from] anyhow::Error);

impl Misconfigured {
    /// Wraps the error of a setting.
    pub(super) fn new(error: impl Into<anyhow::Error>) -> Self {
        Self(error.into())
    }
}

/// Prints the error of a command; returns its exit status.
pub(super) fn report(error: &anyhow::Error) -> ExitCode {
    // A cause may quote what a server or a file says.
    print(format!("Error: {error:?}").lines().map(printable));
    ExitCode::from(status(error))
}

/// Prints what is wrong with the arguments, or the help that they ask for, and ends the process.
pub(super) fn refuse(error: &clap::Error) -> ! {
    if error.use_stderr() && is_journal(stderr()) {
        print(error.render().to_string().lines());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// Prints lines of an error.
/// In the journal they have its priority, so that `journalctl --priority err` finds why a server has ended.
fn print(lines: impl Iterator<Item = impl Display>) {
    let priority = match is_journal(stderr()) {
        true => "<3>",
        false => "",
    };
    for line in lines {
        // It fails where the standard error is closed.
        let _ = writeln!(stderr(), "{priority}{line}");
    }
}

fn status(error: &anyhow::Error) -> u8 {
    let start = error.downcast_ref().is_some_and(StartError::is_permanent);
    let storage = error.downcast_ref().is_some_and(StorageError::is_permanent);
    match error.is::<Misconfigured>() || start || storage {
        true => MISCONFIGURED,
        false => FAILED,
    }
}
