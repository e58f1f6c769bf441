//! Servers as child processes on free loopback ports.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::api::h2load::Identity;

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peer/server.mjs");

/// More than any disk has, so that no run ends at a limit.
const UNLIMITED: &str = "1000000000000000";

/// More connections than any benchmark opens.
const MAX_CONNECTIONS: &str = "18000";

/// A running server, killed on drop.
pub struct Server {
    /// `http://127.0.0.1:port`, or `https`
    pub base: String,
    process: Child,
}

impl Server {
    /// The release binary on its default database and store.
    pub fn vidence(binary: &Path, folder: &Path) -> Result<Self> {
        Self::start(Self::command(binary, folder))
    }

    /// The release binary with the ffmpeg of this machine.
    pub fn vidence_with_ffmpeg(binary: &Path, folder: &Path) -> Result<Self> {
        let mut command = Self::command(binary, folder);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        Self::start(command)
    }

    /// The release binary, which has speech turned into text at this URL.
    pub fn vidence_with_transcriber(binary: &Path, folder: &Path, url: &str) -> Result<Self> {
        let mut command = Self::command(binary, folder);
        command.args(["--transcriber-url", url]);
        Self::start(command)
    }

    /// The release binary, which speaks TLS.
    pub fn vidence_over_tls(binary: &Path, folder: &Path, identity: &Identity) -> Result<Self> {
        let mut command = Self::command(binary, folder);
        command.arg("--tls-cert").arg(identity.certificate);
        command.arg("--tls-key").arg(identity.key);
        Self::start(command)
    }

    fn command(binary: &Path, folder: &Path) -> Command {
        let mut command = Command::new(binary);
        command
            // Settings of the user's environment must not apply.
            .env_clear()
            .env("VIDENCE_MAX_CONNECTIONS", MAX_CONNECTIONS)
            .env("VIDENCE_MAX_CONNECTIONS_PER_ADDRESS", MAX_CONNECTIONS)
            .args(["--listen", "127.0.0.1:0", "--min-free-bytes", "0"])
            // All clients of a benchmark share one address.
            .args(["--create-limit", "off", "--read-limit", "off"])
            .args(["--max-creator-bytes", UNLIMITED])
            .args(["--max-request-bytes", UNLIMITED])
            .args(["--max-stored-bytes", UNLIMITED])
            .arg("--data-dir")
            .arg(folder);
        command
    }

    /// npm's tus server in production mode, which never syncs.
    pub fn tus(folder: &Path) -> Result<Self> {
        Self::start(Self::tus_command(folder))
    }

    /// The same with file and folder synced before each answer.
    pub fn durable_tus(folder: &Path) -> Result<Self> {
        let mut command = Self::tus_command(folder);
        command.arg("--sync");
        Self::start(command)
    }

    fn tus_command(folder: &Path) -> Command {
        let mut command = Command::new("node");
        command.env("NODE_ENV", "production").arg(PEER).arg(folder);
        command
    }

    /// This program as the handler that answers `body` to every request.
    pub fn constant(body: &str) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["constant-handler", body]);
        Self::start(command)
    }

    /// The same over HTTP/2 and TLS.
    pub fn constant_over_tls(body: &str, identity: &Identity) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["constant-handler", body, "--certificate"]);
        command.arg(identity.certificate);
        command.arg("--key").arg(identity.key);
        Self::start(command)
    }

    /// This program as a bucket whose data lies in `folder`.
    pub fn bucket(folder: &Path) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bucket").env("TMPDIR", folder);
        Self::start(command)
    }

    /// Starts a server that prints its URL, and waits for that.
    fn start(mut command: Command) -> Result<Self> {
        let name = command.get_program().display().to_string();
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {name}"))?;
        let stdout = process.stdout.take().context("it has no stdout")?;
        // From here on a failure kills the process.
        let mut server = Self {
            base: String::new(),
            process,
        };
        let mut lines = BufReader::new(stdout);
        let mut line = String::new();
        while lines.read_line(&mut line)? > 0 {
            let is_url = |it: &&str| it.starts_with("http://") || it.starts_with("https://");
            if let Some(base) = line.split_whitespace().find(is_url) {
                server.base = base.to_owned();
                // Drains the rest of its output, so that it never blocks on a full pipe.
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

    /// Starts a program that listens on `port`, and waits until it does.
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

    /// Process id.
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
        // SIGKILL is enough, because its data is removed. Fails only if the process has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
