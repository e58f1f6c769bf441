//! The release binary as a child process.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use reqwest::{Certificate, ClientBuilder};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::clients::retrying_client::http_client_builder;
use crate::scale::TIMEOUT;

/// Lines of the server's log that are shown when a test fails.
const LOG_TAIL: usize = 40;

/// How a server is started.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Listening address; a free loopback one by default.
    pub address: Option<SocketAddr>,
    /// Path of the binary; the one under test by default.
    pub program: Option<PathBuf>,
    /// Flags beside `--listen`.
    pub flags: Vec<OsString>,
    /// Environment variables beside those of this process.
    pub variables: Vec<(&'static str, String)>,
    /// The certificate that it is given by a flag, if it serves HTTPS.
    pub certificate: Option<Certificate>,
    /// A program with arguments that execs the server, so that the process id stays the same.
    pub launcher: Vec<OsString>,
}

/// A server process that is killed on drop.
pub struct Node {
    settings: Settings,
    address: SocketAddr,
    log: TempDir,
    child: Option<Child>,
}

impl Node {
    /// Starts a server and waits until it answers.
    pub async fn start(settings: Settings) -> Self {
        let mut node = Self::new(settings);
        node.restart().await;
        node
    }

    /// Starts a server that may end by itself before it answers. `Err`: how it ended, and its output.
    pub async fn try_start(settings: Settings) -> Result<Self, (ExitStatus, String)> {
        let mut node = Self::new(settings);
        node.spawn();
        match node.wait_until_answering_or_ended().await {
            None => Ok(node),
            Some(ended) => Err((ended, node.log())),
        }
    }

    fn new(settings: Settings) -> Self {
        Self {
            address: settings.address.unwrap_or_else(free_address),
            settings,
            log: tempfile::tempdir().expect("a folder"),
            child: None,
        }
    }

    /// Kills the server if it runs, and starts it again at the same address with the same data.
    pub async fn restart(&mut self) {
        self.kill();
        self.spawn();
        let ended = self.wait_until_answering_or_ended().await;
        assert!(ended.is_none(), "the server ended by itself: {ended:?}");
    }

    fn spawn(&mut self) {
        let mut command_line = self.settings.launcher.clone();
        let program = self.settings.program.clone();
        command_line.push(program.unwrap_or_else(binary).into());
        command_line.extend(["--listen".into(), self.address.to_string().into()]);
        command_line.extend(self.settings.flags.iter().cloned());
        let log = self.log_file();
        let log = OpenOptions::new().create(true).append(true).open(log);
        let log = log.expect("a log");
        let child = Command::new(&command_line[0])
            .args(&command_line[1..])
            .envs(self.settings.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        let child = child
            .unwrap_or_else(|error| panic!("{} is needed: {error}", command_line[0].display()));
        self.child = Some(child);
    }

    /// Restarts the server with this launcher from now on; see [`Settings::launcher`].
    pub async fn restart_with_launcher(&mut self, launcher: Vec<OsString>) {
        self.settings.launcher = launcher;
        self.restart().await;
    }

    /// Stops the server gracefully, and starts another binary in its place.
    pub async fn upgrade_to(&mut self, program: PathBuf) {
        let child = self.child.as_mut().expect("a started server");
        kill_process(Pid::from_child(child), Signal::TERM).expect("a child process");
        let deadline = Instant::now() + TIMEOUT;
        let mut ticks = tokio::time::interval(Duration::from_millis(5));
        let stopped = loop {
            ticks.tick().await;
            match child.try_wait().expect("a child process") {
                Some(stopped) => break stopped,
                None => assert!(Instant::now() < deadline, "the server doesn't stop"),
            }
        };
        assert!(stopped.success(), "{stopped}");
        self.settings.program = Some(program);
        self.restart().await;
    }

    async fn wait_until_answering_or_ended(&mut self) -> Option<ExitStatus> {
        let client = self.client_builder().build().expect("a client");
        let url = format!("{}/healthz", self.url());
        let deadline = Instant::now() + TIMEOUT;
        let mut ticks = tokio::time::interval(Duration::from_millis(5));
        while client.get(&url).send().await.is_err() {
            if let Some(ended) = self.ended() {
                return Some(ended);
            }
            assert!(Instant::now() < deadline, "the server doesn't answer");
            ticks.tick().await;
        }
        None
    }

    /// Asserts that the process runs.
    pub fn assert_alive(&mut self) {
        let ended = self.ended();
        assert!(ended.is_none(), "the server ended by itself: {ended:?}");
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        let child = self.child.as_mut().expect("a started server");
        child.try_wait().expect("a child process")
    }

    /// Kills the process with SIGKILL, as an out-of-memory killer would.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("a child process");
            child.wait().expect("a child process");
        }
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("a started server").id()
    }

    /// Listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Base URL.
    pub fn url(&self) -> String {
        let scheme = match self.settings.certificate {
            None => "http",
            Some(_) => "https",
        };
        format!("{scheme}://{}", self.address)
    }

    /// The builder of a client that trusts its certificate.
    pub fn client_builder(&self) -> ClientBuilder {
        let builder = http_client_builder();
        match &self.settings.certificate {
            None => builder,
            Some(certificate) => builder.tls_certs_only([certificate.clone()]),
        }
    }

    /// Its output so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    fn log_file(&self) -> PathBuf {
        self.log.path().join("log")
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let log = self.log();
            let lines: Vec<&str> = log.lines().collect();
            let tail = lines.len().saturating_sub(LOG_TAIL);
            eprintln!("end of the server's log:\n{}", lines[tail..].join("\n"));
        }
    }
}

/// Path of the binary under test: `VIDENCE_BINARY`, else the release build.
pub fn binary() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = std::env::var_os("VIDENCE_BINARY")
        .map_or_else(|| here.join("../../target/release/vidence"), PathBuf::from);
    assert!(
        binary.is_file(),
        "{} is missing: `cargo xtask build` makes it",
        binary.display()
    );
    binary
}

/// Reserves a loopback port for the life of this process by a lock on a file.
///
/// Ports below the ephemeral range: the system hands out higher ones to outgoing connections, which could take the
/// port of a server that is down for a moment.
pub fn free_address() -> SocketAddr {
    static LOCKS: Mutex<Vec<File>> = Mutex::new(Vec::new());
    // Files of another user can't be locked.
    let user = rustix::process::geteuid().as_raw();
    let folder = std::env::temp_dir().join(format!("vidence-test-ports-{user}"));
    fs::create_dir_all(&folder).expect("a folder");
    let ports = std::iter::repeat_with(|| rand::random_range(10_000..30_000));
    let mut addresses = ports.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let free = addresses.find(|address| {
        let lock = File::create(folder.join(address.port().to_string())).expect("a file");
        let is_free = lock.try_lock().is_ok() && TcpListener::bind(address).is_ok();
        LOCKS
            .lock()
            .expect("not poisoned")
            .extend(is_free.then_some(lock));
        is_free
    });
    free.expect("a free port")
}
