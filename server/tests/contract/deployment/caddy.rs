//! Caddy with the shipped Caddyfile, at another address and with another certificate.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const CADDYFILE: &str = include_str!("../../../deploy/Caddyfile");

/// Longest time that Caddy takes to listen.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A running Caddy, killed on drop.
pub struct Caddy {
    process: Child,
    folder: TempDir,
}

impl Caddy {
    /// Listens for HTTPS at `address`, in front of this node. Certificate and key are PEM.
    pub fn start(address: SocketAddr, node: SocketAddr, certificate: &str, key: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let folder_path = folder.path();
        fs::write(folder_path.join("certificate.pem"), certificate).expect("a file");
        fs::write(folder_path.join("key.pem"), key).expect("a file");
        fs::write(folder_path.join("Caddyfile"), settings(folder_path)).expect("a file");
        let log = File::create(folder_path.join("log")).expect("a file");
        let process = command(folder_path)
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(folder_path.join("Caddyfile"))
            .env("VIDENCE_HOST", format!("https://{address}"))
            .env("VIDENCE_NODES", node.to_string())
            .stderr(log)
            .spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("Caddy is needed, and `cargo xtask setup --all` brings it: {error}")
        });
        let mut caddy = Self { process, folder };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = caddy.process.try_wait().expect("a child process");
            assert!(ended.is_none(), "Caddy ended: {}", caddy.log());
            assert!(start.elapsed() < TIMEOUT, "Caddy doesn't listen");
            std::thread::yield_now();
        }
        caddy
    }

    /// Its output so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).expect("a log")
    }
}

impl Drop for Caddy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The shipped configuration with a given certificate instead of ACME, and without changes to this system.
fn settings(folder: &Path) -> String {
    let folder_path = folder.display();
    let options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n";
    let site = "{$VIDENCE_HOST:localhost} {\n";
    let certificate = format!("{site}\ttls {folder_path}/certificate.pem {folder_path}/key.pem\n");
    let mut settings = CADDYFILE.to_owned();
    for (from, to) in [("\n{\n", &*format!("\n{options}")), (site, &certificate)] {
        assert_eq!(settings.matches(from).count(), 1, "Caddyfile: {from}");
        settings = settings.replace(from, to);
    }
    settings
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new("caddy");
    command
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

#[test]
fn the_caddyfile_is_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/Caddyfile");
    let checked = command(folder.path())
        .args(["validate", "--adapter", "caddyfile", "--config"])
        .arg(file)
        .output()
        .expect("Caddy");
    assert!(checked.status.success(), "{checked:?}");
}
