//! Caddy with the shipped Caddyfile, at another address and with another certificate.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use test_support::servers::listening::wait_until_listening;
use test_support::servers::node::free_address;

const CADDYFILE: &str = include_str!("../../../deploy/proxies/Caddyfile");

const SNIPPET: &str = include_str!("../../../deploy/proxies/vidence.caddy");

/// A running Caddy, killed on drop.
pub struct Caddy {
    process: Child,
    folder: TempDir,
}

impl Caddy {
    /// Listens for HTTPS at `address`, in front of these nodes. Certificate and key are PEM.
    pub fn start(address: SocketAddr, nodes: &[SocketAddr], certificate: &str, key: &str) -> Self {
        Self::start_with(settings, address, nodes, certificate, key)
    }

    /// The same with the shipped snippet, imported by another configuration.
    pub fn importing(address: SocketAddr, node: SocketAddr, certificate: &str, key: &str) -> Self {
        let configure = |folder: &Path| {
            let site = format!("https://{address} {{\n{}", certificate_line(folder));
            let snippet = [
                ("evidence.example.org {\n", &*site),
                ("127.0.0.1:3000", &*node.to_string()),
            ];
            let snippet = replaced(SNIPPET, &snippet);
            fs::write(folder.join("vidence.caddy"), snippet).expect("a file");
            importing_configuration()
        };
        Self::start_with(configure, address, &[node], certificate, key)
    }

    fn start_with(
        configure: impl FnOnce(&Path) -> String,
        address: SocketAddr,
        nodes: &[SocketAddr],
        certificate: &str,
        key: &str,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let folder_path = folder.path();
        fs::write(folder_path.join("certificate.pem"), certificate).expect("a file");
        fs::write(folder_path.join("key.pem"), key).expect("a file");
        let configuration = configure(folder_path);
        fs::write(folder_path.join("Caddyfile"), configuration).expect("a file");
        let nodes: Vec<_> = nodes.iter().map(SocketAddr::to_string).collect();
        let log = File::create(folder_path.join("log")).expect("a file");
        let process = command(folder_path)
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(folder_path.join("Caddyfile"))
            .env("VIDENCE_HOST", format!("https://{address}"))
            .env("VIDENCE_NODES", nodes.join(" "))
            .stderr(log)
            .spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("Caddy is needed, and `cargo xtask setup --all` brings it: {error}")
        });
        let mut caddy = Self { process, folder };
        wait_until_listening("Caddy", &mut caddy.process, address, || {
            log_in(&caddy.folder)
        });
        caddy
    }

    /// Its output so far.
    pub fn log(&self) -> String {
        log_in(&self.folder)
    }
}

impl Drop for Caddy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn log_in(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("log")).expect("a log")
}

/// The shipped configuration with a given certificate instead of ACME, and without changes to this system.
fn settings(folder: &Path) -> String {
    let site = "{$VIDENCE_HOST:localhost} {\n";
    let certificate = format!("{site}{}", certificate_line(folder));
    let options = format!("\n{OPTIONS}");
    replaced(CADDYFILE, &[("\n{\n", &options), (site, &certificate)])
}

/// Global options that change nothing on this system, still open.
const OPTIONS: &str = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n";

fn certificate_line(folder: &Path) -> String {
    let folder = folder.display();
    format!("\ttls {folder}/certificate.pem {folder}/key.pem\n")
}

/// An operator's own configuration, with the log of ours among its options, a site of its own and the snippet.
fn importing_configuration() -> String {
    let (_, log) = CADDYFILE.split_once("\n{\n").expect("options");
    let (log, _) = log.split_once("\n}\n").expect("the end of the options");
    let own = free_address();
    format!("{OPTIONS}{log}\n}}\n\nhttp://{own} {{\n\trespond own\n}}\n\nimport vidence.caddy\n")
}

/// Replaces texts that occur exactly once.
fn replaced(text: &str, changes: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    text
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

fn assert_valid(file: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let checked = command(folder.path())
        .args(["validate", "--adapter", "caddyfile", "--config"])
        .arg(file)
        .output()
        .expect("Caddy");
    assert!(checked.status.success(), "{checked:?}");
}

#[test]
fn the_caddyfile_is_valid() {
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/proxies");
    assert_valid(&deploy.join("Caddyfile"));
}

#[test]
fn the_caddy_snippet_is_valid_in_another_configuration() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("vidence.caddy"), SNIPPET).expect("a file");
    let file = folder.path().join("Caddyfile");
    fs::write(&file, importing_configuration()).expect("a file");
    assert_valid(&file);
}
