//! SQLite: opening the file, its settings and its migrations.

mod blocking_connection;
pub(super) mod inline_reader;
pub(super) mod pooled_reader;
mod wal;
pub(super) mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};

use diesel::connection::{Connection as _, SimpleConnection};
use diesel::sqlite::Sqlite;
use diesel::{ConnectionError, ConnectionResult, SqliteConnection};
use tokio::task::spawn_blocking;

use super::schema::migrations::{self, MigrationState};
use super::{Db, DbError};
use inline_reader::InlineReader;
use pooled_reader::PooledReader;
use writer::SqliteWriter;

pub(super) use blocking_connection::{BlockingConnection, poll_ready};

/// Settings of every connection.
///
/// - `synchronous = FULL`: with `NORMAL`, a power failure may lose the last commits in WAL mode, which were
///   acknowledged.
/// - `secure_delete`: a wiped prompt is overwritten, not only unlinked. The write-ahead log holds it until
///   [`Db::truncate_wal`]. SQLite doesn't overwrite copies that it left in a page's gaps when it moved rows: of thousands
///   of prompts a few stay readable in the file until a `VACUUM`.
/// - `temp_store`: rows don't get into files outside of the data folder, and a system without `/tmp` will do.
const PRAGMAS: &str = "
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
";

/// Settings of reading connections.
/// Each caches 512 KiB of pages at most, a quarter of the default: the kernel caches the file, too.
const READ_ONLY_PRAGMAS: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -512;";

impl Db {
    /// Opens the SQLite file at `path`, creating it if necessary, and applies pending migrations.
    pub async fn open_sqlite(path: &Path) -> Result<Self, DbError> {
        Self::migrate_sqlite(path).await?;
        Self::connect_sqlite(path).await
    }

    /// Opens the SQLite file at `path` without migrating it.
    /// [`DbError::TooOld`], [`DbError::TooNew`]: its schema doesn't fit this program.
    pub async fn open_sqlite_unmigrated(path: &Path) -> Result<Self, DbError> {
        // The connection reports an error of access.
        if path.try_exists().is_ok_and(|exists| !exists) {
            // Where that is depends on the folder that the command was called in, which may be the mistake.
            let place = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let place = place.display().to_string();
            return Err(DbError::Missing { place });
        }
        Self::migrations_of_sqlite(path)?.check_complete()?;
        Self::connect_sqlite(path).await
    }

    /// Applies pending migrations to the SQLite file at `path`; returns its schema before that.
    pub async fn migrate_sqlite(path: &Path) -> Result<MigrationState, DbError> {
        let file = path.display().to_string();
        let conn = connect_in_background(&file, "").await;
        let conn = conn.map_err(|error| open_error(path, error))?;
        migrations::run(conn, migrations::SQLITE).await
    }

    /// Reads the schema of the SQLite file at `path`. A missing file has no tables, and isn't created.
    pub fn migrations_of_sqlite(path: &Path) -> Result<MigrationState, DbError> {
        let applied = match path.try_exists() {
            Ok(false) => Vec::new(),
            _ => {
                let conn = connect(&path.display().to_string(), READ_ONLY_PRAGMAS);
                let mut conn = conn.map_err(|error| open_error(path, error))?;
                migrations::applied_to_sqlite(&mut conn)?
            }
        };
        MigrationState::compare::<Sqlite>(&migrations::SQLITE, applied)
    }

    async fn connect_sqlite(path: &Path) -> Result<Self, DbError> {
        let file = path.display().to_string();
        let writer = connect_in_background(&file, "").await;
        let writer = writer.map_err(|error| open_error(path, error))?;
        Ok(Self::Sqlite {
            read: PooledReader::new(&file)?,
            lookup: InlineReader::new(move || connect(&file, READ_ONLY_PRAGMAS)),
            write: SqliteWriter::start(writer, folder_of(path))
                .map_err(|error| open_error(path, error))?,
        })
    }
}

/// The folder of a file whose path may be relative.
fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

fn open_error(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> DbError {
    // SQLite doesn't say why it can't open a file.
    let refused = File::options().read(true).write(true).open(path).err();
    DbError::Open {
        place: path.display().to_string(),
        source: refused.map_or_else(|| error.into(), Into::into),
    }
}

/// Opens a connection with [`PRAGMAS`] and these. Blocks.
fn connect(path: &str, pragmas: &str) -> ConnectionResult<SqliteConnection> {
    let mut conn = SqliteConnection::establish(path)?;
    for pragmas in [PRAGMAS, pragmas] {
        conn.batch_execute(pragmas)
            .map_err(ConnectionError::CouldntSetupConfiguration)?;
    }
    Ok(conn)
}

/// [`connect`], on a thread for blocking work.
fn connect_in_background(
    path: &str,
    pragmas: &'static str,
) -> impl Future<Output = ConnectionResult<BlockingConnection>> + Send + use<> {
    let path = path.to_owned();
    async move {
        let connecting = spawn_blocking(move || connect(&path, pragmas)).await;
        let conn = connecting.map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
        Ok(BlockingConnection::new(conn?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn only_a_complete_database_is_opened_without_migrating_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vidence.db");
        let missing = Db::open_sqlite_unmigrated(&path).await.err();
        assert!(
            matches!(missing, Some(DbError::Missing { .. })),
            "{missing:?}"
        );
        assert!(!path.exists(), "nothing is created");

        std::fs::write(&path, []).expect("an empty file");
        let empty = Db::open_sqlite_unmigrated(&path).await.err();
        assert!(matches!(empty, Some(DbError::TooOld(_))), "{empty:?}");

        let pending = Db::migrate_sqlite(&path).await.expect("migrations").pending;
        assert!(!pending.is_empty(), "of the empty file");
        assert!(Db::open_sqlite_unmigrated(&path).await.is_ok());
    }
}
