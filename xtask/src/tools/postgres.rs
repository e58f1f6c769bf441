//! A throw-away PostgreSQL for the tests.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::shell::{is_root, output, program, signal, which};

/// The programs that are used, all of one installation.
const PROGRAMS: [&str; 5] = ["initdb", "pg_basebackup", "pg_isready", "postgres", "psql"];

/// Finds the folder of the programs. Debian doesn't put it on the `PATH`.
pub fn find() -> Option<PathBuf> {
    let on_path = which("initdb").and_then(|file| Some(file.parent()?.to_owned()));
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let packaged = versions.map(|version| version.path().join("bin"));
    on_path
        .into_iter()
        .chain(packaged)
        .find(|bin| PROGRAMS.iter().all(|name| bin.join(name).is_file()))
}

/// A running server on a free loopback port. Stopped and removed on drop.
///
/// It stays in the process group of this program, so that Ctrl-C ends it, too.
pub struct Postgres {
    bin: PathBuf,
    port: u16,
    server: Child,
    _folder: TempDir,
}

impl Postgres {
    /// Starts a server without fsync, which is faster.
    pub fn start() -> Result<Self> {
        Self::start_with(&["fsync=off"])
    }

    /// Starts a server with fsync.
    pub fn durable() -> Result<Self> {
        Self::start_with(&[])
    }

    fn start_with(more: &[&str]) -> Result<Self> {
        let bin = find().context("PostgreSQL is missing")?;
        let folder = tempfile::Builder::new()
            .prefix("vidence-postgres-")
            .tempdir()?;
        let user = Unprivileged::find()?;
        if let Some(user) = &user {
            std::os::unix::fs::chown(folder.path(), Some(user.uid), Some(user.gid))?;
        }
        let run_as = |name: &str, arguments: &[&str]| {
            let mut command = program(bin.join(name), arguments);
            if let Some(user) = &user {
                command.uid(user.uid).gid(user.gid);
            }
            command.current_dir(folder.path());
            command
        };
        let initdb = [
            "-D",
            "data",
            "-A",
            "trust",
            "-U",
            "vidence",
            "--no-locale",
            "-E",
            "UTF8",
        ];
        output(&mut run_as("initdb", &initdb))?;
        // A free port. Between here and the start of the server another program could take it, but none here does.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let log = File::create(folder.path().join("log"))?;
        let port_text = port.to_string();
        let settings = [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=300",
        ];
        let server = run_as("postgres", &["-D", "data", "-p", &port_text])
            .args(settings.iter().chain(more).flat_map(|it| ["-c", it]))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        let mut postgres = Self {
            bin,
            port,
            server,
            _folder: folder,
        };
        postgres.wait_until_ready()?;
        Ok(postgres)
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let port = self.port.to_string();
        let is_ready = self.bin.join("pg_isready");
        loop {
            if let Some(status) = self.server.try_wait()? {
                bail!("PostgreSQL ended at once: {status}");
            }
            let mut ask = program(&is_ready, &["-q", "-h", "127.0.0.1", "-p", &port]);
            if ask.status()?.success() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The URL for clients. Its user may create databases.
    pub fn url(&self) -> String {
        format!("postgres://vidence@127.0.0.1:{}/postgres", self.port)
    }

    /// The id of its first process, the parent of the others.
    pub fn id(&self) -> u32 {
        self.server.id()
    }

    /// The path of `psql`.
    pub fn psql(&self) -> PathBuf {
        self.bin.join("psql")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // SIGQUIT is an immediate shutdown, without a checkpoint of data that are deleted anyway.
        if signal(&self.server, "QUIT").is_ok() {
            let _ = self.server.wait();
        }
    }
}

/// The user of PostgreSQL's package. PostgreSQL refuses to run as root.
struct Unprivileged {
    uid: u32,
    gid: u32,
}

impl Unprivileged {
    /// `None`: this process doesn't run as root, and so needs no other user.
    fn find() -> Result<Option<Self>> {
        if !is_root() {
            return Ok(None);
        }
        let number = |flag: &str| -> Result<u32> {
            let id = output(&mut program("id", &[flag, "postgres"]))?;
            Ok(id.trim().parse()?)
        };
        Ok(Some(Self {
            uid: number("-u")?,
            gid: number("-g")?,
        }))
    }
}
