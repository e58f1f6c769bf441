//! A throw-away server with default settings, for measuring and attacking it.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

use anyhow::{Context, Result};

use crate::shell::root;

const FLAGS: [&str; 4] = ["--listen", "127.0.0.1:0", "--log-format", "json"];

/// A running server on a free loopback port, with an empty data folder. Killed and removed on drop.
pub struct Server {
    pub process: Child,
    pub address: SocketAddr,
    _data: Option<tempfile::TempDir>,
}

impl Server {
    pub fn start(binary: &Path) -> Result<Self> {
        let parent = root().join("target");
        fs::create_dir_all(&parent)?;
        let data = tempfile::Builder::new()
            .prefix("server-")
            .tempdir_in(parent)?;
        // Without the environment: `VIDENCE_…` variables are meant for another server.
        let mut command = Command::new(binary);
        command.env_clear().args(FLAGS);
        command.arg("--data-dir").arg(data.path());
        Self::spawn(command, Some(data))
    }

    /// Starts a server by a command that ends with its name, and has no variables but those that are meant for it.
    pub fn start_by(mut command: Command) -> Result<Self> {
        command.args(FLAGS);
        Self::spawn(command, None)
    }

    fn spawn(mut command: Command, data: Option<tempfile::TempDir>) -> Result<Self> {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start: {}", command.get_program().display()))?;
        let stdout = process.stdout.take().context("no stdout")?;
        let mut lines = BufReader::new(stdout).lines();
        let address = lines.by_ref().find_map(|line| address(&line.ok()?));
        // The rest is read as well, because a full pipe would block the server.
        thread::spawn(move || lines.for_each(drop));
        Ok(Self {
            address: address.context("the server ended without naming its address")?,
            process,
            _data: data,
        })
    }
}

/// The loopback address in a line of the server's log.
fn address(line: &str) -> Option<SocketAddr> {
    let (_, url) = line.split_once("http://127.0.0.1:")?;
    let port = url.split(['"', ' ', ',', '/']).next()?;
    format!("127.0.0.1:{port}").parse().ok()
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only if it has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
