//! Storage of rows: one query body for two databases.
//!
//! diesel-async has no released connection type that is SQLite or PostgreSQL at run time. Instead [`query_row!`],
//! [`query!`] and [`transact!`] compile each body once for either. Conditions that must hold under concurrency are
//! in the WHERE clause of one conditional statement, so neither database needs explicit row locks.
//!
//! No business rules: these functions report whether a row existed and changed; `service` decides what follows.

mod creation_rate;
mod error;
mod moderation;
mod objects;
mod postgres;
mod receipt_keys;
mod requests;
mod schema;
mod sealing;
mod sqlite;
mod stats;
mod takes;
mod time;

use std::time::Duration;

use diesel_async::AsyncPgConnection;
use diesel_async::pooled_connection::deadpool::{Object, Pool, PoolError};
use diesel_async::pooled_connection::{ManagerConfig, RecyclingMethod};
use tokio::time::timeout;

use schema::unsigned::{OptionalUnsigned, Unsigned};
use sqlite::inline_reader::InlineReader;
use sqlite::pooled_reader::PooledReader;
use sqlite::writer::SqliteWriter;

pub use creation_rate::{CreationCost, CreationOutcome};
pub use error::DbError;
pub use moderation::reports::{MAX_OPEN_REPORTS, Report, ReportInsertion};
pub use moderation::takedowns::{OpenRequest, RemovedTakes};
pub use objects::{NamedObject, ObjectTable, STORED_OBJECT_COST};
pub use postgres::database_url::DatabaseUrl;
pub use requests::Request;
pub use requests::due::SweepPlace;
pub use schema::migrations::MigrationState;
pub use schema::states::{
    CapturedAs, Reason, Refusal, RequestState, SealingState, TakeState, TranscriptState,
};
pub use sealing::jobs::SealingStatus;
pub use sealing::leases::{Lease, MAX_LEASE, Queue};
pub use sealing::seals::{Coding, Seal};
pub use sealing::stills::{ContactSheet, Illustrations, Still};
pub use sealing::transcripts::{Transcript, TranscriptOutcome};
pub use stats::{Backlog, PoolUse};
pub use takes::Take;
pub use takes::begin::{EndIdle, TakeInsertion};
pub use takes::chunks::{CHUNK_WINDOW, Chunk};
pub use takes::commit::{Addition, Claim, MAX_CHUNKS, MAX_COMMIT_TIME};

/// The database. Cheap to clone: it consists of pools.
#[derive(Clone)]
pub enum Db {
    /// An SQLite file, with many readers and one writer.
    /// Transactions queue for the writer in async code, so `SQLITE_BUSY` doesn't occur.
    Sqlite {
        /// Read-only connections for rows by their keys.
        lookup: InlineReader,
        /// Read-only connections for queries over many rows.
        read: PooledReader,
        /// The thread with the only connection that writes.
        write: SqliteWriter,
    },
    /// A PostgreSQL server.
    Postgres {
        /// The connections of all calls and jobs.
        pool: Pool<AsyncPgConnection>,
        /// One connection for the readiness probe, which tells a server that is away from a pool that is busy.
        probe: Pool<AsyncPgConnection>,
    },
}

/// The longest wait for a connection: meanwhile a client waits, and perhaps bytes occupy memory.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest wait for a few rows of PostgreSQL by their keys.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest wait for a read of many rows. Sums over all of them take minutes.
const SCAN_TIMEOUT: Duration = Duration::from_mins(10);

/// Waits for a connection of a pool. [`DbError::Busy`] after [`CONNECTION_TIMEOUT`].
async fn in_time<T>(connection: impl Future<Output = Result<T, PoolError>>) -> Result<T, DbError> {
    match timeout(CONNECTION_TIMEOUT, connection).await {
        Ok(connection) => Ok(connection?),
        Err(_) => Err(DbError::Busy),
    }
}

/// Waits for the answer to a read. [`DbError::ReadTimeout`] after this time.
async fn answered<T>(
    limit: Duration,
    read: impl Future<Output = Result<T, DbError>>,
) -> Result<T, DbError> {
    let answer = timeout(limit, read).await;
    answer.unwrap_or(Err(DbError::ReadTimeout))
}

/// Closes a connection of a pool, which opens another one.
fn discard(conn: Object<AsyncPgConnection>) {
    drop(Object::take(conn));
}

/// Turns off the `SELECT 1` that deadpool's default runs at every checkout.
fn fast_recycling<C: diesel_async::AsyncConnection>(
    mut config: ManagerConfig<C>,
) -> ManagerConfig<C> {
    config.recycling_method = RecyclingMethod::Fast;
    config
}

