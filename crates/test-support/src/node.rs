//! One server: the real binary, in a process of its own.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::callers::client;
use crate::scale::PATIENCE;

/// Lines of its log that are shown when a test fails.
const LOG_TAIL: usize = 40;

/// How a server is run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where it listens; else somewhere.
    pub address: Option<SocketAddr>,
    /// Another program than the server to try.
    pub program: Option<PathBuf>,
    /// Its other flags.
    pub flags: Vec<OsString>,
    /// Its variables beside ours.
    pub variables: Vec<(&'static str, String)>,
    /// A program and its arguments that turns into the server, so that the process stays the same one.
    pub launcher: Vec<OsString>,
}

/// A server that is killed when dropped.
pub struct Node {
    settings: Settings,
    address: SocketAddr,
    log: TempDir,
    child: Option<Child>,
}

impl Node {
    /// Starts one and waits until it answers.
    pub async fn start(settings: Settings) -> Self {
        let mut node = Self {
            address: settings.address.unwrap_or_else(free_address),
            settings,
            log: tempfile::tempdir().expect("a folder"),
            child: None,
        };
        node.restart().await;
        node
    }

    /// Starts it again, at the same address and on the same data, as it is now or as it was left.
    pub async fn restart(&mut self) {
        self.kill();
        let mut words = self.settings.launcher.clone();
        let program = self.settings.program.clone();
        words.push(program.unwrap_or_else(binary).into());
        words.extend(["--listen".into(), self.address.to_string().into()]);
        words.extend(self.settings.flags.iter().cloned());
        let log = self.log_file();
        let log = OpenOptions::new().create(true).append(true).open(log);
        let log = log.expect("a log");
        let child = Command::new(&words[0])
            .args(&words[1..])
            .envs(self.settings.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn();
        let child =
            child.unwrap_or_else(|error| panic!("{} is needed: {error}", words[0].display()));
        self.child = Some(child);
        self.answers().await;
    }

    /// Likewise, by this launcher from now on: see [`Settings`].
    pub async fn restart_by(&mut self, launcher: Vec<OsString>) {
        self.settings.launcher = launcher;
        self.restart().await;
    }

    /// Tells it to stop, waits until it has, and starts this program in its place.
    pub async fn replace_by(&mut self, program: PathBuf) {
        let child = self.child.as_mut().expect("a started server");
        kill_process(Pid::from_child(child), Signal::TERM).expect("a child of ours");
        let patience = Instant::now() + PATIENCE;
        let mut pace = tokio::time::interval(Duration::from_millis(5));
        let stopped = loop {
            pace.tick().await;
            match child.try_wait().expect("a child of ours") {
                Some(stopped) => break stopped,
                None => assert!(Instant::now() < patience, "a server that doesn't stop"),
            }
        };
        assert!(stopped.success(), "{stopped}");
        self.settings.program = Some(program);
        self.restart().await;
    }

    async fn answers(&mut self) {
        let (url, client) = (format!("{}/healthz", self.url()), client());
        let patience = Instant::now() + PATIENCE;
        let mut pace = tokio::time::interval(Duration::from_millis(5));
        while client.get(&url).send().await.is_err() {
            self.assert_alive();
            assert!(Instant::now() < patience, "a server that doesn't answer");
            pace.tick().await;
        }
    }

    /// Checks that it runs as it should.
    pub fn assert_alive(&mut self) {
        let child = self.child.as_mut().expect("a started server");
        let ended = child.try_wait().expect("a child of ours");
        assert!(ended.is_none(), "the server ended by itself: {ended:?}");
    }

    /// Kills it, as the system would when it runs out of memory: no last words.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("a child of ours");
            child.wait().expect("a child of ours");
        }
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("a started server").id()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where callers find it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it has written down.
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
            eprintln!("the server's last words:\n{}", lines[tail..].join("\n"));
        }
    }
}

/// The server to try.
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

/// A loopback port that stays free while nothing listens on it, until this process ends. The system hands out the higher
/// ones as the near ends of connections, so that a server that is down for a moment could lose such a port; and of the
/// lower ones each test takes another, by a lock on a file.
pub fn free_address() -> SocketAddr {
    static TAKEN: Mutex<Vec<File>> = Mutex::new(Vec::new());
    let folder = std::env::temp_dir().join("vidence-test-ports");
    fs::create_dir_all(&folder).expect("a folder");
    let ports = std::iter::repeat_with(|| rand::random_range(10_000..30_000));
    let mut addresses = ports.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let free = addresses.find(|address| {
        let lock = File::create(folder.join(address.port().to_string())).expect("a file");
        let is_free = lock.try_lock().is_ok() && TcpListener::bind(address).is_ok();
        TAKEN
            .lock()
            .expect("no panic elsewhere")
            .extend(is_free.then_some(lock));
        is_free
    });
    free.expect("an endless supply of ports")
}
