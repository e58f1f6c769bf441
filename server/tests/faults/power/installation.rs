//! A server on a machine that can lose power, with all of its stores or beside a bucket elsewhere.

use std::fs::{self, File};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use rand::rngs::StdRng;
use server::db::Db;

use super::machine::{FileSystem, Machine};
use crate::audit::Audit;
use crate::environment::operator::Operator;
use crate::environment::postgres_programs::{PostgresPrograms, ROLE};
use test_support::clients::ledger::Ledger;
use test_support::servers::node::binary;
use test_support::stores::bucket::{Bucket, files};

/// Port of PostgreSQL on its machine.
const POSTGRES_PORT: u16 = 5432;

/// The folder of PostgreSQL's data on the disk.
const CLUSTER: &str = "postgres";

/// Connections of an audit to PostgreSQL.
const AUDIT_CONNECTIONS: usize = 2;

/// A machine with a server that starts when it is turned on.
pub struct Installation {
    machine: Machine,
    /// The bucket, which has power of its own, if rows are in PostgreSQL on the machine.
    /// Otherwise all is in a folder.
    bucket: Option<Bucket>,
}

impl Installation {
    /// A server with SQLite and a folder on this file system.
    pub async fn sqlite(file_system: FileSystem) -> Self {
        Self {
            machine: Machine::new(file_system, None).await,
            bucket: None,
        }
    }

    /// A server and PostgreSQL on this file system, and a bucket on the host.
    pub async fn postgres_s3(file_system: FileSystem) -> Self {
        let content = tempfile::tempdir().expect("a folder");
        make_cluster(content.path());
        let machine = Machine::new(file_system, Some(content.path())).await;
        let bucket = Bucket::start_on(machine.cable().host).await;
        Self {
            machine,
            bucket: Some(bucket),
        }
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.machine.cable().server()
    }

    /// Turns the machine on, and waits until the server answers.
    pub async fn turn_on(&mut self) {
        let (start_stores, flags) = match &self.bucket {
            None => (String::new(), "--data-dir /mnt/disk/data".to_owned()),
            Some(bucket) => {
                let exported = bucket
                    .env()
                    .map(|(name, value)| format!("export {name}={value}\n"));
                let flags = format!(
                    "--database-url postgres://{ROLE}@127.0.0.1:{POSTGRES_PORT}/postgres --blob-url {}",
                    bucket.url()
                );
                (start_postgres() + &exported.concat(), flags)
            }
        };
        let address = self.address();
        let serve = format!(
            "{start_stores}\n\
             exec {} --listen {address} --public-url http://{address} {flags} --max-stored-bytes 1TiB \
             --max-creator-bytes 1TiB --min-free-bytes 0 --min-free-files 0 --max-takes 1000 --create-limit off \
             --read-limit off",
            program(),
        );
        self.machine.turn_on(&serve).await;
    }

    /// Cuts the power. Returns how many blocks of the disk have lost writes.
    pub async fn cut_power(&mut self, rng: &mut StdRng) -> usize {
        self.machine.cut_power(rng).await
    }

    /// Turns the machine on, and has `vidence check --deep` compare rows and objects.
    /// Returns a copy of the data folder, if all is in one.
    ///
    /// Panics unless the check finds all that the database names.
    pub async fn check(&mut self) -> Option<PathBuf> {
        let Some(bucket) = &self.bucket else {
            return Some(self.copy_checked_data().await);
        };
        let operator = Operator::on_shared_stores(&self.database_url(), bucket);
        self.turn_on().await;
        let (clean, report) = operator.check_deep().await;
        assert!(clean, "check --deep finds {report}");
        None
    }

    /// Turns the machine on, checks rows and objects, and compares them with the ledger.
    pub async fn audit(&mut self, ledger: &Ledger) -> Audit {
        if let Some(data) = self.check().await {
            let db = Db::open_sqlite(&data.join("vidence.db")).await;
            let db = db.expect("a database");
            return Audit::run(&db, files(&data.join("blobs")), ledger).await;
        }
        let url = self.database_url().parse().expect("an address");
        let db = Db::open_postgres(&url, AUDIT_CONNECTIONS).await;
        let bucket = self.bucket.as_ref().expect("a bucket");
        Audit::run(&db.expect("a database"), bucket.objects(), ledger).await
    }

    /// URL of PostgreSQL on the machine, for this host.
    fn database_url(&self) -> String {
        let guest = self.machine.cable().guest;
        format!("postgres://{ROLE}@{guest}:{POSTGRES_PORT}/postgres")
    }

    /// The data folder, checked and copied without the server.
    async fn copy_checked_data(&mut self) -> PathBuf {
        let out = self.machine.path("out");
        fs::create_dir(&out).expect("a folder");
        let folder = out.display();
        let check = format!(
            "{} check --deep --data-dir /mnt/disk/data > {folder}/check 2>&1; echo $? > {folder}/code\n\
             cp -a /mnt/disk/data {folder}/data && touch {folder}/copied",
            program()
        );
        self.machine.run(&check).await;
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_default();
        let (code, report) = (read("code"), read("check"));
        assert!(!code.is_empty(), "the check has not ended: {report}");
        assert_eq!(code.trim(), "0", "check --deep finds {report}");
        assert!(out.join("copied").exists());
        out.join("data")
    }
}

/// Makes a cluster for PostgreSQL in this folder: on the host, because it takes the machine ten seconds.
fn make_cluster(folder: &Path) {
    let programs = PostgresPrograms::find();
    programs.hand_over(folder);
    let data = folder.join(CLUSTER);
    programs.make_cluster(&data);
    // The host is let in, too: it audits the rows.
    let access = File::options().append(true).open(data.join("pg_hba.conf"));
    let written = access.and_then(|mut it| it.write_all(b"host all all samenet trust\n"));
    written.expect("a file");
}

/// Commands that start PostgreSQL, and wait until it answers.
fn start_postgres() -> String {
    let programs = PostgresPrograms::find();
    let folder = programs.folder.display();
    format!(
        "export PATH=$PATH:{folder}\n\
         setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D /mnt/disk/{CLUSTER} -p {POSTGRES_PORT} \
         -c listen_addresses=0.0.0.0 -c unix_socket_directories= &\n\
         until pg_isready -q -h 127.0.0.1 -p {POSTGRES_PORT} -U {ROLE}; do sleep 0.05; done\n"
    )
}

fn program() -> String {
    let program = binary().canonicalize().expect("a path");
    program.display().to_string()
}
