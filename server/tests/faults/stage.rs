//! The two set-ups, and what all scenarios do with them.

use std::ffi::OsString;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reqwest::Url;
use server::db::Db;
use tempfile::TempDir;

use super::audit::Audit;
use super::disk::small_disk;
use super::proxy::Proxy;
use test_support::bucket::{Bucket, files};
use test_support::callers::Callers;
use test_support::database::fresh_database;
use test_support::ledger::Ledger;
use test_support::node::{Node, Settings, binary, free_address};
use test_support::scale::PATIENCE;

/// A laptop's data folder.
const DATA: &str = "data";

/// Connections of an audit to PostgreSQL.
const AUDITORS: usize = 2;

/// How long what lost its sender may take to go.
const SETTLING: Duration = Duration::from_secs(5);

/// Makes two tests of each scenario, one on each set-up.
macro_rules! on_both_stages {
    ($($name:ident)*) => {
        mod laptop {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::stage::Stage::laptop().await).await;
            })*
        }

        mod cluster {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::stage::Stage::cluster().await).await;
            })*
        }
    };
}

pub(crate) use on_both_stages;

/// Servers, and what they stand on.
pub struct Stage {
    /// The servers.
    pub nodes: Vec<Node>,
    store: Store,
    /// Holds the data folders.
    _folder: TempDir,
}

enum Store {
    /// SQLite and objects in this data folder.
    Folder(PathBuf),
    /// PostgreSQL and a bucket.
    Shared(Box<Shared>),
}

/// What the nodes of a cluster share.
pub struct Shared {
    database_url: String,
    bucket: Bucket,
    /// The nodes' way to the database.
    pub to_database: Proxy,
    /// The nodes' way to the bucket.
    pub to_bucket: Proxy,
}

impl Stage {
    /// One server with SQLite and a folder.
    pub async fn laptop() -> Self {
        Self::laptop_by(Vec::new()).await
    }

    /// Likewise, and a proxy as the only address that the server knows of itself.
    pub async fn laptop_behind_a_proxy() -> (Self, Proxy) {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join(DATA);
        let address = free_address();
        let proxy = Proxy::to(address).await;
        let mut settings = settings(&data_dir);
        settings.address = Some(address);
        let outside = format!("http://{}", proxy.address());
        settings
            .flags
            .extend(["--public-url".into(), outside.into()]);
        let stage = Self {
            nodes: vec![Node::start(settings).await],
            store: Store::Folder(data_dir),
            _folder: folder,
        };
        (stage, proxy)
    }

    /// Likewise, with further flags.
    pub async fn laptop_with(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join(DATA);
        let mut settings = settings(&data_dir);
        settings.flags.extend(flags.iter().map(OsString::from));
        Self {
            nodes: vec![Node::start(settings).await],
            store: Store::Folder(data_dir),
            _folder: folder,
        }
    }

