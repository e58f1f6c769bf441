//! Failures of the database. None of them is the client's fault.

use std::sync::Arc;

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error as QueryError};
use diesel_async::pooled_connection::deadpool::{BuildError, PoolError};
use tokio::task::JoinError;

use super::CONNECTION_TIMEOUT;

/// A failure of the database.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The database can't be opened.
    #[error("the database at {place} can't be opened")]
    Open {
        /// The file or server, without credentials.
        place: String,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The root certificates that the database's URL names, or those of the system, can't be used.
    #[error(
        "the root certificates for the database (sslrootcert, or else the system's) can't be used"
    )]
    Roots(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A connection pooler loses prepared statements.
    #[error(
        "the database connection loses prepared statements, as behind a PgBouncer in transaction mode: set its \
         max_prepared_statements (PgBouncer 1.21 or later), or use its session mode, or PostgreSQL's own address"
    )]
    StatementsLost(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// There is no SQLite file, and the caller mustn't create one.
    #[error(
        "there is no {place}: name the folder of the server's data by --data-dir or VIDENCE_DATA_DIR, or its database by \
         --database-url"
    )]
    Missing {
        /// The file.
        place: String,
    },
    /// The list of applied migrations can't be read.
    #[error("the applied migrations can't be read from the database")]
    Migrations(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A migration failed and was rolled back.
    #[error("the migration {name} failed and was rolled back")]
    Migrate {
        /// The folder's name of the migration.
        name: String,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another program has the lock of the migrations, for longer than a command waits.
    #[error(
        "the database is being migrated by another node, or an ended one has left its lock in a pooler's session: try it \
         again later"
    )]
    Migrating,
    /// The schema lacks this many migrations.
    #[error(
        "the database's schema is older than this program, by {0} migrations: `vidence migrate` brings it up to date"
    )]
    TooOld(usize),
    /// A newer program has removed something that this one needs.
    #[error(
        "a newer vidence has changed the database's schema, and this one no longer works on it (migration {0}): run the newer one"
    )]
    TooNew(String),
    /// No connection could be established.
    #[error("no database connection")]
    Connection(#[from] PoolError),
    /// A further reading connection to the SQLite file could not be opened.
    #[error("no further database connection")]
    OpenReader(#[from] diesel::ConnectionError),
    /// No connection became free in time. Nothing was begun.
    #[error("no database connection within {} s", CONNECTION_TIMEOUT.as_secs())]
    Busy,
    /// A read wasn't answered in time.
    #[error("the database doesn't answer")]
    ReadTimeout,
    /// A connection pool can't be set up.
    #[error("no database pool")]
    Pool(#[from] BuildError),
    /// A statement failed.
    #[error("a query failed")]
    Query(#[from] QueryError),
    /// The commit failed, for this transaction and for all that were to be committed with it.
    #[error("the commit of a transaction failed")]
    CommitFailed(#[source] Arc<QueryError>),
    /// The disk of the SQLite file is read-only.
    #[error("the database's disk is read-only")]
    ReadOnly,
    /// The transaction panicked or could not begin, or the SQLite writer thread stopped.
    #[error("the SQLite writer thread stopped")]
    WriterStopped,
    /// A transaction has been running for minutes, and may name old objects when it commits.
    #[error(
        "a transaction doesn't end: no orphans are removed meanwhile, because it may name one of them"
    )]
    LateTransaction,
    /// The task of a query or a transaction panicked, or the runtime stopped before it began.
    /// Without the message of the panic, which may quote a secret.
    #[error("the task of a query panicked, or the server stopped before it")]
    TaskEnded,
}

impl From<JoinError> for DbError {
    fn from(_: JoinError) -> Self {
        Self::TaskEnded
    }
}

impl DbError {
    /// Whether the database's disk is full. Then nothing of the transaction was kept.
    pub fn is_full(&self) -> bool {
        let error = match self {
            Self::Query(error) => error,
            Self::CommitFailed(error) => error.as_ref(),
            _ => return false,
        };
        let QueryError::DatabaseError(_, info) = error else {
            return false;
        };
        is_disk_full(info.as_ref())
    }

    /// Whether its disk takes no writes now: it is full or read-only.
    pub fn is_unwritable(&self) -> bool {
        self.is_full() || matches!(self, Self::ReadOnly)
    }

    /// Whether the database doesn't answer now, or is too busy to.
    pub fn is_unavailable(&self) -> bool {
        let closed = |error: &QueryError| {
            matches!(
                error,
                // The second is what diesel-async makes of a closed connection, and the third a server that another
                // one has taken over from.
                QueryError::DatabaseError(
                    DatabaseErrorKind::ClosedConnection
                        | DatabaseErrorKind::UnableToSendCommand
                        | DatabaseErrorKind::ReadOnlyTransaction,
                    _
                )
            )
        };
        match self {
            Self::Busy | Self::ReadTimeout | Self::Connection(_) => true,
            Self::Query(error) => closed(error),
            Self::CommitFailed(error) => closed(error),
            _ => false,
        }
    }

    /// Whether it is certain that nothing was written.
    pub fn changed_nothing(&self) -> bool {
        self.is_full() || matches!(self, Self::Busy | Self::Connection(_))
    }
}

/// The text of `sqlite3_errstr(SQLITE_FULL)`.
const SQLITE_FULL: &str = "database or disk is full";

/// How PostgreSQL reports a table or an index that can't grow: SQLSTATE 53100, `disk_full`.
const POSTGRES_DISK_FULL: &str = "could not extend file";

/// Whether an error says that there is no space left for the database.
///
/// The one place that decides by message text, because diesel passes nothing else on: for errors without a
/// [`DatabaseErrorKind`](diesel::result::DatabaseErrorKind) of their own its SQLite backend drops the result code, and
/// diesel-async drops the SQLSTATE. A PostgreSQL whose `lc_messages` isn't English is not recognized; the error then
/// counts as any other failure.
///
/// SQLSTATE 53100 would cover too much, anyway: where the write-ahead log has no space, a recovery may still find what
/// was to be committed.
fn is_disk_full(info: &dyn DatabaseErrorInformation) -> bool {
    info.message() == SQLITE_FULL || info.message().starts_with(POSTGRES_DISK_FULL)
}

#[cfg(test)]
mod tests {
    use diesel::SqliteConnection;
    use diesel::connection::{Connection, SimpleConnection};
    use diesel::result::DatabaseErrorKind;

    use super::*;

    fn with_message(message: &str) -> QueryError {
        QueryError::DatabaseError(DatabaseErrorKind::Unknown, Box::new(message.to_owned()))
    }

    #[test]
    fn closed_connections_and_failed_statements_are_distinguished() {
        for (kind, is_unavailable) in [
            (DatabaseErrorKind::ClosedConnection, true),
            (DatabaseErrorKind::UnableToSendCommand, true),
            (DatabaseErrorKind::ReadOnlyTransaction, true),
            (DatabaseErrorKind::UniqueViolation, false),
            (DatabaseErrorKind::Unknown, false),
        ] {
            let error = || QueryError::DatabaseError(kind, Box::new(String::new()));
            assert_eq!(DbError::Query(error()).is_unavailable(), is_unavailable);
            let commit = DbError::CommitFailed(Arc::new(error()));
            assert_eq!(commit.is_unavailable(), is_unavailable);
        }
        assert!(DbError::Busy.is_unavailable() && !DbError::WriterStopped.is_unavailable());
    }

    #[test]
    fn a_full_disk_is_distinguished_from_a_full_log() {
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
            let query = DbError::Query(with_message(message));
            assert_eq!(
                (query.is_full(), query.changed_nothing()),
                (is_full, is_full)
            );
            let commit = DbError::CommitFailed(Arc::new(with_message(message)));
            assert_eq!(
                (commit.is_full(), commit.changed_nothing()),
                (is_full, is_full)
            );
        }
        let missing = DbError::Query(QueryError::NotFound);
        assert!(!missing.is_full() && !missing.changed_nothing());
        assert!(!DbError::Busy.is_full() && DbError::Busy.changed_nothing());
        assert!(!DbError::WriterStopped.changed_nothing());
    }

    #[test]
    fn sqlite_reports_a_full_database_as_expected() {
        let mut conn = SqliteConnection::establish(":memory:").expect("a database");
        conn.batch_execute("CREATE TABLE t (x BLOB); PRAGMA max_page_count = 4")
            .expect("a table");
        let full = conn.batch_execute("INSERT INTO t VALUES (zeroblob(1000000))");
        let error = DbError::Query(full.expect_err("too large for four pages"));
        assert!(error.is_full(), "{error:?}");
    }
}
