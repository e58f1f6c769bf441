//! The two environments of the fault tests.
//!
//! More than 300 lines: a constructor for each kind of environment.

pub mod failing_disk;
pub mod memory;
pub mod operator;
pub mod postgres_programs;
pub mod preloaded;
pub mod proxy;
pub mod replicated_postgres;
pub mod rows;
pub mod settings;
pub mod shifted_clock;
mod small_disk;
pub mod strace;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use server::db::Db;
use tempfile::TempDir;

use self::failing_disk::FailingDisk;
use self::operator::Operator;
use self::proxy::{Proxy, proxied};
use self::rows::Rows;
use self::settings::{serve_https, settings};
use self::shifted_clock::ShiftedClock;
use self::small_disk::small_disk;
use crate::audit::Audit;
use test_support::clients::ledger::Ledger;
use test_support::clients::retrying_client::RetryingClient;
use test_support::scale::TIMEOUT;
use test_support::servers::node::{Node, Settings, free_address};
use test_support::stores::bucket::{Bucket, files};
use test_support::stores::bucket_faults::BucketFaults;
use test_support::stores::database::fresh_database;

/// Name of the data folder of a single node.
const DATA: &str = "data";

/// Connections of an audit to PostgreSQL.
const AUDIT_CONNECTIONS: usize = 2;

/// Makes two tests of each scenario, one in each environment.
macro_rules! on_each_storage {
    ($($name:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::environment::Environment::sqlite().await).await;
            })*
        }

        mod postgres_s3 {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::environment::Environment::postgres_s3().await).await;
            })*
        }
    };
}

pub(crate) use on_each_storage;

/// Running servers with their stores.
pub struct Environment {
    pub nodes: Vec<Node>,
    store: Store,
    /// Owns the data folders.
    _folder: TempDir,
}

enum Store {
    /// SQLite and objects in this data folder.
    Folder(PathBuf),
    /// PostgreSQL and a bucket.
    Shared(Box<SharedStores>),
}

/// The stores of a cluster.
pub struct SharedStores {
    database_url: String,
    bucket: Bucket,
    /// Proxy between the nodes and the database, unless that has several hosts.
    database_proxy: Option<Proxy>,
    /// Proxy between the nodes and the bucket.
    pub bucket_proxy: Proxy,
}

impl SharedStores {
    /// Proxy between the nodes and the database.
    pub fn database_proxy(&self) -> &Proxy {
        self.database_proxy.as_ref().expect("a single host")
    }

    /// Faults of the bucket.
    pub fn bucket_faults(&self) -> &BucketFaults {
        self.bucket.faults()
    }
}

impl Environment {
    /// One server with SQLite and a folder.
    pub async fn sqlite() -> Self {
        Self::sqlite_with(|_, _| {}).await
    }

    /// Another one on stores of the same kind, which are empty.
    pub async fn renewed(self) -> Self {
        match self.store {
            Store::Folder(_) => Self::sqlite().await,
            Store::Shared(_) => Self::postgres_s3().await,
        }
    }

    /// A single server behind a proxy, whose address is its public one.
    pub async fn sqlite_behind_proxy() -> (Self, Proxy) {
        let address = free_address();
        let proxy = Proxy::to(address).await;
        let public_url = format!("http://{}", proxy.address());
        let change = |settings: &mut Settings, _: &Path| {
            settings.address = Some(address);
            let flags = ["--public-url".into(), public_url.into()];
            settings.flags.extend(flags);
        };
        (Self::sqlite_with(change).await, proxy)
    }

    /// A single server with further flags.
    pub async fn sqlite_with_flags(flags: &[&str]) -> Self {
        let flags = flags.iter().map(OsString::from);
        Self::sqlite_with(|settings, _| settings.flags.extend(flags)).await
    }

    /// A single server of this binary instead of the one under test.
    pub async fn sqlite_with_program(program: PathBuf) -> Self {
        Self::sqlite_with(|settings, _| settings.program = Some(program)).await
    }

