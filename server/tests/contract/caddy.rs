//! Caddy as we ship it, with another address and another certificate.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const SHIPPED: &str = include_str!("../../deploy/Caddyfile");

/// It starts at once, or not at all.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running one. Killed when dropped.
pub struct Caddy {
    process: Child,
    folder: TempDir,
}

impl Caddy {
    /// Takes HTTPS at `address` and asks this node. Certificate and key are PEM.
    pub fn start(address: SocketAddr, node: SocketAddr, certificate: &str, key: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path();
        fs::write(place.join("certificate.pem"), certificate).expect("a file");
        fs::write(place.join("key.pem"), key).expect("a file");
        fs::write(place.join("Caddyfile"), settings(place)).expect("a file");
        let said = File::create(place.join("said")).expect("a file");
        let process = command(place)
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(place.join("Caddyfile"))
            .env("VIDENCE_HOST", format!("https://{address}"))
            .env("VIDENCE_NODES", node.to_string())
            .stderr(said)
            .spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("Caddy is needed, and `cargo xtask setup --all` brings it: {error}")
        });
        let mut caddy = Self { process, folder };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = caddy.process.try_wait().expect("a child of ours");
            assert!(ended.is_none(), "Caddy ended: {}", caddy.log());
            assert!(start.elapsed() < PATIENCE, "Caddy doesn't listen");
            std::thread::yield_now();
        }
        caddy
    }

    /// Everything that it has written down.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("said")).expect("a log")
    }
}

impl Drop for Caddy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What we ship, with a certificate of ours instead of one that it would ask for; and it leaves this system alone.
fn settings(folder: &Path) -> String {
    let place = folder.display();
    let options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n";
    let site = "{$VIDENCE_HOST:localhost} {\n";
    let certificate = format!("{site}\ttls {place}/certificate.pem {place}/key.pem\n");
    let mut settings = SHIPPED.to_owned();
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
fn caddy_finds_nothing_wrong_with_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/Caddyfile");
    let checked = command(folder.path())
        .args(["validate", "--adapter", "caddyfile", "--config"])
        .arg(file)
        .output()
        .expect("Caddy");
    assert!(checked.status.success(), "{checked:?}");
}
