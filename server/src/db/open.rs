//! Opening a database: connections, settings, tables.

use std::io::ErrorKind;
use std::path::Path;

use diesel::connection::{Connection as _, SimpleConnection};
use diesel::{ConnectionError, ConnectionResult, SqliteConnection};
use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::pooled_connection::{
    AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod,
};
use diesel_async::sync_connection_wrapper::{SpawnBlocking, SyncConnectionWrapper};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use futures_util::FutureExt;

use super::database_url::DatabaseUrl;
use super::inline_reader::Lookup;
use super::migrations::{self, Tables};
use super::postgres::Server;
use super::sqlite::{Connection, Reader, Writer};
use super::{Db, DbError};

type Reason = Box<dyn std::error::Error + Send + Sync>;

/// A connection to SQLite that runs its statements where `B` says.
type Sqlite<B> = SyncConnectionWrapper<SqliteConnection, B>;

/// "vidence" in ASCII: a number that nobody else on the database server locks by chance.
const MIGRATION_LOCK: i64 = 0x0076_6964_656e_6365;

const SQLITE_READERS: usize = 4;

/// `synchronous = FULL`: with NORMAL, WAL mode may lose the last commits when the power fails, and those
/// were acknowledged. `secure_delete`: a wiped prompt is overwritten, not only unlinked; in the log it stays until
/// [`Db::log_empty`].
pub(super) const SQLITE_PRAGMAS: &str = "
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
";

/// Each keeps at most 512 KiB of pages, a quarter of the default: the kernel has them all the same.
const SQLITE_READ_ONLY: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -512;";

impl Db {
    /// Opens the SQLite file at `path`, creating it when it isn't there, and brings its tables up to
    /// date.
    pub async fn open_sqlite(path: &Path) -> Result<Self, DbError> {
        Self::migrate_sqlite(path).await?;
        Self::connect_sqlite(path).await
    }

    /// Opens the SQLite file at `path` as it is. [`DbError::TooOld`], [`DbError::TooNew`]: it isn't as this
    /// program knows it.
    pub async fn open_sqlite_unmigrated(path: &Path) -> Result<Self, DbError> {
        if !path.exists() {
            return Err(unusable(path, std::io::Error::from(ErrorKind::NotFound)));
        }
        Self::tables_of_sqlite(path)?.complete()?;
        Self::connect_sqlite(path).await
    }

    /// Brings the tables of the SQLite file at `path` up to date; as they were before that.
    pub async fn migrate_sqlite(path: &Path) -> Result<Tables, DbError> {
        let place = path.display().to_string();
        let setup: Result<Reader, _> = sqlite_connect(&place, "").await;
        let setup = setup.map_err(|error| unusable(path, error))?;
        migrations::run(setup, migrations::SQLITE)
    }

    /// What tables there are in the SQLite file at `path`. One that isn't there has none, and isn't made.
    pub fn tables_of_sqlite(path: &Path) -> Result<Tables, DbError> {
        let applied = match path.exists() {
            false => Vec::new(),
            true => {
                let conn = sqlite_reader(&path.display().to_string());
                let mut conn = conn.map_err(|error| unusable(path, error))?;
                migrations::applied_to_sqlite(&mut conn)?
            }
        };
        Tables::compare::<diesel::sqlite::Sqlite>(&migrations::SQLITE, applied)
    }

    async fn connect_sqlite(path: &Path) -> Result<Self, DbError> {
        let place = path.display().to_string();
        let writer: Result<Connection, _> = sqlite_connect(&place, "").await;
        let writer = writer.map_err(|error| unusable(path, error))?;
        let again = place.clone();
        let lookup = Lookup::new(move || sqlite_reader(&again));
        Ok(Self::Sqlite {
            lookup,
            read: sqlite_readers(&place)?,
            write: Writer::start(writer).map_err(|error| unusable(path, error))?,
        })
    }

    /// Connects to the PostgreSQL server at `url`, by at most so many connections, and brings its tables
    /// up to date.
    pub async fn open_postgres(url: &DatabaseUrl, connections: usize) -> Result<Self, DbError> {
        Self::migrate_postgres(url).await?;
        Self::connect_postgres(Server::new(url).map_err(unreachable)?, connections)
    }