    /// A single server started by this launcher; see [`Settings::launcher`].
    pub async fn sqlite_with_launcher(launcher: Vec<OsString>) -> Self {
        Self::sqlite_with(|settings, _| settings.launcher = launcher).await
    }

    /// A single server with its data on a disk of its own, with this `size=` option of a tmpfs.
    pub async fn sqlite_on_small_disk(size: &str) -> Self {
        let change = |settings: &mut Settings, data_dir: &Path| {
            fs::create_dir(data_dir).expect("a mount point");
            settings.launcher = small_disk(size, data_dir);
        };
        Self::sqlite_with(change).await
    }

    /// A single server with its data on a disk that can fail.
    pub async fn sqlite_on_failing_disk(disk: &FailingDisk) -> Self {
        let change = |settings: &mut Settings, data_dir: &Path| {
            settings.variables = disk.variables(data_dir);
        };
        Self::sqlite_with(change).await
    }

    /// A single server with a system clock that can jump.
    pub async fn sqlite_with_clock(clock: &ShiftedClock) -> Self {
        Self::sqlite_with(|settings, _| settings.variables = clock.variables()).await
    }

    /// A single server with a system clock that can jump, by HTTPS.
    pub async fn sqlite_with_clock_and_tls(clock: &ShiftedClock) -> Self {
        let change = |settings: &mut Settings, data_dir: &Path| {
            settings.variables = clock.variables();
            serve_https(settings, data_dir.parent().expect("a folder"));
        };
        Self::sqlite_with(change).await
    }

    /// A single server with changed settings; `change` also gets the path of the data folder.
    async fn sqlite_with(change: impl FnOnce(&mut Settings, &Path)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().join(DATA);
        let mut settings = settings(&data_dir);
        change(&mut settings, &data_dir);
        Self {
            nodes: vec![Node::start(settings).await],
            store: Store::Folder(data_dir),
            _folder: folder,
        }
    }

    /// Three nodes on one PostgreSQL database and one bucket, each store behind a proxy.
    pub async fn postgres_s3() -> Self {
        Self::postgres_s3_with_program(None).await
    }

    /// Like [`Self::postgres_s3`], with this binary instead of the one under test.
    pub async fn postgres_s3_with_program(program: Option<PathBuf>) -> Self {
        let database_url = fresh_database().await;
        let (proxy, proxied_url) = proxied(&database_url).await;
        Self::cluster(database_url, proxied_url, Some(proxy), program).await
    }

    /// Three nodes on this database, whose URL may have several hosts, and a bucket behind a proxy.
    pub async fn on_database(url: String) -> Self {
        Self::cluster(url.clone(), url, None, None).await
    }

    /// `node_url` is the database's URL for the nodes.
    async fn cluster(
        database_url: String,
        node_url: String,
        database_proxy: Option<Proxy>,
        program: Option<PathBuf>,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let bucket = Bucket::start().await;
        let (bucket_proxy, endpoint) = proxied(bucket.endpoint()).await;
        let mut variables = Vec::from(bucket.env());
        for (name, value) in &mut variables {
            if *name == "AWS_ENDPOINT_URL" {
                *value = endpoint.trim_end_matches('/').to_owned();
            }
        }
        let mut nodes = Vec::new();
        for name in ["one", "two", "three"] {
            let mut settings = settings(&folder.path().join(name));
            settings
                .flags
                .extend(["--database-url".into(), node_url.clone().into()]);
            settings
                .flags
                .extend(["--blob-url".into(), bucket.url().into()]);
            settings.variables.clone_from(&variables);
            settings.program.clone_from(&program);
            nodes.push(Node::start(settings).await);
        }
        let shared = SharedStores {
            database_url,
            bucket,
            database_proxy,
            bucket_proxy,
        };
        Self {
            nodes,
            store: Store::Shared(Box::new(shared)),
            _folder: folder,
        }
    }

    /// The stores of a cluster; `None` for a single server.
    pub fn shared(&self) -> Option<&SharedStores> {
        match &self.store {
            Store::Folder(_) => None,
            Store::Shared(shared) => Some(shared),
        }
    }

