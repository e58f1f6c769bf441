//! A throw-away PostgreSQL for the tests.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell::{is_root, output, program, run, which};

/// What we call, all from one installation.
const PROGRAMS: [&str; 3] = ["initdb", "pg_ctl", "psql"];

/// The folder that holds them: Debian keeps it out of the `PATH`.
pub fn find() -> Option<PathBuf> {
    let in_path = which("initdb").and_then(|file| Some(file.parent()?.to_owned()));
    let versions = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let packaged = versions.map(|version| version.path().join("bin"));
    in_path
        .into_iter()
        .chain(packaged)
        .find(|bin| PROGRAMS.iter().all(|name| bin.join(name).is_file()))
}

/// A running server on a free loopback port. Stopped and removed when dropped.
pub struct Postgres {
    bin: PathBuf,
    data: PathBuf,
    port: u16,
}

impl Postgres {
    /// Starts one.
    pub fn start() -> Result<Self> {
        let bin = find().context("PostgreSQL is missing")?;
        let data = data_folder()?;
        // Asked for and given back: nothing on this machine takes a port at random in between.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = Self { bin, data, port };
        let data = server.data.display().to_string();
        let log = format!("{data}.log");
        output(&mut server.as_postgres("initdb", &["-D", &data, "-A", "trust", "-U", "vidence"]))?;
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' \
             -c max_connections=300 -c fsync=off"
        );
        let start = ["-D", &data, "-l", &log, "-o", &options, "-w", "-s", "start"];
        run(&mut server.as_postgres("pg_ctl", &start))?;
        Ok(server)
    }

    /// For clients; the user may create databases.
    pub fn url(&self) -> String {
        format!("postgres://vidence@127.0.0.1:{}/postgres", self.port)
    }

    /// Its command line.
    pub fn psql(&self) -> PathBuf {
        self.bin.join("psql")
    }

    /// PostgreSQL refuses to run as root.
    fn as_postgres(&self, name: &str, arguments: &[&str]) -> Command {
        let file = self.bin.join(name).display().to_string();
        let mut command = if is_root() {
            program("runuser", &["-u", "postgres", "--", &file])
        } else {
            program(&file, &[])
        };
        command.args(arguments).current_dir("/");
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let data = self.data.display().to_string();
        let stop = ["-D", data.as_str(), "-m", "immediate", "-s", "stop"];
        // Best effort: the next run doesn't depend on it.
        let _ = run(&mut self.as_postgres("pg_ctl", &stop));
        let _ = fs::remove_dir_all(&self.data);
    }
}

/// Below the system's folder for temporary files: the user `postgres` may not look into ours.
fn data_folder() -> Result<PathBuf> {
    let name = format!("vidence-postgres-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir(&folder)?;
    if is_root() {
        let owner = folder.display().to_string();
        run(&mut program("chown", &["postgres", &owner]))?;
    }
    Ok(folder)
}
