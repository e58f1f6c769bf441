//! PostgreSQL: opening the connection pool, and migrations.

mod connector;
pub(super) mod database_url;
mod server_time;

use diesel::pg::Pg;
use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig};
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures_util::FutureExt;

use super::schema::migrations::{self, Tables};
use super::{Db, DbError, fast_recycling};
use connector::Connector;
use database_url::DatabaseUrl;

/// The key of the advisory lock for migrations. It is "vidence" in ASCII, which other users of the server don't lock by
/// chance.
const MIGRATION_LOCK: i64 = 0x0076_6964_656e_6365;

impl Db {
    /// Connects to the PostgreSQL server at `url`, and applies pending migrations. At most `connections` connections
    /// are opened.
    pub async fn open_postgres(url: &DatabaseUrl, connections: usize) -> Result<Self, DbError> {
        Self::migrate_postgres(url).await?;
        Self::connect_postgres(Connector::new(url).map_err(open_error)?, connections)
    }

    /// Connects to the PostgreSQL server at `url` without migrating it. [`DbError::TooOld`], [`DbError::TooNew`]: its
    /// schema doesn't fit this program.
    pub async fn open_postgres_unmigrated(
        url: &DatabaseUrl,
        connections: usize,
    ) -> Result<Self, DbError> {
        Self::tables_of_postgres(url).await?.check_complete()?;
        Self::connect_postgres(Connector::new(url).map_err(open_error)?, connections)
    }

    /// Applies pending migrations to the database at `url`; returns its schema before that.
    pub async fn migrate_postgres(url: &DatabaseUrl) -> Result<Tables, DbError> {
        let mut conn = connect(url).await?;
        // Nodes that start together migrate one after the other. The lock ends with the connection.
        let lock = format!("SELECT pg_advisory_lock({MIGRATION_LOCK})");
        conn.batch_execute(&lock).await?;
        migrations::run(conn, migrations::POSTGRES).await
    }

    /// Reads the schema of the database at `url`.
    pub async fn tables_of_postgres(url: &DatabaseUrl) -> Result<Tables, DbError> {
        let mut conn = connect(url).await?;
        let applied = migrations::applied_to_postgres(&mut conn).await?;
        Tables::compare::<Pg>(&migrations::POSTGRES, applied)
    }

    fn connect_postgres(connector: Connector, connections: usize) -> Result<Self, DbError> {
        let mut config = ManagerConfig::<AsyncPgConnection>::default();
        config.custom_setup = Box::new(move |_| {
            let connector = connector.clone();
            async move { connector.connect().await }.boxed()
        });
        let manager = AsyncDieselConnectionManager::new_with_config("", fast_recycling(config));
        let pool = Pool::builder(manager).max_size(connections.max(1));
        Ok(Self::Postgres(pool.build()?))
    }
}

fn open_error(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> DbError {
    DbError::Open {
        // Without the URL, which holds a password.
        place: "the given PostgreSQL address".to_owned(),
        source: error.into(),
    }
}

async fn connect(url: &DatabaseUrl) -> Result<AsyncPgConnection, DbError> {
    let connector = Connector::new(url).map_err(open_error)?;
    connector.connect().await.map_err(open_error)
}
