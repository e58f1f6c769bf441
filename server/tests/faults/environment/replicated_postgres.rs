//! Two PostgreSQL clusters, one of which follows the other by synchronous replication until it takes over.
//!
//! A machine that fails is all processes of a cluster killed at once. Its data are then thrown away, and it joins again
//! as a copy of the cluster that has taken over.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::postgres_programs::{PostgresPrograms, ROLE, run};
use test_support::scale::TIMEOUT;
use test_support::servers::node::free_address;

/// Name of the database.
const DATABASE: &str = "evidence";

/// A primary, and a standby that has everything before the primary acknowledges it.
pub struct ReplicatedPostgres {
    programs: PostgresPrograms,
    folder: TempDir,
    primary: Cluster,
    standby: Cluster,
}

/// One cluster, on a port that it keeps.
struct Cluster {
    name: &'static str,
    port: u16,
    server: Option<Child>,
}

impl ReplicatedPostgres {
    /// Starts both with an empty database.
    pub fn start() -> Self {
        let programs = PostgresPrograms::find();
        let folder = tempfile::tempdir().expect("a folder");
        programs.hand_over(folder.path());
        let cluster = |name| Cluster {
            name,
            port: free_address().port(),
            server: None,
        };
        let mut clusters = Self {
            programs,
            folder,
            primary: cluster("one"),
            standby: cluster("two"),
        };
        let data = clusters.data_dir(&clusters.primary);
        clusters.programs.make_cluster(&data);
        clusters.primary.server = Some(clusters.serve(&clusters.primary));
        clusters.wait_until(&clusters.primary, "SELECT 1", "1");
        let create = format!("CREATE DATABASE {DATABASE}");
        clusters
            .sql(&clusters.primary, &create)
            .expect("a database");
        clusters.add_standby();
        clusters
    }

    /// URL of the database that names both clusters.
    pub fn url(&self) -> String {
        let mut ports = [self.primary.port, self.standby.port];
        ports.sort_unstable();
        let hosts = ports.map(|port| format!("127.0.0.1:{port}")).join(",");
        format!("postgres://{ROLE}@{hosts}/{DATABASE}?target_session_attrs=read-write")
    }

    /// Kills every process of the primary at once.
    pub fn kill_primary(&mut self) {
        let mut server = self.primary.server.take().expect("a running primary");
        let mut processes = children(server.id());
        processes.insert(0, Pid::from_child(&server));
        for process in processes {
            // Fails for one that has ended by itself.
            let _ = kill_process(process, Signal::KILL);
        }
        server.wait().expect("a child process");
    }

    /// Makes the standby the primary, which then acknowledges alone.
    pub fn promote_standby(&mut self) {
        let promote = "SELECT pg_promote()";
        let promoted = self.sql(&self.standby, promote);
        assert_eq!(promoted.as_deref(), Some("t"));
        std::mem::swap(&mut self.primary, &mut self.standby);
    }

    /// Adds a standby, with a fresh copy of the primary, and waits until it must have everything.
    pub fn add_standby(&mut self) {
        let data = self.data_dir(&self.standby);
        let _ = fs::remove_dir_all(&data);
        let mut copy = self.programs.command("pg_basebackup");
        let port = self.primary.port.to_string();
        run(copy
            .args(["-h", "127.0.0.1", "-p", &port, "-U", ROLE])
            .args(["--checkpoint=fast", "-X", "stream", "-R", "-D"])
            .arg(data));
        self.standby.server = Some(self.serve(&self.standby));
        let is_streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
        self.wait_until(&self.primary, is_streaming, "1");
        for change in [
            "ALTER SYSTEM SET synchronous_standby_names = '*'",
            "SELECT pg_reload_conf()",
        ] {
            self.sql(&self.primary, change).expect("a changed setting");
        }
        let is_synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        self.wait_until(&self.primary, is_synchronous, "1");
    }

    fn data_dir(&self, cluster: &Cluster) -> PathBuf {
        self.folder.path().join(cluster.name)
    }

    fn serve(&self, cluster: &Cluster) -> Child {
        let log = self.folder.path().join(format!("{}.log", cluster.name));
        let log = File::options().create(true).append(true).open(log);
        let log = log.expect("a file");
        let settings = [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=100",
        ];
        let mut postgres = self.programs.command("postgres");
        let server = postgres
            .arg("-D")
            .arg(self.data_dir(cluster))
            .args(["-p", &cluster.port.to_string()])
            .args(settings.iter().flat_map(|it| ["-c", it]))
            .stdout(log.try_clone().expect("a file"))
            .stderr(log)
            .spawn();
        server.expect("PostgreSQL")
    }

    /// What a statement returns, or `None` if the cluster doesn't answer.
    fn sql(&self, cluster: &Cluster, statement: &str) -> Option<String> {
        let mut psql = self.programs.command("psql");
        let port = cluster.port.to_string();
        let psql = psql
            .args(["-h", "127.0.0.1", "-p", &port, "-U", ROLE])
            .args([
                "-d",
                "postgres",
                "-v",
                "ON_ERROR_STOP=1",
                "-Atqc",
                statement,
            ]);
        let answer = psql.stderr(Stdio::null()).output().expect("psql");
        let text = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        answer.status.success().then_some(text)
    }

    fn wait_until(&self, cluster: &Cluster, statement: &str, want: &str) {
        let deadline = Instant::now() + TIMEOUT;
        while self.sql(cluster, statement).as_deref() != Some(want) {
            assert!(Instant::now() < deadline, "not {want}: {statement}");
        }
    }
}

impl Drop for ReplicatedPostgres {
    fn drop(&mut self) {
        for cluster in [&mut self.primary, &mut self.standby] {
            if let Some(mut server) = cluster.server.take() {
                // An immediate shutdown, which also ends its children.
                let _ = kill_process(Pid::from_child(&server), Signal::QUIT);
                let _ = server.wait();
            }
        }
    }
}

/// The child processes of a process.
fn children(process: u32) -> Vec<Pid> {
    let list = format!("/proc/{process}/task/{process}/children");
    let list = fs::read_to_string(list).unwrap_or_default();
    let ids = list.split_whitespace().filter_map(|it| it.parse().ok());
    ids.filter_map(Pid::from_raw).collect()
}
