//! A sample of what a server holds: memory, files, threads, children, disk, rows.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};

use crate::process;

/// One sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Time since the load began.
    pub at: Duration,
    /// Anonymous memory in bytes.
    pub memory: u64,
    pub files: usize,
    pub threads: usize,
    pub children: usize,
    /// CPU time since the start of the process.
    pub cpu_time: Duration,
    /// Disk usage of objects in bytes.
    pub objects: u64,
    /// Disk usage of the database with its log, in bytes.
    pub database: u64,
    /// Number of rows by table.
    pub rows: BTreeMap<String, i64>,
}

/// Process and data folder of the sampled server.
#[derive(Clone, Debug)]
pub struct ServerUnderTest {
    pub process: u32,
    pub folder: PathBuf,
}

#[derive(QueryableByName)]
struct Table {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

impl ServerUnderTest {
    pub fn sample(&self, at: Duration) -> Result<Sample> {
        Ok(Sample {
            at,
            memory: process::rss_anon(self.process)?,
            files: process::open_files(self.process)?,
            threads: process::threads(self.process)?,
            children: process::children(self.process)?,
            cpu_time: process::cpu_time(self.process)?,
            objects: disk_usage(&self.folder.join("blobs"))?,
            database: ["vidence.db", "vidence.db-wal", "vidence.db-shm"]
                .iter()
                .map(|name| disk_usage(&self.folder.join(name)))
                .sum::<Result<u64>>()?,
            rows: self.rows()?,
        })
    }

    /// Counts the rows of every table.
    fn rows(&self) -> Result<BTreeMap<String, i64>> {
        let database = self.folder.join("vidence.db");
        let database = format!("file:{}?mode=ro", database.display());
        let mut conn = SqliteConnection::establish(&database)?;
        let tables = sql_query(
            "SELECT name FROM sqlite_master WHERE type = 'table' \
             AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%diesel%'",
        );
        let tables: Vec<Table> = tables.load(&mut conn)?;
        let count = |Table { name }| {
            let count = sql_query(format!("SELECT COUNT(*) AS rows FROM \"{name}\""));
            let count: Count = count.get_result(&mut conn)?;
            Ok((name, count.rows))
        };
        tables.into_iter().map(count).collect()
    }
}

impl Sample {
    /// Rows of all tables except these.
    pub fn rows_except(&self, tables: &[&str]) -> i64 {
        let others = self
            .rows
            .iter()
            .filter(|(name, _)| !tables.contains(&name.as_str()));
        others.map(|(_, rows)| rows).sum()
    }

    pub fn rows_of(&self, table: &str) -> i64 {
        self.rows.get(table).copied().unwrap_or_default()
    }
}

/// Disk usage in bytes of a file, or of everything in a folder.
/// What is removed meanwhile counts nothing.
fn disk_usage(path: &Path) -> Result<u64> {
    const BLOCK: u64 = 512;
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        metadata => metadata?,
    };
    if !metadata.is_dir() {
        return Ok(metadata.blocks() * BLOCK);
    }
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    entries.map(|entry| disk_usage(&entry?.path())).sum()
}
