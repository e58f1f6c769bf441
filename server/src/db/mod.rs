//! One query body, two databases.
//!
//! diesel-async has no released connection that is SQLite or PostgreSQL at run time. [`look_up!`],
//! [`query!`] and [`transact!`] compile each body once for either instead. What must hold under concurrency stands in
//! the WHERE clause of one conditional statement, so neither backend needs row locks.
//!
//! Not here: rules. These functions say whether a row was there and moved; `service` says what follows.

mod compaction;
mod database_url;
mod inline_reader;
mod integrity;
mod migrations;
mod objects;
mod open;
mod postgres;
mod quotas;
mod reports;
mod requests;
mod schema;
mod seal_jobs;
mod seals;
mod server_time;
mod sqlite;
mod states;
mod stats;
mod takedowns;
mod takes;
mod unsigned;
mod wal;

use diesel_async::AsyncPgConnection;
use std::sync::Arc;
use std::time::Duration;

use diesel_async::pooled_connection::deadpool::{BuildError, Pool, PoolError};
use tokio::time::timeout;

use inline_reader::Lookup;
use sqlite::{Reader, Writer};
use unsigned::{OptionalUnsigned, Unsigned};

pub use database_url::DatabaseUrl;
pub use migrations::Tables;
pub use objects::{NamedObject, ObjectTable, STORED_OBJECT_COST};
pub use quotas::{CreationCost, CreationOutcome};
pub use reports::{MOST_REPORTS, Report, Reported};
pub use requests::Request;
pub use seal_jobs::{LONGEST_LEASE, Lease, Sealing};
pub use seals::{Seal, Still};
pub use states::{Reason, Refusal, RequestState, SealingState, TakeState};
pub use stats::{PoolUse, Work};
pub use takedowns::Removed;
pub use takes::{
    Addition, CHUNK_WINDOW, Chunk, Claim, EndIdle, LONGEST_COMMIT, MOST_CHUNKS, Take,
    TakeInsertion, full_hour,
};

/// The database behind the service. Cheap to clone: it is pools.
#[derive(Clone)]
pub enum Db {
    /// A file, with many readers and one writer: waiting for the writer happens in async code, where
    /// it costs nothing, and never as SQLITE_BUSY.
    Sqlite {
        /// Connections that can't write, for rows by their keys.
        lookup: Lookup,
        /// Connections that can't write, for what looks at many rows.
        read: Pool<Reader>,
        /// The one that can, and its thread.
        write: Writer,
    },
    /// A server.
    Postgres(Pool<AsyncPgConnection>),
}

