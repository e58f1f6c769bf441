//! What a server holds at a moment: memory, files, threads, children, disk, rows.

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

/// One look.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Since the load began.
    pub at: Duration,
    /// Memory of its own, in bytes.
    pub memory: u64,
    pub files: usize,
    pub threads: usize,
    pub children: usize,
    /// Of processors, since it started.
    pub worked: Duration,
    /// Bytes that objects take on the disk.
    pub objects: u64,
    /// Bytes that the database takes there, its log included.
    pub database: u64,
    /// By table.
    pub rows: BTreeMap<String, i64>,
}

/// Whom to look at, and where its data lies.
#[derive(Clone, Debug)]
pub struct Subject {
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

impl Subject {
    pub fn look(&self, at: Duration) -> Result<Sample> {
        Ok(Sample {
            at,
            memory: process::resident(self.process)?,
            files: process::open_files(self.process)?,
            threads: process::threads(self.process)?,
            children: process::children(self.process)?,
            worked: process::worked(self.process)?,
            objects: on_disk(&self.folder.join("blobs"))?,
            database: ["vidence.db", "vidence.db-wal", "vidence.db-shm"]
                .iter()
                .map(|name| on_disk(&self.folder.join(name)))
                .sum::<Result<u64>>()?,
            rows: self.rows()?,
        })
    }

    /// All tables that there are, by whatever name.
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
    /// Rows of all tables but these.
    pub fn rows_beside(&self, tables: &[&str]) -> i64 {
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

/// Bytes that a file, or everything in a folder, takes. What goes while we look takes none.
fn on_disk(path: &Path) -> Result<u64> {
    const BLOCK: u64 = 512;
    let there = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        there => there?,
    };
    if !there.is_dir() {
        return Ok(there.blocks() * BLOCK);
    }
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    entries.map(|entry| on_disk(&entry?.path())).sum()
}
