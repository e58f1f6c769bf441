//! Comparing a database's schema with this program's migrations, and applying pending ones.
//!
//! The previous release must keep working on the schema that this one creates (`migrations/README.md`): it doesn't
//! use what it doesn't know. A migration that removes something has a version that ends in [`DESTRUCTIVE`], and a
//! program that doesn't know this migration refuses to start.

use diesel::SqliteConnection;
use diesel::backend::Backend;
use diesel::dsl::sql;
use diesel::migration::{Migration, MigrationSource};
use diesel::sql_types::{BigInt, Text};
use diesel_async::{AsyncConnection, AsyncMigrationHarness, AsyncPgConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use tracing::warn;

use crate::db::DbError;

pub(in crate::db) const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
pub(in crate::db) const POSTGRES: EmbeddedMigrations =
    embed_migrations!("../../migrations/postgres");

/// The last letter of the version of a migration after which older programs no longer work.
const DESTRUCTIVE: char = 'c';

/// A database's schema, compared with the migrations of this program.
/// Migrations are named after their folders, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationState {
    /// The newest applied migration. `None`: there are no tables yet.
    pub newest: Option<String>,
    /// Migrations of this program that aren't applied.
    pub pending: Vec<String>,
    /// Versions of migrations that a newer program has applied.
    pub unknown: Vec<String>,
}

impl MigrationState {
    /// Compares the applied versions with the migrations of `source`.
    pub(in crate::db) fn compare<B: Backend>(
        source: &impl MigrationSource<B>,
        mut applied: Vec<String>,
    ) -> Result<Self, DbError> {
        applied.sort_unstable();
        let known = sorted(source)?;
        let (mut newest, mut pending) = (None, Vec::new());
        for migration in &known {
            let name = migration.name();
            match applied.binary_search(&name.version().to_string()) {
                Ok(_) => newest = Some(name.to_string()),
                Err(_) => pending.push(name.to_string()),
            }
        }
        let is_unknown = |version: &String| {
            let mut versions = known.iter().map(|it| it.name().version().to_string());
            !versions.any(|it| it == *version)
        };
        let unknown: Vec<String> = applied.into_iter().filter(is_unknown).collect();
        Ok(Self {
            newest: unknown.last().cloned().or(newest),
            pending,
            unknown,
        })
    }

    /// Refuses a schema from which a newer program has removed something. [`DbError::TooNew`].
    fn check_usable(&self) -> Result<(), DbError> {
        match self.unknown.iter().find(|it| it.ends_with(DESTRUCTIVE)) {
            Some(version) => Err(DbError::TooNew(version.clone())),
            None => Ok(()),
        }
    }

    /// Refuses a schema with pending migrations, too. [`DbError::TooOld`], [`DbError::TooNew`].
    pub(in crate::db) fn check_complete(&self) -> Result<(), DbError> {
        self.check_usable()?;
        match self.pending.len() {
            0 => Ok(()),
            missing => Err(DbError::TooOld(missing)),
        }
    }
}

/// Applies the pending migrations, and returns the schema's state before that.
/// Each migration runs in a transaction of its own and is rolled back if it fails.
///
/// On a thread of its own: the harness blocks its thread until the database answers. In a task it would keep the task's
/// other futures from running and, on the thread of `block_on`, swallow what wakes them.
pub(in crate::db) async fn run<C>(
    conn: C,
    source: EmbeddedMigrations,
) -> Result<MigrationState, DbError>
where
    C: AsyncConnection + 'static,
    AsyncMigrationHarness<C>: MigrationHarness<C::Backend>,
    EmbeddedMigrations: MigrationSource<C::Backend>,
{
    tokio::task::spawn_blocking(move || run_blocking(conn, source)).await?
}

fn run_blocking<C>(conn: C, source: EmbeddedMigrations) -> Result<MigrationState, DbError>
where
    C: AsyncConnection,
    AsyncMigrationHarness<C>: MigrationHarness<C::Backend>,
    EmbeddedMigrations: MigrationSource<C::Backend>,
{
    let mut harness = AsyncMigrationHarness::new(conn);
    let applied = harness.applied_migrations().map_err(DbError::Migrations)?;
    let applied = applied.iter().map(ToString::to_string).collect();
    let tables = MigrationState::compare::<C::Backend>(&source, applied)?;
    tables.check_usable()?;
    if !tables.unknown.is_empty() {
        warn!(
            migrations = ?tables.unknown,
            "the database schema is of a newer version, and compatible"
        );
    }
    let pending = harness.pending_migrations(source);
    for migration in pending.map_err(DbError::Migrations)? {
        let done = harness.run_migration(&*migration);
        done.map_err(|source| DbError::Migrate {
            name: migration.name().to_string(),
            source,
        })?;
    }
    Ok(tables)
}

fn sorted<B: Backend>(
    source: &impl MigrationSource<B>,
) -> Result<Vec<Box<dyn Migration<B>>>, DbError> {
    let mut migrations = source.migrations().map_err(DbError::Migrations)?;
    migrations.sort_by_key(|it| it.name().version().as_owned());
    Ok(migrations)
}

const APPLIED: &str = "SELECT version FROM __diesel_schema_migrations";

/// The applied versions in SQLite. Doesn't create the table of migrations where it is missing.
pub(in crate::db) fn applied_to_sqlite(
    conn: &mut SqliteConnection,
) -> Result<Vec<String>, DbError> {
    use diesel::RunQueryDsl;
    let found = sql::<BigInt>(
        "SELECT COUNT(*) FROM sqlite_master WHERE name = '__diesel_schema_migrations'",
    );
    match found.get_result::<i64>(conn)? {
        0 => Ok(Vec::new()),
        _ => Ok(sql::<Text>(APPLIED).load(conn)?),
    }
}

/// The applied versions in PostgreSQL. Doesn't create the table of migrations where it is missing.
pub(in crate::db) async fn applied_to_postgres(
    conn: &mut AsyncPgConnection,
) -> Result<Vec<String>, DbError> {
    use diesel_async::RunQueryDsl;
    let found = sql::<BigInt>(
        "SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('__diesel_schema_migrations')",
    );
    match found.get_result::<i64>(conn).await? {
        0 => Ok(Vec::new()),
        _ => Ok(sql::<Text>(APPLIED).load(conn).await?),
    }
}

#[cfg(test)]
mod tests {
    use diesel::sqlite::Sqlite;

    use super::*;

    fn versions() -> Vec<String> {
        let known = sorted::<Sqlite>(&SQLITE).expect("migrations");
        let versions = known.iter().map(|it| it.name().version().to_string());
        versions.collect()
    }

    fn compared(applied: Vec<String>) -> MigrationState {
        MigrationState::compare::<Sqlite>(&SQLITE, applied).expect("migrations")
    }

    #[test]
    fn missing_migrations_are_pending_and_unknown_ones_are_named() {
        let all = versions();
        let empty = compared(Vec::new());
        assert_eq!((empty.newest, empty.pending.len()), (None, all.len()));

        let behind = compared(all[..all.len() - 1].to_vec());
        assert_eq!(behind.pending.len(), 1);
        assert!(behind.pending[0].starts_with(&all[all.len() - 1]));
        assert!(matches!(behind.check_complete(), Err(DbError::TooOld(1))));
        behind.check_usable().expect("can be brought up to date");

        compared(all).check_complete().expect("a current schema");
    }
}
