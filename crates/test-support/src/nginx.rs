//! nginx as we ship it, with other addresses and another certificate.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const SHIPPED: &str = include_str!("../../../server/deploy/nginx.conf");

/// It starts at once, or not at all.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running one. Stopped when dropped.
pub struct Nginx {
    process: Child,
    folder: TempDir,
}

/// Where callers find it.
enum Front<'a> {
    /// By HTTPS, with this certificate and its key, in PEM.
    Encrypted(&'a str, &'a str),
    Plain,
}

impl Nginx {
    /// Takes HTTPS at `address` and asks these nodes. Certificate and key are PEM.
    pub fn encrypted(
        address: SocketAddr,
        nodes: &[SocketAddr],
        certificate: &str,
        key: &str,
    ) -> Self {
        Self::start(address, nodes, &Front::Encrypted(certificate, key))
    }

    /// Likewise, without encryption.
    pub fn plain(address: SocketAddr, nodes: &[SocketAddr]) -> Self {
        Self::start(address, nodes, &Front::Plain)
    }

    fn start(address: SocketAddr, nodes: &[SocketAddr], front: &Front) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(folder.path(), address, nodes, front);
        let file = folder.path().join("nginx.conf");
        fs::write(&file, settings).expect("a file");
        let said = File::create(folder.path().join("said")).expect("a file");
        let process = Command::new(program())
            .args(["-g", "daemon off;", "-e"])
            .arg(folder.path().join("error.log"))
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .stderr(said)
            .spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("nginx is needed, and `cargo xtask setup --all` brings it: {error}")
        });
        let mut nginx = Self { process, folder };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = nginx.process.try_wait().expect("a child of ours");
            assert!(ended.is_none(), "nginx ended: {}", nginx.log());
            assert!(start.elapsed() < PATIENCE, "nginx doesn't listen");
            std::thread::yield_now();
        }
        nginx
    }

    /// Everything that it has written down.
    pub fn log(&self) -> String {
        let files = ["said", "error.log", "access.log"];
        let read = |name| fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
        files.map(read).concat()
    }

    /// Its process, whose children do the work.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Told, and not killed: it has workers to stop.
        let id = i32::try_from(self.process.id()).ok();
        if let Some(id) = id.and_then(Pid::from_raw) {
            let _ = kill_process(id, Signal::TERM);
        }
        let _ = self.process.wait();
    }
}

/// What we ship, but for what is the operator's own.
fn settings(folder: &Path, address: SocketAddr, nodes: &[SocketAddr], front: &Front) -> String {
    let place = folder.display();
    let node = |it: &SocketAddr| format!("server {it} max_fails=1 fail_timeout=5s;");
    let nodes: String = nodes.iter().map(node).collect();
    // It makes all of its folders at the start, needed or not.
    let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let scratch = scratch.map(|name| format!("{name}_temp_path {place}/{name};"));
    let mut settings = SHIPPED.to_owned();
    let mut change = |from: &str, to: &str| {
        let found = settings.matches(from).count();
        assert_eq!(found, 1, "nginx.conf has {found} times: {from}");
        settings = settings.replace(from, to);
    };
    change("user www-data;\n", "");
    change("/run/nginx.pid", &format!("{place}/pid"));
    change("/var/log/nginx/error.log", &format!("{place}/error.log"));
    change("/var/log/nginx/access.log", &format!("{place}/access.log"));
    change("http {\n", &format!("http {{\n{}\n", scratch.concat()));
    change("server 127.0.0.1:3000 max_fails=1 fail_timeout=5s;", &nodes);
    // Whoever asks without encryption is sent elsewhere: a port that nobody else may have.
    change("listen 80;", &format!("listen unix:{place}/http;"));
    change("listen [::]:80;", "");
    change("listen [::]:443 ssl http2;", "");
    let pem = |name: &str| format!("/etc/letsencrypt/live/evidence.example.org/{name}.pem");
    match front {
        Front::Encrypted(certificate, key) => {
            fs::write(folder.join("certificate.pem"), certificate).expect("a file");
            fs::write(folder.join("key.pem"), key).expect("a file");
            change(
                "listen 443 ssl http2;",
                &format!("listen {address} ssl http2;"),
            );
            change(&pem("fullchain"), &format!("{place}/certificate.pem"));
            change(&pem("privkey"), &format!("{place}/key.pem"));
        }
        Front::Plain => {
            change("listen 443 ssl http2;", &format!("listen {address};"));
            let line = |name: &str, file: &str| format!("{name} {};\n", pem(file));
            change(&line("ssl_certificate", "fullchain"), "\n");
            change(&line("ssl_certificate_key", "privkey"), "\n");
        }
    }
    settings
}

fn program() -> PathBuf {
    // Debian keeps it out of the path of those who aren't root.
    let packaged = Path::new("/usr/sbin/nginx");
    match packaged.is_file() {
        true => packaged.to_owned(),
        false => "nginx".into(),
    }
}
