//! SQLite's two kinds of connection, by the thread on which a statement runs.

use std::error::Error;

use diesel::SqliteConnection;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use diesel_async::sync_connection_wrapper::{SpawnBlocking, SyncConnectionWrapper};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use tokio::runtime::Handle;

use super::DbError;

/// Runs each statement on a thread for blocking work.
pub(super) type Reader = SyncConnectionWrapper<SqliteConnection>;

/// Runs each statement on its caller's thread, which must be one for blocking work.
pub(super) type Writer = SyncConnectionWrapper<SqliteConnection, InPlace>;

/// No other thread.
pub struct InPlace;

impl SpawnBlocking for InPlace {
    fn spawn_blocking<'a, R: Send + 'static>(
        &mut self,
        task: impl FnOnce() -> R + Send + 'static,
    ) -> BoxFuture<'a, Result<R, Box<dyn Error + Send + Sync>>> {
        ready(Ok(task())).boxed()
    }

    fn get_runtime() -> Self {
        Self
    }
}

/// Runs `body` in one transaction that holds the right to write from its beginning: one that reads first
/// and writes then can be refused half-way. On a thread for blocking work, without leaving it.
pub(super) fn transaction<T>(
    conn: &mut Writer,
    body: impl AsyncFnOnce(&mut Writer) -> Result<T, DbError>,
) -> Result<T, DbError> {
    Handle::current().block_on(async {
        let begin =
            |conn: &mut _| AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE");
        conn.spawn_blocking(begin).await?;
        let done = body(conn).await;
        let end = match done {
            Ok(_) => AnsiTransactionManager::commit_transaction,
            Err(_) => AnsiTransactionManager::rollback_transaction,
        };
        let ended = conn.spawn_blocking(end).await;
        let value = done?;
        ended?;
        Ok(value)
    })
}
