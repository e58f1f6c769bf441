//! nginx with the shipped `nginx.conf`, at other addresses and with another certificate.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::servers::listening::wait_until_listening;

const SHIPPED: &str = include_str!("../../../../server/deploy/proxies/nginx.conf");

const SNIPPET: &str = include_str!("../../../../server/deploy/proxies/vidence.nginx.conf");

/// A running nginx, stopped on drop.
pub struct Nginx {
    process: Child,
    folder: TempDir,
}

/// Protocol of the listener.
enum Protocol<'a> {
    /// HTTPS with this certificate and key, in PEM.
    Https(&'a str, &'a str),
    Http,
}

impl Nginx {
    /// Listens for HTTPS at `address`, in front of these nodes. Certificate and key are PEM.
    pub fn https(address: SocketAddr, nodes: &[SocketAddr], certificate: &str, key: &str) -> Self {
        Self::start(address, nodes, &Protocol::Https(certificate, key))
    }

    /// Listens for HTTP at `address`, in front of these nodes.
    pub fn http(address: SocketAddr, nodes: &[SocketAddr]) -> Self {
        Self::start(address, nodes, &Protocol::Http)
    }

    /// Listens for HTTPS at `address`, in front of this node, with the shipped snippet in another configuration.
    /// Certificate and key are PEM.
    pub fn including(address: SocketAddr, node: SocketAddr, certificate: &str, key: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = including_settings(folder.path(), address, node, certificate, key);
        Self::start_with(folder, address, settings)
    }

    fn start(address: SocketAddr, nodes: &[SocketAddr], protocol: &Protocol) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(folder.path(), address, nodes, protocol);
        Self::start_with(folder, address, settings)
    }

    fn start_with(folder: TempDir, address: SocketAddr, settings: String) -> Self {
        let file = folder.path().join("nginx.conf");
        fs::write(&file, settings).expect("a file");
        let stderr = File::create(folder.path().join("stderr")).expect("a file");
        let process = Command::new(program())
            .args(["-g", "daemon off;", "-e"])
            .arg(folder.path().join("error.log"))
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .stderr(stderr)
            .spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("nginx is needed, and `cargo xtask setup --all` brings it: {error}")
        });
        let mut nginx = Self { process, folder };
        wait_until_listening("nginx", &mut nginx.process, address, || {
            log_in(&nginx.folder)
        });
        nginx
    }

    /// Contents of stderr, error log and access log.
    pub fn log(&self) -> String {
        log_in(&self.folder)
    }

    /// Process id of the master, whose children are the workers.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGTERM, because SIGKILL would leave its workers behind.
        let id = i32::try_from(self.process.id()).ok();
        if let Some(id) = id.and_then(Pid::from_raw) {
            let _ = kill_process(id, Signal::TERM);
        }
        let _ = self.process.wait();
    }
}

fn log_in(folder: &TempDir) -> String {
    let files = ["stderr", "error.log", "access.log"];
    let read = |name| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    files.map(read).concat()
}

