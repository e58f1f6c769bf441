//! `PgBouncer` in front of the test's PostgreSQL.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use reqwest::Url;
use tempfile::TempDir;

use crate::servers::listening::wait_until_listening;
use crate::servers::node::free_address;

/// The first version that keeps prepared statements, by its setting `max_prepared_statements`.
const KEEPS_STATEMENTS: (u32, u32) = (1, 21);

/// A running `PgBouncer`, killed on drop.
pub struct PgBouncer {
    process: Child,
    address: SocketAddr,
    database_url: Url,
    _folder: TempDir,
}

impl PgBouncer {
    /// Serves this database with further settings, in lines.
    pub fn start(database_url: &str, settings: &str) -> Self {
        let database_url = Url::parse(database_url).expect("a URL");
        let folder = tempfile::tempdir().expect("a folder");
        let address = free_address();
        let (host, port) = (database_url.host_str(), database_url.port());
        let (host, port) = (host.expect("a host"), port.expect("a port"));
        let user = database_url.username();
        let configuration = format!(
            "[databases]\n* = host={host} port={port} user={user}\n\
             [pgbouncer]\nlisten_addr={}\nlisten_port={}\nunix_socket_dir=\nauth_type=any\n{settings}\n",
            address.ip(),
            address.port()
        );
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, configuration).expect("a file");
        let log = folder.path().join("log");
        let stderr = File::create(&log).expect("a file");
        let mut command = program();
        if rustix::process::geteuid().is_root() {
            // It refuses to be root. PostgreSQL's package brings this user.
            command.args(["-u", "postgres"]);
        }
        let process = command
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("PgBouncer is needed, and `cargo xtask setup --all` brings it: {error}")
        });
        let mut bouncer = Self {
            process,
            address,
            database_url,
            _folder: folder,
        };
        let read_log = || fs::read_to_string(&log).unwrap_or_default();
        wait_until_listening("PgBouncer", &mut bouncer.process, address, read_log);
        bouncer
    }

    /// URL of the database behind it.
    pub fn url(&self) -> String {
        let mut url = self.database_url.clone();
        url.set_ip_host(self.address.ip()).expect("a host");
        url.set_port(Some(self.address.port())).expect("a port");
        url.into()
    }

    /// Whether this version can keep prepared statements.
    pub fn can_keep_statements() -> bool {
        let printed = program().arg("--version").output();
        let printed = printed.expect("PgBouncer").stdout;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let mut numbers = printed
            .split_whitespace()
            .nth(1)
            .expect("a version")
            .split('.');
        let mut number = || numbers.next().and_then(|it| it.parse().ok());
        (number().expect("a number"), number().expect("a number")) >= KEEPS_STATEMENTS
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The program: of the Debian 13 that is installed for WebKit, if it is, because Debian 12's keeps no statements. They
/// share `/tmp`.
fn program() -> Command {
    const ENTER: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../end2end/support/browser/within-root.sh"
    );
    let root = std::env::var_os("VIDENCE_WEBKIT").filter(|it| it != "/");
    let newer = root.filter(|it| Path::new(it).join("usr/sbin/pgbouncer").is_file());
    if let Some(root) = newer
        && rustix::process::geteuid().is_root()
    {
        let mut command = Command::new(ENTER);
        command.arg(root).arg("/usr/sbin/pgbouncer");
        return command;
    }
    // Debian installs it in a folder that isn't on each user's `PATH`.
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&on_path).map(|folder| folder.join("pgbouncer"));
    let mut files = on_path.chain([PathBuf::from("/usr/sbin/pgbouncer")]);
    Command::new(
        files
            .find(|file| file.is_file())
            .unwrap_or_else(|| "pgbouncer".into()),
    )
}
