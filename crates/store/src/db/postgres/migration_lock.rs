//! One node migrates at a time, and none behind a connection pooler that loses prepared statements.
//!
//! A pooler in transaction mode, such as `PgBouncer`, gives a connection another session of PostgreSQL for each
//! transaction. Therefore the lock belongs to a transaction: one of a session would stay there after this program has
//! ended, and block every later start. And statements that were prepared in the session before are missing, unless the
//! pooler keeps them: a server would start, and its queries would fail now and then. Nothing else of this program needs
//! a session, except that a timeout is set for it, which such a pooler gives to others.

use std::time::Duration;

use diesel::dsl::sql;
use diesel::result::Error as QueryError;
use diesel::sql_types::Bool;
use diesel::{ConnectionError, IntoSql};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use tokio::time::timeout;
use tracing::warn;

use super::connector::Connector;
use super::open_error;
use crate::db::DbError;

/// The key of the advisory lock.
/// It is "vidence" in ASCII, which other users of the server don't lock by chance.
const KEY: i64 = 0x0076_6964_656e_6365;

/// How often a node asks for the lock while another one has it.
const POLL: Duration = Duration::from_millis(100);

/// A migration takes a moment.
/// A lock that is held for longer may be a left one, in a session of a pooler.
const POLLS_BEFORE_WARNING: u32 = 100;

/// How often a connection is checked for its statement: others that use the pooler may hide a loss, but not each time.
const CHECKS: usize = 32;

/// A connection to migrate by, while no other node does.
pub(super) struct MigrationLock {
    pub(super) conn: AsyncPgConnection,
    /// Has a transaction with the lock, which ends when this connection is dropped.
    pub(super) holder: AsyncPgConnection,
}

impl MigrationLock {
    /// Waits until no other node migrates, or for [`DbError::Migrating`] after this time.
    /// [`DbError::StatementsLost`]: connections lose prepared statements.
    pub(super) async fn acquire_within(
        connector: &Connector,
        limit: Duration,
    ) -> Result<Self, DbError> {
        let mut conn = connect(connector).await?;
        let mut holder = connect(connector).await?;
        let acquired = timeout(limit, check_and_lock(&mut conn, &mut holder)).await;
        acquired
            .map_err(|_| DbError::Migrating)?
            .map_err(query_error)?;
        Ok(Self { conn, holder })
    }
}

/// Begins a transaction of `holder` with the lock.
/// Fails if a pooler loses the statement that `conn` has prepared: it gives the session that was used last, which is
/// the statement's, to that transaction, and another one to `conn`.
async fn check_and_lock(
    conn: &mut AsyncPgConnection,
    holder: &mut AsyncPgConnection,
) -> Result<(), QueryError> {
    for _ in 0..CHECKS {
        ask(conn).await?;
        lock(holder).await?;
        let asked = ask(conn).await;
        holder.batch_execute("ROLLBACK").await?;
        asked?;
    }
    lock(holder).await
}

/// Waits for the lock.
async fn lock(holder: &mut AsyncPgConnection) -> Result<(), QueryError> {
    let mut polls = 0_u32;
    while !try_lock(holder).await? {
        polls += 1;
        if polls == POLLS_BEFORE_WARNING {
            warn!("waiting for the migration lock, which another node holds");
        }
        tokio::time::sleep(POLL).await;
    }
    Ok(())
}

/// Begins a transaction with the lock, or none: only the one node that has it may wait for a second session of a pooler
/// while it holds one, or several would wait for each other.
async fn try_lock(conn: &mut AsyncPgConnection) -> Result<bool, QueryError> {
    // Both would end the transaction, and with it the lock. The second one is PostgreSQL 17's.
    let begin = "BEGIN; SELECT set_config(name, '0', true) FROM pg_settings \
                 WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')";
    conn.batch_execute(begin).await?;
    let lock = format!("pg_try_advisory_xact_lock({KEY})");
    let is_locked: bool = diesel::select(sql::<Bool>(&lock)).get_result(conn).await?;
    if !is_locked {
        conn.batch_execute("ROLLBACK").await?;
    }
    Ok(is_locked)
}

/// Runs a statement that each connection prepares once.
async fn ask(conn: &mut AsyncPgConnection) -> Result<bool, QueryError> {
    // A bound value, because a statement with literals is prepared anew each time.
    diesel::select(true.into_sql::<Bool>())
        .get_result(conn)
        .await
}

/// Opens a connection. The statements that set it up are prepared, too.
async fn connect(connector: &Connector) -> Result<AsyncPgConnection, DbError> {
    connector.connect().await.map_err(|error| match error {
        ConnectionError::CouldntSetupConfiguration(error) if is_lost(&error) => {
            DbError::StatementsLost(error.into())
        }
        error => open_error(error),
    })
}

fn query_error(error: QueryError) -> DbError {
    match is_lost(&error) {
        true => DbError::StatementsLost(error.into()),
        false => error.into(),
    }
}

/// Whether a prepared statement is missing, or one of its name is there already.
///
/// diesel-async drops the SQLSTATE, and the message is in the language of the server; but it names the statement, which
/// `tokio_postgres` has called `s` with a number.
fn is_lost(error: &QueryError) -> bool {
    let QueryError::DatabaseError(_, info) = error else {
        return false;
    };
    let mut words = info.message().split(|it: char| !it.is_alphanumeric());
    words.any(|word| {
        let number = word.strip_prefix('s').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use diesel::result::DatabaseErrorKind;

    use super::*;

    #[test]
    fn lost_statements_are_recognized_in_any_language() {
        for (message, want) in [
            ("prepared statement \"s16\" does not exist", true),
            ("prepared statement \"s0\" already exists", true),
            ("vorbereitete Anweisung »s3« existiert nicht", true),
            ("query_wait_timeout", false),
            ("terminating connection due to administrator command", false),
            ("relation \"takes\" does not exist", false),
        ] {
            let info = Box::new(message.to_owned());
            let error = QueryError::DatabaseError(DatabaseErrorKind::Unknown, info);
            assert_eq!(is_lost(&error), want, "{message}");
        }
        assert!(!is_lost(&QueryError::NotFound));
    }
}
