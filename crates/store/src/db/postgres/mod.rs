//! PostgreSQL: opening the connection pool, and migrations.

mod connector;
pub(super) mod database_url;
mod migration_lock;
mod server_time;

use std::time::Duration;

use diesel::pg::Pg;
use diesel_async::AsyncPgConnection;
use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig};
use futures_util::FutureExt;

use super::schema::migrations::{self, MigrationState};
use super::{Db, DbError, fast_recycling};
use connector::Connector;
use database_url::DatabaseUrl;
use migration_lock::MigrationLock;

/// How long a command waits for the lock of the migrations.
/// A server waits for as long as another one migrates.
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);

impl Db {
    /// Connects to the PostgreSQL server at `url`, and applies pending migrations.
    /// At most `connections` connections are opened, and two at least: one is the readiness probe's.
    pub async fn open_postgres(url: &DatabaseUrl, connections: usize) -> Result<Self, DbError> {
        let connector = Connector::new(url)?;
        Self::migrate(&connector).await?;
        Self::connect_postgres(connector, connections)
    }

    /// Connects to the PostgreSQL server at `url` without migrating it.
    /// [`DbError::TooOld`], [`DbError::TooNew`]: its schema doesn't fit this program. [`DbError::Migrating`]: the
    /// schema is being changed.
    pub async fn open_postgres_unmigrated(
        url: &DatabaseUrl,
        connections: usize,
    ) -> Result<Self, DbError> {
        let connector = Connector::new(url)?;
        // Not to migrate: it checks that connections keep what they prepare.
        MigrationLock::acquire_within(&connector, LOCK_TIMEOUT).await?;
        Self::migrations_of_postgres(url).await?.check_complete()?;
        Self::connect_postgres(connector, connections)
    }

    /// Checks what can be checked of `url` without a connection. [`DbError::Roots`]: its root certificates.
    pub fn check_postgres(url: &DatabaseUrl) -> Result<(), DbError> {
        Connector::new(url).map(drop)
    }

    /// Applies pending migrations to the database at `url`; returns its schema before that.
    pub async fn migrate_postgres(url: &DatabaseUrl) -> Result<MigrationState, DbError> {
        Self::migrate(&Connector::new(url)?).await
    }

    async fn migrate(connector: &Connector) -> Result<MigrationState, DbError> {
        let MigrationLock { conn, holder } =
            MigrationLock::acquire_within(connector, Duration::MAX).await?;
        let tables = migrations::run(conn, migrations::POSTGRES).await;
        drop(holder);
        tables
    }

    /// Reads the schema of the database at `url`.
    pub async fn migrations_of_postgres(url: &DatabaseUrl) -> Result<MigrationState, DbError> {
        let connector = Connector::new(url)?;
        let mut conn = connector.connect().await.map_err(open_error)?;
        let applied = migrations::applied_to_postgres(&mut conn).await?;
        MigrationState::compare::<Pg>(&migrations::POSTGRES, applied)
    }

    fn connect_postgres(connector: Connector, connections: usize) -> Result<Self, DbError> {
        let pool = |connections| {
            let connector = connector.clone();
            let mut config = ManagerConfig::<AsyncPgConnection>::default();
            config.custom_setup = Box::new(move |_| {
                let connector = connector.clone();
                async move { connector.connect().await }.boxed()
            });
            let manager = AsyncDieselConnectionManager::new_with_config("", fast_recycling(config));
            Pool::builder(manager).max_size(connections).build()
        };
        Ok(Self::Postgres {
            pool: pool(connections.saturating_sub(1).max(1))?,
            probe: pool(1)?,
        })
    }
}

fn open_error(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> DbError {
    DbError::Open {
        // Without the URL, which holds a password.
        place: "the given PostgreSQL address".to_owned(),
        source: error.into(),
    }
}