/// Why the database gave no answer. None of these is a caller's fault.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// It could not be opened.
    #[error("the database at {place} can't be opened")]
    Open {
        /// Which one, without credentials.
        place: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Nobody knows which tables it has.
    #[error("the database doesn't say which tables it has")]
    Tables(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Its tables could not be brought up to date.
    #[error("the migration {name} failed, and nothing of it was kept")]
    Migrate {
        /// Which step.
        name: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Its tables lack so many migrations.
    #[error(
        "the database's tables are older than this program, by {0} migrations: `vidence migrate` brings them up to date"
    )]
    TooOld(usize),
    /// A newer program has taken away what this one needs.
    #[error(
        "the database was used by a newer vidence, and its tables no longer fit this one (migration {0}): run the newer one"
    )]
    TooNew(String),
    /// No connection was to be had.
    #[error("no database connection")]
    Connection(#[from] PoolError),
    /// Another connection to the file could not be opened.
    #[error("no further database connection")]
    Another(#[from] diesel::ConnectionError),
    /// Nor was one to be had in time.
    #[error("no database connection within {} s", LONGEST_WAIT.as_secs())]
    Busy,
    /// A pool could not be set up.
    #[error("no database pool")]
    Pool(#[from] BuildError),
    /// A statement failed.
    #[error("a query failed")]
    Query(#[from] diesel::result::Error),
    /// The commit of a transaction, and of those that were to be committed with it, failed.
    #[error("a transaction was not kept")]
    NotKept(#[source] Arc<diesel::result::Error>),
    /// A transaction panicked, or couldn't begin.
    #[error("nobody wrote")]
    WriterDied,
    /// A transaction panicked.
    #[error("a transaction died")]
    Died(#[from] tokio::task::JoinError),
}

impl DbError {
    /// Whether the disk below the database is full: then nothing of the transaction was kept.
    pub fn is_full(&self) -> bool {
        let error = match self {
            Self::Query(error) => error,
            Self::NotKept(error) => error.as_ref(),
            _ => return false,
        };
        let diesel::result::Error::DatabaseError(_, info) = error else {
            return false;
        };
        // SQLITE_FULL, and PostgreSQL's words where a table finds no room; neither has a kind of its own in
        // diesel. Not those about its log: there, what was committed may be there after a recovery.
        let message = info.message();
        message.contains("database or disk is full") || message.contains("could not extend file")
    }

    /// Whether it is certain that nothing was written.
    pub fn changed_nothing(&self) -> bool {
        self.is_full() || matches!(self, Self::Busy | Self::Connection(_))
    }
}

/// The longest wait for a connection. Whoever waits holds a caller up, and perhaps bytes in memory.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What a pool gives, if it gives it in time.
async fn in_time<T>(connection: impl Future<Output = Result<T, PoolError>>) -> Result<T, DbError> {
    match timeout(LONGEST_WAIT, connection).await {
        Ok(connection) => Ok(connection?),
        Err(_) => Err(DbError::Busy),
    }
}

/// Runs a read-only body on a connection of either backend.
macro_rules! query {
    ($db:expr, |$conn:ident| $body:expr) => {{
        let _precedence = net::Precedence::raise();
        match $db {
            $crate::db::Db::Sqlite { read, .. } => {
                let $conn = &mut *$crate::db::in_time(read.get()).await?;
                $body
            }
            $crate::db::Db::Postgres(pool) => {
                let $conn = &mut *$crate::db::in_time(pool.get()).await?;
                $body
            }
        }
    }};
}

/// Runs one query for a few rows of a kind by their keys, `load` or `get_result`: on SQLite at once, on this
/// very thread.
///
/// Not `first`: it asks for a `LIMIT` by a parameter, and SQLite plans a statement anew whenever that is bound.
/// A key names one row at most.
macro_rules! query_row {
    ($db:expr, $method:ident::<$row:ident>($query:expr)) => {
        match $db {
            $crate::db::Db::Sqlite { lookup, .. } => {
                let query = $query.select($row::as_select());
                lookup.run(|conn| diesel::RunQueryDsl::$method(query, conn))?
            }
            $crate::db::Db::Postgres(pool) => {
                let query = $query.select($row::as_select());
                let _precedence = net::Precedence::raise();
                let conn = &mut *$crate::db::in_time(pool.get()).await?;
                diesel_async::RunQueryDsl::$method(query, conn).await
            }
        }
    };
}

/// Runs a body in one transaction of either backend.
///
/// To its end whatever happens: a client that hangs up drops its handler's future half-way, and a
/// transaction dropped half-way leaves its connection inside it. So SQLite's runs on the thread that
/// writes, PostgreSQL's in a task of its own.
macro_rules! transact {
    ($db:expr, |$conn:ident| $body:block) => {{
        match $db {
            $crate::db::Db::Sqlite { write, .. } => {
                use $crate::db::sqlite::{Connection, poll_ready};
                let work = async move |$conn: &mut Connection| $body;
                write.run(move |conn| poll_ready(work(conn))).await
            }
            $crate::db::Db::Postgres(pool) => {
                use diesel_async::AsyncConnection as _;
                use tracing::Instrument as _;
                let pool = pool.clone();
                let work = async move {
                    let conn = &mut *$crate::db::in_time(pool.get()).await?;
                    conn.transaction(async |$conn| $body).await
                };
                tokio::spawn(work.in_current_span()).await?
            }
        }
    }};
}

/// Writes a request's row, unchanged, if it awaits a submission and its time isn't over: 1 if so.
///
/// The first statement of every transaction that changes which takes a request has or which of them is
/// the video. On PostgreSQL these then wait for each other here, and each one's next statement sees
/// what the one before it did. The clock is read behind the wait for the connection.
macro_rules! hold_awaiting {
    ($conn:ident, $request:expr, $clock:expr) => {
        diesel::update($crate::db::schema::requests::table.find($request))
            .filter($crate::db::schema::requests::state.eq(RequestState::AwaitingSubmission))
            .filter($crate::db::schema::requests::expires_at.gt($clock.now()))
            .set($crate::db::schema::requests::bytes_gone.eq(false))
            .execute($conn)
            .await?
    };
}

use {hold_awaiting, query, query_row, transact};

#[cfg(test)]
mod tests {
    use diesel::result::{DatabaseErrorKind, Error};

    use super::*;

    fn said(message: &str) -> Error {
        Error::DatabaseError(DatabaseErrorKind::Unknown, Box::new(message.to_owned()))
    }

    #[test]
    fn a_full_disk_is_told_from_a_full_log_and_from_other_failures() {
        for (message, is_full) in [
            ("database or disk is full", true),
            (
                "could not extend file \"base/1/2\": No space left on device",
                true,
            ),
            (
                "could not write to file \"pg_wal/1\": No space left on device",
                false,
            ),
            ("disk I/O error", false),
        ] {
            let query = DbError::Query(said(message));
            assert_eq!(
                (query.is_full(), query.changed_nothing()),
                (is_full, is_full)
            );
            let commit = DbError::NotKept(Arc::new(said(message)));
            assert_eq!(
                (commit.is_full(), commit.changed_nothing()),
                (is_full, is_full)
            );
        }
        let missing = DbError::Query(Error::NotFound);
        assert!(!missing.is_full() && !missing.changed_nothing());
        assert!(!DbError::Busy.is_full() && DbError::Busy.changed_nothing());
        assert!(!DbError::WriterDied.changed_nothing());
    }
}