    /// Connects to the PostgreSQL server at `url` as it is. Refuses as [`Db::open_sqlite_unmigrated`] does.
    pub async fn open_postgres_unmigrated(
        url: &DatabaseUrl,
        connections: usize,
    ) -> Result<Self, DbError> {
        Self::tables_of_postgres(url).await?.complete()?;
        Self::connect_postgres(Server::new(url).map_err(unreachable)?, connections)
    }

    /// Brings the tables of the PostgreSQL server at `url` up to date; as they were before that.
    pub async fn migrate_postgres(url: &DatabaseUrl) -> Result<Tables, DbError> {
        let mut setup = postgres_connect(url).await?;
        // Nodes that start together take turns. The lock goes with the connection.
        let turn = format!("SELECT pg_advisory_lock({MIGRATION_LOCK})");
        setup.batch_execute(&turn).await?;
        migrations::run(setup, migrations::POSTGRES)
    }

    /// What tables there are in the database at `url`.
    pub async fn tables_of_postgres(url: &DatabaseUrl) -> Result<Tables, DbError> {
        let mut conn = postgres_connect(url).await?;
        let applied = migrations::applied_to_postgres(&mut conn).await?;
        Tables::compare::<diesel::pg::Pg>(&migrations::POSTGRES, applied)
    }

    fn connect_postgres(server: Server, connections: usize) -> Result<Self, DbError> {
        let mut config = ManagerConfig::<AsyncPgConnection>::default();
        config.custom_setup = Box::new(move |_| {
            let server = server.clone();
            async move { server.connect().await }.boxed()
        });
        let manager = AsyncDieselConnectionManager::new_with_config("", fast_recycling(config));
        let pool = Pool::builder(manager).max_size(connections.max(1));
        Ok(Self::Postgres(pool.build()?))
    }
}

fn unusable(path: &Path, error: impl Into<Reason>) -> DbError {
    DbError::Open {
        place: path.display().to_string(),
        source: error.into(),
    }
}

fn unreachable(error: impl Into<Reason>) -> DbError {
    DbError::Open {
        // The URL carries a password, and so it stays out of the message.
        place: "the given PostgreSQL address".to_owned(),
        source: error.into(),
    }
}

async fn postgres_connect(url: &DatabaseUrl) -> Result<AsyncPgConnection, DbError> {
    let server = Server::new(url).map_err(unreachable)?;
    server.connect().await.map_err(unreachable)
}

/// One that runs its statements on its caller's thread.
fn sqlite_reader(path: &str) -> ConnectionResult<SqliteConnection> {
    let mut conn = SqliteConnection::establish(path)?;
    for pragmas in [SQLITE_PRAGMAS, SQLITE_READ_ONLY] {
        conn.batch_execute(pragmas)
            .map_err(ConnectionError::CouldntSetupConfiguration)?;
    }
    Ok(conn)
}

fn sqlite_readers(path: &str) -> Result<Pool<Reader>, DbError> {
    let mut config = ManagerConfig::<Reader>::default();
    config.custom_setup = Box::new(move |path| {
        let path = path.to_owned();
        async move { sqlite_connect(&path, SQLITE_READ_ONLY).await }.boxed()
    });
    let manager = AsyncDieselConnectionManager::new_with_config(path, fast_recycling(config));
    Ok(Pool::builder(manager).max_size(SQLITE_READERS).build()?)
}

async fn sqlite_connect<B>(path: &str, pragmas: &str) -> Result<Sqlite<B>, ConnectionError>
where
    B: SpawnBlocking + Send + 'static,
{
    let mut conn = Sqlite::<B>::establish(path).await?;
    for pragmas in [SQLITE_PRAGMAS, pragmas] {
        conn.batch_execute(pragmas)
            .await
            .map_err(ConnectionError::CouldntSetupConfiguration)?;
    }
    Ok(conn)
}

/// The default asks `SELECT 1` at every checkout.
fn fast_recycling<C: AsyncConnection>(mut config: ManagerConfig<C>) -> ManagerConfig<C> {
    config.recycling_method = RecyclingMethod::Fast;
    config
}