    /// Likewise, of this program instead of the one to try.
    pub async fn laptop_of(program: PathBuf) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join(DATA);
        let settings = Settings {
            program: Some(program),
            ..settings(&data_dir)
        };
        Self {
            nodes: vec![Node::start(settings).await],
            store: Store::Folder(data_dir),
            _folder: folder,
        }
    }

    /// Likewise, started by this launcher: see [`Settings`].
    pub async fn laptop_by(launcher: Vec<OsString>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join(DATA);
        let settings = Settings {
            launcher,
            ..settings(&data_dir)
        };
        Self {
            nodes: vec![Node::start(settings).await],
            store: Store::Folder(data_dir),
            _folder: folder,
        }
    }

    /// Likewise, with the data on a disk of its own, of this size in the words of `mount`.
    pub async fn laptop_with_disk(size: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join(DATA);
        fs::create_dir(&data_dir).expect("a place for a disk");
        let settings = Settings {
            launcher: small_disk(size, &data_dir),
            ..settings(&data_dir)
        };
        Self {
            nodes: vec![Node::start(settings).await],
            store: Store::Folder(data_dir),
            _folder: folder,
        }
    }

    /// Two nodes with one PostgreSQL database and one bucket, each behind a proxy.
    pub async fn cluster() -> Self {
        Self::cluster_of(None).await
    }

    /// Likewise, of this program instead of the one to try.
    pub async fn cluster_of(program: Option<PathBuf>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let database_url = fresh_database().await;
        let bucket = Bucket::start().await;
        let (to_database, by_proxy) = proxied(&database_url).await;
        let (to_bucket, endpoint) = proxied(bucket.endpoint()).await;
        let mut variables = Vec::from(bucket.env());
        for (name, value) in &mut variables {
            if *name == "AWS_ENDPOINT_URL" {
                *value = endpoint.trim_end_matches('/').to_owned();
            }
        }
        let mut nodes = Vec::new();
        for name in ["one", "two"] {
            let mut settings = settings(&folder.path().join(name));
            settings
                .flags
                .extend(["--database-url".into(), by_proxy.clone().into()]);
            settings
                .flags
                .extend(["--blob-url".into(), bucket.url().into()]);
            settings.variables.clone_from(&variables);
            settings.program.clone_from(&program);
            nodes.push(Node::start(settings).await);
        }
        let shared = Shared {
            database_url,
            bucket,
            to_database,
            to_bucket,
        };
        Self {
            nodes,
            store: Store::Shared(Box::new(shared)),
            _folder: folder,
        }
    }

    /// What the nodes share, if there are several.
    pub fn shared(&self) -> Option<&Shared> {
        match &self.store {
            Store::Folder(_) => None,
            Store::Shared(shared) => Some(shared),
        }
    }

    /// Callers who know all doors.
    pub fn callers(&self) -> Callers {
        Callers::at(self.nodes.iter().map(Node::url))
    }

    /// Takes requests down beside the servers.
    pub fn operator(&self) -> Operator {
        let (flags, variables) = match &self.store {
            Store::Folder(data_dir) => (vec!["--data-dir".into(), data_dir.into()], Vec::new()),
            Store::Shared(it) => {
                let blobs = it.bucket.url();
                let database = it.database_url.clone();
                let flags = ["--database-url", &database, "--blob-url", &blobs];
                (
                    flags.map(OsString::from).to_vec(),
                    Vec::from(it.bucket.env()),
                )
            }
        };
        Operator { flags, variables }
    }

    /// What it is, for a report.
    pub fn name(&self) -> &'static str {
        match &self.store {
            Store::Folder(_) => "laptop",
            Store::Shared(_) => "cluster",
        }
    }

    /// Where the data folder of a laptop lies for us when its disk is the server's alone.
    pub fn inside(&self) -> PathBuf {
        let Store::Folder(data_dir) = &self.store else {
            panic!("only a laptop has a disk of its own");
        };
        let world = format!("/proc/{}/root", self.nodes[0].id());
        let folder = data_dir.strip_prefix("/").expect("an absolute path");
        Path::new(&world).join(folder)
    }

    /// Copies everything from there to where an audit sees it: SQLite would follow the path out of the
    /// server's world.
    pub fn bring_out(&self) {
        let (inside, Store::Folder(data_dir)) = (self.inside(), &self.store) else {
            return;
        };
        for file in files(&inside) {
            let to = data_dir.join(file.strip_prefix(&inside).expect("a file below it"));
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(file, to).expect("a copy");
        }
        // The index of SQLite's log is made anew from the log.
        fs::remove_file(data_dir.join("vidence.db-shm")).expect("an index");
    }

    /// The rows.
    pub async fn db(&self) -> Db {
        let db = match &self.store {
            Store::Folder(data) => Db::open_sqlite(&data.join("vidence.db")).await,
            Store::Shared(it) => {
                let url = it.database_url.parse().expect("an address");
                Db::open_postgres(&url, AUDITORS).await
            }
        };
        db.expect("an openable database")
    }

    /// Compares what is stored with what was acknowledged. Everybody must be done; only a body that
    /// lost its sender, or a race, may still be on its way out, and is waited for until no more than
    /// `orphans` are left.
    pub async fn audit(&self, ledger: &Ledger, orphans: usize) -> Audit {
        let db = self.db().await;
        let patience = Instant::now() + SETTLING;
        let mut pace = tokio::time::interval(Duration::from_millis(20));
        loop {
            let objects = match &self.store {
                Store::Folder(data) => files(&data.join("blobs")),
                Store::Shared(it) => it.bucket.objects(),
            };
            let audit = Audit::of(&db, objects, ledger).await;
            let is_settled = audit.orphans.len() <= orphans && audit.left.is_empty();
            if is_settled || Instant::now() > patience {
                return audit;
            }
            pace.tick().await;
        }
    }
}

/// Who runs the servers, with the commands that work beside them.
pub struct Operator {
    flags: Vec<OsString>,
    variables: Vec<(&'static str, String)>,
}

impl Operator {
    /// Takes a request down. Killed after `life`, it is done once more.
    pub async fn take_down(&self, request: &str, life: Duration) {
        let run = || {
            let mut command = tokio::process::Command::new(binary());
            let command = command.args(["takedown", request]).args(&self.flags);
            let command = command.envs(self.variables.iter().cloned());
            command.kill_on_drop(true).output()
        };
        if tokio::time::timeout(life, run())
            .await
            .is_ok_and(|it| it.is_ok_and(|it| it.status.success()))
        {
            return;
        }
        let patience = Instant::now() + PATIENCE;
        loop {
            let ended = run().await.expect("a command");
            if ended.status.success() {
                return;
            }
            // What it needs may be locked for a moment.
            assert!(Instant::now() < patience, "{ended:?}");
        }
    }
}

/// Without limits that a test could meet.
fn settings(data_dir: &Path) -> Settings {
    let unlimited = OsString::from((1_u64 << 50).to_string());
    let flags = [
        ("--data-dir", data_dir.into()),
        ("--max-stored-bytes", unlimited.clone()),
        ("--min-free-bytes", "0".into()),
        ("--min-free-files", "0".into()),
        ("--max-takes", "1000".into()),
        // All callers come from one address here.
        ("--create-limit", "off".into()),
        ("--read-limit", "off".into()),
        ("--max-creator-bytes", unlimited),
    ];
    let flags = flags.into_iter();
    Settings {
        flags: flags
            .flat_map(|(flag, value)| [flag.into(), value])
            .collect(),
        ..Settings::default()
    }
}

/// A proxy to the host of a URL, and the URL that leads through it.
async fn proxied(url: &str) -> (Proxy, String) {
    let mut url = Url::parse(url).expect("a URL");
    let host = url.host_str().expect("a host").to_owned();
    let port = url.port_or_known_default().expect("a port");
    let mut found = tokio::net::lookup_host((host, port))
        .await
        .expect("a resolvable host");
    let target: SocketAddr = found.next().expect("an address");
    let proxy = Proxy::to(target).await;
    let address = proxy.address();
    url.set_ip_host(address.ip()).expect("a URL with a host");
    url.set_port(Some(address.port()))
        .expect("a URL with a host");
    (proxy, url.into())
}
