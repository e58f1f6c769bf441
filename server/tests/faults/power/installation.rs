//! A server on a machine that can lose power, with all of its stores or beside a bucket elsewhere.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

use rand::rngs::StdRng;
use server::db::Db;

use super::machine::{FileSystem, Machine};
use crate::audit::Audit;
use crate::environment::operator::Operator;
use test_support::clients::ledger::Ledger;
use test_support::servers::node::binary;
use test_support::stores::bucket::{Bucket, files};

/// Port of PostgreSQL on its machine.
const POSTGRES_PORT: u16 = 5432;

/// Connections of an audit to PostgreSQL.
const AUDIT_CONNECTIONS: usize = 2;

/// A machine with a server that starts when it is turned on.
pub struct Installation {
    machine: Machine,
    /// The bucket, which has power of its own, if rows are in PostgreSQL on the machine. Otherwise all is in a folder.
    bucket: Option<Bucket>,
}

impl Installation {
    /// A server with SQLite and a folder on this file system.
    pub async fn sqlite(file_system: FileSystem) -> Self {
        Self {
            machine: Machine::new(file_system).await,
            bucket: None,
        }
    }

    /// A server and PostgreSQL on this file system, and a bucket on the host.
    pub async fn postgres_s3(file_system: FileSystem) -> Self {
        let machine = Machine::new(file_system).await;
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
                let host = self.machine.cable().host;
                let exported = bucket
                    .env()
                    .map(|(name, value)| format!("export {name}={value}\n"));
                let flags = format!(
                    "--database-url postgres://vidence@127.0.0.1:{POSTGRES_PORT}/postgres --blob-url {}",
                    bucket.url()
                );
                (
                    start_postgres(&host.to_string()) + &exported.concat(),
                    flags,
                )
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

    /// Turns the machine on, has `vidence check --deep` compare rows and objects, and compares them with the ledger.
    ///
    /// Panics unless the check finds all that the database names.
    pub async fn audit(&mut self, ledger: &Ledger) -> Audit {
        let Some(bucket) = &self.bucket else {
            let data = self.copy_checked_data().await;
            let db = Db::open_sqlite(&data.join("vidence.db")).await;
            let db = db.expect("a database");
            return Audit::run(&db, files(&data.join("blobs")), ledger).await;
        };
        let guest = self.machine.cable().guest;
        let url = format!("postgres://vidence@{guest}:{POSTGRES_PORT}/postgres");
        let operator = Operator::on_shared_stores(&url, bucket);
        self.turn_on().await;
        let (clean, report) = operator.check_deep().await;
        assert!(clean, "{report}");
        let url = url.parse().expect("an address");
        let db = Db::open_postgres(&url, AUDIT_CONNECTIONS).await;
        let bucket = self.bucket.as_ref().expect("a bucket");
        Audit::run(&db.expect("a database"), bucket.objects(), ledger).await
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
        assert_eq!(read("code").trim(), "0", "{}", read("check"));
        assert!(out.join("copied").exists());
        out.join("data")
    }
}

/// Commands that make PostgreSQL's cluster unless there is one, start it, and wait until it answers.
///
/// The host is let in, too: it audits the rows.
fn start_postgres(host: &str) -> String {
    format!(
        "cluster=/mnt/disk/postgres\n\
         export PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')\n\
         as_postgres='setpriv --reuid=postgres --regid=postgres --clear-groups'\n\
         if ! [ -e $cluster/made ]; then\n\
         rm -rf $cluster && install -d -o postgres -m 700 $cluster\n\
         $as_postgres initdb -D $cluster/data -A trust -U vidence --no-locale -E UTF8\n\
         echo 'host all all {host}/32 trust' >> $cluster/data/pg_hba.conf\n\
         touch $cluster/made && sync\n\
         fi\n\
         $as_postgres postgres -D $cluster/data -p {POSTGRES_PORT} -c listen_addresses='*' -c unix_socket_directories= &\n\
         until pg_isready -q -h 127.0.0.1 -p {POSTGRES_PORT}; do sleep 0.05; done\n"
    )
}

fn program() -> String {
    let program = binary().canonicalize().expect("a path");
    program.display().to_string()
}
