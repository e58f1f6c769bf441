//! Build and run again on every change.

use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::Result;
use notify::{EventKind, RecursiveMode, Watcher};

use crate::build::{Profile, build};
use crate::shell::{program, root, say, signal};

const WATCHED: [&str; 6] = [
    "app",
    "frontend",
    "migrations",
    "server",
    "style",
    "Cargo.toml",
];

/// An editor that saves touches several files: wait until it is done.
const QUIET: Duration = Duration::from_millis(200);

/// Runs until it is killed.
pub fn watch(flags: &[String]) -> Result<()> {
    let (tell, changed) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !matches!(event.kind, EventKind::Access(_))) {
            // Nobody listens only when we are about to end.
            let _ = tell.send(());
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
            // The old server goes on while the mistake is being mended.
            Err(error) => say(format!("{error:#}")),
        }
        wait(&changed)?;
    }
}

fn wait(changed: &Receiver<()>) -> Result<()> {
    changed.recv()?;
    loop {
        match changed.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return Ok(()),
            Err(error @ RecvTimeoutError::Disconnected) => return Err(error.into()),
        }
    }
}

/// Lets the server end properly, so that the next one gets its data folder.
fn stop(server: Option<Child>) -> Result<()> {
    if let Some(mut server) = server {
        signal(&server, "TERM")?;
        server.wait()?;
    }
    Ok(())
}
