//! Servers as child processes on free loopback ports.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peer/server.mjs");

/// More than any disk has: no run ends at a limit.
const NO_LIMIT: &str = "1000000000000000";

/// More than any bench opens.
const MOST_CONNECTIONS: &str = "18000";

/// A running server. Ended when dropped.
pub struct Server {
    /// `http://127.0.0.1:port`
    pub base: String,
    process: Child,
}

impl Server {
    /// Ours, as it ships, on its default database and store.
    pub fn vidence(binary: &Path, folder: &Path) -> Result<Self> {
        Self::start(Self::command(binary, folder))
    }

    /// Likewise, on a bucket that these variables give access to.
    pub fn vidence_on(
        binary: &Path,
        folder: &Path,
        bucket: &str,
        access: &[(&str, String)],
    ) -> Result<Self> {
        let mut command = Self::command(binary, folder);
        command.args(["--blob-url", bucket]);
        command.envs(access.iter().map(|(name, value)| (name, value)));
        Self::start(command)
    }

    fn command(binary: &Path, folder: &Path) -> Command {
        let mut command = Command::new(binary);
        command
            // Settings of whoever runs this are not for it.
            .env_clear()
            .env("VIDENCE_MAX_CONNECTIONS", MOST_CONNECTIONS)
            .env("VIDENCE_MAX_CONNECTIONS_PER_ADDRESS", MOST_CONNECTIONS)
            .args(["--listen", "127.0.0.1:0", "--min-free-bytes", "0"])
            // All callers of a bench have one address.
            .args(["--create-limit", "off", "--read-limit", "off"])
            .args(["--max-creator-bytes", NO_LIMIT])
            .args(["--max-request-bytes", NO_LIMIT])
            .args(["--max-stored-bytes", NO_LIMIT])
            .arg("--data-dir")
            .arg(folder);
        command
    }

    /// npm's tus server, as it is deployed.
    pub fn tus(folder: &Path) -> Result<Self> {
        let mut command = Command::new("node");
        command.env("NODE_ENV", "production").arg(PEER).arg(folder);
        Self::start(command)
    }

    /// A handler that answers `body` to everybody: this very program, once more.
    pub fn nothing(body: &str) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["nothing", body]);
        Self::start(command)
    }

    /// A bucket: this very program, once more. Its folder lies in this one.
    pub fn bucket(folder: &Path) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bucket").env("TMPDIR", folder);
        Self::start(command)
    }

    /// A server that says by itself where it listens. Ends when it has, or has ended.
    fn start(mut command: Command) -> Result<Self> {
        let name = command.get_program().display().to_string();
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {name}"))?;
        let stdout = process.stdout.take().context("it has no stdout")?;
        // From here on whatever fails ends the process.
        let mut server = Self {
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
            "{name} ended before it listened: {}",
            server.process.wait()?
        )
    }

    /// A program that was told to listen on `port`, and isn't asked anything before it does.
    pub fn listening(program: impl AsRef<OsStr>, arguments: &[&OsStr], port: u16) -> Result<Self> {
        let name = program.as_ref().display().to_string();
        let process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("can't start {name}"))?;
        let mut server = Self {
            base: format!("http://127.0.0.1:{port}"),
            process,
        };
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = server.process.try_wait()? {
                bail!("{name} ended before it listened: {status}");
            }
            std::thread::yield_now();
        }
        Ok(server)
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// `127.0.0.1:port`
    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its data goes with it, so it needs no time to tidy up. Fails only if it has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
