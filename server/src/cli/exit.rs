//! The exit status: 2 for settings that can't work, 1 for every other failure.
//!
//! systemd restarts the server after 1. After 2 it doesn't (`RestartPreventExitStatus=2` in the unit), because a wrong
//! setting stays wrong until the operator changes it. clap exits with 2 as well.

use std::io::Write;
use std::process::ExitCode;

use super::printable::printable;
use crate::bootstrap::StartError;
use crate::storage::StorageError;

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
    for line in format!("Error: {error:?}").lines() {
        // It fails where the standard error is closed. A cause may quote what a server or a file says.
        let _ = writeln!(std::io::stderr(), "{}", printable(line));
    }
    ExitCode::from(status(error))
}

fn status(error: &anyhow::Error) -> u8 {
    let start = error.downcast_ref().is_some_and(StartError::is_permanent);
    let storage = error.downcast_ref().is_some_and(StorageError::is_permanent);
    match error.is::<Misconfigured>() || start || storage {
        true => MISCONFIGURED,
        false => FAILED,
    }
}