/// Runs a read-only body on a connection of either database. What it uses, it must own.
///
/// SQLite runs it to completion even when the caller is dropped ([`PooledReader`]).
macro_rules! query {
    ($db:expr, |$conn:ident| $body:expr) => {{
        let _precedence = net::Precedence::raise();
        match $db {
            $crate::db::Db::Sqlite { read, .. } => {
                use $crate::db::sqlite::{BlockingConnection, poll_ready};
                let work = async move |$conn: &mut BlockingConnection| $body;
                read.run(move |conn| poll_ready(work(conn))).await
            }
            $crate::db::Db::Postgres { pool, .. } => {
                let limit = $crate::db::SCAN_TIMEOUT;
                Box::pin(async { $crate::db::read_postgres!(pool, limit, |$conn| $body) }).await
            }
        }
    }};
}

/// Runs a read-only body on a connection of PostgreSQL.
/// [`DbError::ReadTimeout`] after this time: a server that is frozen still acknowledges what TCP sends.
macro_rules! read_postgres {
    ($pool:expr, $limit:expr, |$conn:ident| $body:expr) => {{
        let mut pooled = $crate::db::in_time($pool.get()).await?;
        let $conn = &mut *pooled;
        let answer = $crate::db::answered($limit, async { $body }).await;
        if matches!(answer, Err($crate::db::DbError::ReadTimeout)) {
            // The next one would wait behind this read.
            $crate::db::discard(pooled);
        }
        answer
    }};
}

/// Runs one query for a few rows by their keys, with `load` or `get_result`.
/// On SQLite it runs on the calling thread.
///
/// Not with `first`: it binds a `LIMIT`, and SQLite plans a statement anew whenever that parameter is bound. A key
/// names one row at most.
macro_rules! query_row {
    ($db:expr, $method:ident::<$row:ident>($query:expr)) => {
        match $db {
            $crate::db::Db::Sqlite { lookup, .. } => {
                let query = $query.select($row::as_select());
                lookup.run(|conn| diesel::RunQueryDsl::$method(query, conn))?
            }
            $crate::db::Db::Postgres { pool, .. } => {
                let query = $query.select($row::as_select());
                let _precedence = net::Precedence::raise();
                let limit = $crate::db::LOOKUP_TIMEOUT;
                let lookup = async {
                    $crate::db::read_postgres!(pool, limit, |conn| {
                        // Whether there is a row is the caller's question.
                        Ok(diesel_async::RunQueryDsl::$method(query, conn).await)
                    })
                };
                // Its future is large, and would be a part of each caller's, with SQLite too.
                Box::pin(lookup).await?
            }
        }
    };
}

/// Runs a body in one transaction of either database, to completion even when the caller is dropped.
///
/// A client that disconnects drops its handler's future, and a transaction dropped half-way would leave its connection
/// inside it. So it runs on SQLite's writer thread, or in a task of its own for PostgreSQL.
macro_rules! transact {
    ($db:expr, |$conn:ident| $body:block) => {{
        match $db {
            $crate::db::Db::Sqlite { write, .. } => {
                use $crate::db::sqlite::{BlockingConnection, poll_ready};
                let work = async move |$conn: &mut BlockingConnection| $body;
                write.run(move |conn| poll_ready(work(conn))).await
            }
            $crate::db::Db::Postgres { pool, .. } => {
                use diesel_async::AsyncConnection as _;
                let pool = pool.clone();
                let work = async move {
                    let conn = &mut *$crate::db::in_time(pool.get()).await?;
                    conn.transaction(async |$conn| $body).await
                };
                tokio::spawn($crate::telemetry::logging::request::inheriting(work)).await?
            }
        }
    }};
}

/// Updates a request's row, without changing it, if it awaits a submission and hasn't expired: 1 if so.
///
/// The first statement of every transaction that changes which takes a request has, or which of them is the video. On
/// PostgreSQL such transactions wait for each other at this row, and the next statement of each one sees what the
/// previous one committed. The clock is read after the wait for the connection.
macro_rules! hold_awaiting {
    ($conn:ident, $request:expr, $clock:expr) => {
        diesel::update($crate::db::schema::requests::table.find($request))
            .filter($crate::db::schema::requests::state.eq(RequestState::AwaitingSubmission))
            .filter($crate::db::schema::requests::expires_at.gt($clock.now()))
            .set($crate::db::schema::requests::purged.eq(false))
            .execute($conn)
            .await?
    };
}

use {hold_awaiting, query, query_row, read_postgres, transact};
