//! Whether a database's tables are those that this program knows, and bringing them there.
//!
//! A program one release older must go on working on what this one makes of its tables, and does
//! (`migrations/README.md`): what it doesn't know it doesn't use. A migration that takes something away has a
//! version that ends in [`TAKES_AWAY`]; a program that doesn't know that one keeps its hands off.

use diesel::backend::Backend;
use diesel::migration::{Migration, MigrationSource};
use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, SqliteConnection, sql_query};
use diesel_async::{AsyncConnection, AsyncMigrationHarness, AsyncPgConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use tracing::warn;

use super::DbError;

pub(super) const SQLITE: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
pub(super) const POSTGRES: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// The last letter of the version of a migration after which older programs don't work any more.
const TAKES_AWAY: char = 'c';

/// What a database's tables are, against what this program knows. Migrations go by their folders' names,
/// oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// The newest migration that was applied. `None`: there are no tables yet.
    pub newest: Option<String>,
    /// Known and not applied.
    pub pending: Vec<String>,
    /// Applied by a newer program, by their versions.
    pub unknown: Vec<String>,
}

impl Tables {
    /// Compares the versions of what was applied with what `source` has.
    pub(super) fn compare<B: Backend>(
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

    /// Refuses tables from which a newer program has taken what this one needs.
    fn usable(&self) -> Result<(), DbError> {
        match self.unknown.iter().find(|it| it.ends_with(TAKES_AWAY)) {
            Some(version) => Err(DbError::TooNew(version.clone())),
            None => Ok(()),
        }
    }

    /// Refuses tables that lack something, too.
    pub(super) fn complete(&self) -> Result<(), DbError> {
        self.usable()?;
        match self.pending.len() {
            0 => Ok(()),
            missing => Err(DbError::TooOld(missing)),
        }
    }
}

/// Runs what is pending; returns the tables as they were before that. Each migration runs in a transaction, so
/// that of one that fails nothing stays.
pub(super) fn run<C>(conn: C, source: EmbeddedMigrations) -> Result<Tables, DbError>
where
    C: AsyncConnection,
    AsyncMigrationHarness<C>: MigrationHarness<C::Backend>,
    EmbeddedMigrations: MigrationSource<C::Backend>,
{
    let mut harness = AsyncMigrationHarness::new(conn);
    let applied = harness.applied_migrations().map_err(DbError::Tables)?;
    let applied = applied.iter().map(ToString::to_string).collect();
    let tables = Tables::compare::<C::Backend>(&source, applied)?;
    tables.usable()?;
    if !tables.unknown.is_empty() {
        warn!(
            migrations = ?tables.unknown,
            "the database was used by a newer vidence; its tables still fit this one"
        );
    }
    let pending = harness.pending_migrations(source);
    for migration in pending.map_err(DbError::Tables)? {
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
    let mut migrations = source.migrations().map_err(DbError::Tables)?;
    migrations.sort_by_key(|it| it.name().version().as_owned());
    Ok(migrations)
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = BigInt)]
    tables: i64,
}

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    version: String,
}

const APPLIED: &str = "SELECT version FROM __diesel_schema_migrations";

/// The versions of what was applied, without making the table for them.
pub(super) fn applied_to_sqlite(conn: &mut SqliteConnection) -> Result<Vec<String>, DbError> {
    use diesel::RunQueryDsl;
    let found = sql_query(
        "SELECT COUNT(*) AS tables FROM sqlite_master WHERE name = '__diesel_schema_migrations'",
    );
    if found.get_result::<Found>(conn)?.tables == 0 {
        return Ok(Vec::new());
    }
    let applied: Vec<Applied> = sql_query(APPLIED).load(conn)?;
    Ok(applied.into_iter().map(|it| it.version).collect())
}

/// Likewise.
pub(super) async fn applied_to_postgres(
    conn: &mut AsyncPgConnection,
) -> Result<Vec<String>, DbError> {
    use diesel_async::RunQueryDsl;
    let found = sql_query(
        "SELECT COUNT(*) AS tables FROM pg_class \
         WHERE oid = to_regclass('__diesel_schema_migrations')",
    );
    if found.get_result::<Found>(conn).await?.tables == 0 {
        return Ok(Vec::new());
    }
    let applied: Vec<Applied> = sql_query(APPLIED).load(conn).await?;
    Ok(applied.into_iter().map(|it| it.version).collect())
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

    fn compared(applied: Vec<String>) -> Tables {
        Tables::compare::<Sqlite>(&SQLITE, applied).expect("migrations")
    }

    #[test]
    fn what_is_missing_is_pending_and_what_is_not_known_is_named() {
        let all = versions();
        let empty = compared(Vec::new());
        assert_eq!((empty.newest, empty.pending.len()), (None, all.len()));

        let behind = compared(all[..all.len() - 1].to_vec());
        assert_eq!(behind.pending.len(), 1);
        assert!(behind.pending[0].starts_with(&all[all.len() - 1]));
        assert!(matches!(behind.complete(), Err(DbError::TooOld(1))));
        behind.usable().expect("can be brought up to date");

        compared(all).complete().expect("as it should be");
    }

    #[test]
    fn a_newer_database_is_usable_until_something_was_taken_away() {
        let with = |version: &str| compared([versions(), vec![version.to_owned()]].concat());
        let additive = with("99999999999998");
        additive.complete().expect("more than is needed");
        assert_eq!(additive.newest.as_deref(), Some("99999999999998"));
        let refusal = with("99999999999999c").complete().expect_err("too new");
        assert!(refusal.to_string().contains("99999999999999c"), "{refusal}");
    }
}
