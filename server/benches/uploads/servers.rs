//! The two servers, as child processes on free loopback ports.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peer/server.mjs");

/// More than any disk has: no run ends at a limit.
const NO_LIMIT: &str = "1000000000000000";

/// How a server wants to be spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Ours: a request, a take, the IETF's resumable uploads.
    Vidence,
    /// The peer's: tus 1.0.
    Tus,
}

/// A running server. Ended when dropped.
pub struct Server {
    pub dialect: Dialect,
    /// `http://127.0.0.1:port`
    pub base: String,
    process: Child,
}

impl Server {
    /// Ours, as it ships, on its default database and store.
    pub fn vidence(binary: &Path, folder: &Path) -> Result<Self> {
        let mut command = Command::new(binary);
        command
            // Settings of whoever runs this are not for it.
            .env_clear()
            .args(["--listen", "127.0.0.1:0", "--min-free-bytes", "0"])
            .args(["--create-limit", "off", "--read-limit", "off"])
            .args(["--max-creator-bytes", NO_LIMIT])
            .args(["--max-request-bytes", NO_LIMIT])
            .args(["--max-stored-bytes", NO_LIMIT])
            .arg("--data-dir")
            .arg(folder);
        Self::start(Dialect::Vidence, command)
    }

    /// The peer, as it is deployed.
    pub fn peer(folder: &Path) -> Result<Self> {
        let mut command = Command::new("node");
        command.env("NODE_ENV", "production").arg(PEER).arg(folder);
        Self::start(Dialect::Tus, command)
    }

    /// Ends when the server has said where it listens, or has ended.
    fn start(dialect: Dialect, mut command: Command) -> Result<Self> {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", command.get_program().display()))?;
        let stdout = process.stdout.take().context("it has no stdout")?;
        // From here on whatever fails ends the process.
        let mut server = Self {
            dialect,
            base: String::new(),
            process,
        };
        let mut lines = BufReader::new(stdout);
        let mut line = String::new();
        while lines.read_line(&mut line)? > 0 {
            if let Some(base) = line.split_whitespace().find(|it| it.starts_with("http://")) {
                server.base = base.to_owned();
                // What else it says is read, so that it never waits for somebody to read it.
                std::thread::spawn(move || io::copy(&mut lines, &mut io::sink()));
                return Ok(server);
            }
            line.clear();
        }
        bail!(
            "{dialect:?} ended before it listened: {}",
            server.process.wait()?
        )
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its data goes with it, so it needs no time to tidy up. Fails only if it has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