/// The shipped configuration, with only the operator's own settings replaced.
fn settings(
    folder: &Path,
    address: SocketAddr,
    nodes: &[SocketAddr],
    protocol: &Protocol,
) -> String {
    let root = folder.display();
    let node = |it: &SocketAddr| format!("server {it} max_fails=1 fail_timeout=5s;");
    let nodes: String = nodes.iter().map(node).collect();
    let mut settings = SHIPPED.to_owned();
    let mut change = |from: &str, to: &str| {
        let found = settings.matches(from).count();
        assert_eq!(found, 1, "nginx.conf has {found} times: {from}");
        settings = settings.replace(from, to);
    };
    change("user www-data;\n", "");
    change("/run/nginx.pid", &format!("{root}/pid"));
    change("/var/log/nginx/error.log", &format!("{root}/error.log"));
    change("/var/log/nginx/access.log", &format!("{root}/access.log"));
    change("http {\n", &format!("http {{\n{}\n", temp_paths(folder)));
    change("server 127.0.0.1:3000 max_fails=1 fail_timeout=5s;", &nodes);
    // The redirect from HTTP would need a port of its own.
    change("listen 80;", &format!("listen unix:{root}/http;"));
    change("listen [::]:80;", "");
    change("listen [::]:443 ssl http2;", "");
    let pem = |name: &str| format!("/etc/letsencrypt/live/evidence.example.org/{name}.pem");
    match protocol {
        Protocol::Https(certificate, key) => {
            fs::write(folder.join("certificate.pem"), certificate).expect("a file");
            fs::write(folder.join("key.pem"), key).expect("a file");
            change(
                "listen 443 ssl http2;",
                &format!("listen {address} ssl http2;"),
            );
            change(&pem("fullchain"), &format!("{root}/certificate.pem"));
            change(&pem("privkey"), &format!("{root}/key.pem"));
        }
        Protocol::Http => {
            change("listen 443 ssl http2;", &format!("listen {address};"));
            let line = |name: &str, file: &str| format!("{name} {};\n", pem(file));
            change(&line("ssl_certificate", "fullchain"), "\n");
            change(&line("ssl_certificate_key", "privkey"), "\n");
        }
    }
    settings
}

/// A configuration with logs as Debian and Nginx Proxy Manager have them, whose server block includes the shipped snippet.
fn including_settings(
    folder: &Path,
    address: SocketAddr,
    node: SocketAddr,
    certificate: &str,
    key: &str,
) -> String {
    let root = folder.display();
    let to_node = "proxy_pass http://127.0.0.1:3000;";
    assert_eq!(SNIPPET.matches(to_node).count(), 1);
    let snippet = SNIPPET.replace(to_node, &format!("proxy_pass http://{node};"));
    for (name, text) in [
        ("vidence.conf", &*snippet),
        ("certificate.pem", certificate),
        ("key.pem", key),
    ] {
        fs::write(folder.join(name), text).expect("a file");
    }
    format!(
        "pid {root}/pid;\nerror_log {root}/error.log;\nevents {{}}\nhttp {{\n{}\n\
         access_log {root}/access.log;\ngzip on;\nclient_max_body_size 1m;\n\
         server {{\nlisten {address} ssl http2;\nserver_name evidence.example.org;\n\
         ssl_certificate {root}/certificate.pem;\nssl_certificate_key {root}/key.pem;\n\
         access_log {root}/access.log;\nerror_log {root}/error.log warn;\n\
         include {root}/vidence.conf;\n}}\n}}\n",
        temp_paths(folder)
    )
}

/// The directives of the shipped `location /`, in `nginx.conf` and in the snippet.
/// A test compares them.
pub fn location_directives() -> [Vec<&'static str>; 2] {
    [SHIPPED, SNIPPET].map(|text| {
        let start = text.rfind("location / {").expect("a location");
        let lines = text[start..].lines().skip(1).map(str::trim);
        // What follows for some paths only is about several nodes, and the snippet has one.
        let lines = lines.take_while(|it| *it != "}" && !it.starts_with("location"));
        let lines = lines.filter(|it| !it.is_empty() && !it.starts_with('#'));
        lines.collect()
    })
}

/// Directives that put nginx's temporary folders into `folder`: nginx creates all of them at the start, needed or not.
pub fn temp_paths(folder: &Path) -> String {
    let root = folder.display();
    let names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    names
        .map(|name| format!("{name}_temp_path {root}/{name};"))
        .concat()
}

/// Path of the nginx program.
pub fn program() -> PathBuf {
    // Debian installs it outside of the `PATH` of users other than root.
    let packaged = Path::new("/usr/sbin/nginx");
    match packaged.is_file() {
        true => packaged.to_owned(),
        false => "nginx".into(),
    }
}