    /// A client that fails over between all nodes.
    pub fn client(&self) -> RetryingClient {
        RetryingClient::new(self.nodes.iter().map(Node::url))
    }

    /// The operator's commands with the stores of this environment.
    pub fn operator(&self) -> Operator {
        match &self.store {
            Store::Folder(data_dir) => Operator {
                flags: vec!["--data-dir".into(), data_dir.into()],
                variables: Vec::new(),
            },
            Store::Shared(it) => Operator::on_shared_stores(&it.database_url, &it.bucket),
        }
    }

    /// The operator's commands on the same disk.
    pub fn operator_on_failing_disk(&self, disk: &FailingDisk) -> Operator {
        let Store::Folder(data_dir) = &self.store else {
            panic!("no data folder on PostgreSQL and S3");
        };
        Operator {
            variables: disk.variables(data_dir),
            ..self.operator()
        }
    }

    /// Name of the environment in reports.
    pub fn name(&self) -> &'static str {
        match &self.store {
            Store::Folder(_) => "sqlite",
            Store::Shared(_) => "postgres_s3",
        }
    }

    /// Path of the data folder inside the server's mount namespace.
    pub fn mounted_data_dir(&self) -> PathBuf {
        let Store::Folder(data_dir) = &self.store else {
            panic!("no data folder on PostgreSQL and S3");
        };
        let root = format!("/proc/{}/root", self.nodes[0].id());
        let folder = data_dir.strip_prefix("/").expect("an absolute path");
        Path::new(&root).join(folder)
    }

    /// Copies the data folder out of the server's mount namespace.
    /// SQLite can't open it through `/proc/…/root`, because it resolves the link.
    pub fn copy_data_out(&self) {
        let (mounted_data_dir, Store::Folder(data_dir)) = (self.mounted_data_dir(), &self.store)
        else {
            return;
        };
        for file in files(&mounted_data_dir) {
            let to = data_dir.join(
                file.strip_prefix(&mounted_data_dir)
                    .expect("a file below it"),
            );
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(file, to).expect("a copy");
        }
        // SQLite rebuilds the index of the WAL.
        fs::remove_file(data_dir.join("vidence.db-shm")).expect("an index");
    }

    /// Opens the database.
    pub async fn db(&self) -> Db {
        let db = match &self.store {
            Store::Folder(data) => Db::open_sqlite(&data.join("vidence.db")).await,
            Store::Shared(it) => {
                let url = it.database_url.parse().expect("an address");
                Db::open_postgres(&url, AUDIT_CONNECTIONS).await
            }
        };
        db.expect("an openable database")
    }

    /// The rows, for changes beside the servers.
    pub fn rows(&self) -> Rows {
        match &self.store {
            Store::Folder(data) => Rows::Sqlite(data.join("vidence.db")),
            Store::Shared(it) => Rows::Postgres(it.database_url.clone()),
        }
    }

    /// Files of the stored objects.
    pub fn objects(&self) -> Vec<PathBuf> {
        match &self.store {
            Store::Folder(data) => files(&data.join("blobs")),
            Store::Shared(it) => it.bucket.objects(),
        }
    }

    /// The bytes of the SQLite file and its log; 0 where the database is elsewhere.
    pub fn database_bytes(&self) -> u64 {
        let Store::Folder(data) = &self.store else {
            return 0;
        };
        let files = ["vidence.db", "vidence.db-wal"].map(|it| fs::metadata(data.join(it)));
        files.into_iter().flatten().map(|it| it.len()).sum()
    }

    /// Compares the stored data with the ledger, when all clients are done.
    /// An interrupted append may still be ending, so it repeats until at most `orphans` are left.
    pub async fn audit(&self, ledger: &Ledger, orphans: usize) -> Audit {
        let db = self.db().await;
        let deadline = Instant::now() + TIMEOUT;
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        loop {
            let audit = Audit::run(&db, self.objects(), ledger).await;
            let is_settled = audit.orphans.len() <= orphans && audit.leftovers.is_empty();
            if is_settled || Instant::now() > deadline {
                return audit;
            }
            ticks.tick().await;
        }
    }
}
