//! `cargo xtask watch`: builds and runs the server again on every change.

use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::Result;
use notify::{EventKind, RecursiveMode, Watcher};

use crate::build::{Profile, build};
use crate::shell::{program, root, say, signal};

const WATCHED: [&str; 10] = [
    ".cargo",
    "app",
    "crates",
    "docs",
    "frontend",
    "migrations",
    "server",
    "style",
    "Cargo.lock",
    "Cargo.toml",
];

/// How long no file may change before a build starts: saving touches several files.
const QUIET: Duration = Duration::from_millis(200);

/// Builds and runs until this process is killed.
pub fn watch(flags: &[String]) -> Result<()> {
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !matches!(event.kind, EventKind::Access(_))) {
            // Fails only while this process ends.
            let _ = sender.send(());
        }
    })?;
    for path in WATCHED {
        watcher.watch(&root().join(path), RecursiveMode::Recursive)?;
    }
    let mut server: Option<Child> = None;
    loop {
        match build(Profile::Dev) {
            Ok(binary) => {
                stop(server.take())?;
                server = Some(program(binary, &[]).args(flags).spawn()?);
            }
            // The old server goes on running until the build succeeds.
            Err(error) => say(format!("{error:#}")),
        }
        wait_for_change(&changes)?;
    }
}

fn wait_for_change(changes: &Receiver<()>) -> Result<()> {
    changes.recv()?;
    loop {
        match changes.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(error @ RecvTimeoutError::Disconnected) => return Err(error.into()),
        }
    }
}

/// Stops the server gracefully, so that the next one can lock the data folder.
fn stop(server: Option<Child>) -> Result<()> {
    if let Some(mut server) = server {
        signal(&server, "TERM")?;
        server.wait()?;
    }
    Ok(())
}
