//! Opening a database: connections, settings, tables.

use std::path::Path;

use diesel::connection::{Connection as _, SimpleConnection};
use diesel::migration::MigrationSource;
use diesel::{ConnectionError, ConnectionResult, SqliteConnection};
use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::pooled_connection::{
    AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod,
};
use diesel_async::sync_connection_wrapper::{SpawnBlocking, SyncConnectionWrapper};
use diesel_async::{
    AsyncConnection, AsyncMigrationHarness, AsyncPgConnection, SimpleAsyncConnection,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use futures_util::FutureExt;

use super::lookup::Lookup;
use super::postgres::Server;
use super::sqlite::{Connection, Reader, Writer};
use super::{Db, DbError};

/// A connection to SQLite that runs its statements where `B` says.
type Sqlite<B> = SyncConnectionWrapper<SqliteConnection, B>;

const SQLITE_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// "vidence" in ASCII: a number that nobody else on the database server locks by chance.
const MIGRATION_LOCK: i64 = 0x0076_6964_656e_6365;

const SQLITE_READERS: usize = 4;

/// `synchronous = FULL`: with NORMAL, WAL mode may lose the last commits when the power fails, and those
/// were acknowledged. `secure_delete`: a wiped prompt is overwritten, not only unlinked.
const SQLITE_PRAGMAS: &str = "
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
";
const SQLITE_READ_ONLY: &str = "PRAGMA query_only = ON;";

impl Db {
    /// Opens the SQLite file at `path`, creating it when it isn't there, and brings its tables up to
    /// date.
    pub async fn open_sqlite(path: &Path) -> Result<Self, DbError> {
        let place = path.display().to_string();
        let unusable = |source| DbError::Open {
            place: place.clone(),
            source,
        };
        let setup: Reader = sqlite_connect(&place, "")
            .await
            .map_err(|error| unusable(error.into()))?;
        migrate(setup, SQLITE_MIGRATIONS)?;
        let writer: Connection = sqlite_connect(&place, "")
            .await
            .map_err(|error| unusable(error.into()))?;
        let again = place.clone();
        let lookup = Lookup::new(move || sqlite_reader(&again));
        Ok(Self::Sqlite {
            lookup,
            read: sqlite_readers(&place)?,
            write: Writer::start(writer).map_err(|error| unusable(error.into()))?,
        })
    }

    /// Connects to the PostgreSQL server at `url`, by at most so many connections, and brings its tables
    /// up to date.
    pub async fn open_postgres(url: &str, connections: usize) -> Result<Self, DbError> {
        let unreachable = |source| DbError::Open {
            // The URL carries a password, and so it stays out of the message.
            place: "the given PostgreSQL address".to_owned(),
            source,
        };
        let server = Server::parse(url).map_err(unreachable)?;
        let setup = server.connect().await;
        let mut setup = setup.map_err(|error| unreachable(error.into()))?;
        // Nodes that start together take turns. The lock goes with the connection.
        let turn = format!("SELECT pg_advisory_lock({MIGRATION_LOCK})");
        setup.batch_execute(&turn).await?;
        migrate(setup, POSTGRES_MIGRATIONS)?;
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

fn migrate<C>(conn: C, migrations: EmbeddedMigrations) -> Result<(), DbError>
where
    C: AsyncConnection,
    AsyncMigrationHarness<C>: MigrationHarness<C::Backend>,
    EmbeddedMigrations: MigrationSource<C::Backend>,
{
    AsyncMigrationHarness::new(conn)
        .run_pending_migrations(migrations)
        .map(|_| ())
        .map_err(DbError::Migrate)
}
