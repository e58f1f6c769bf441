//! The thread that writes to SQLite: group commit.
//!
//! A commit waits for the disk. Transactions that arrive meanwhile are committed together, with one wait for all of
//! them; each has a savepoint of its own, so it keeps or undoes only its own statements. No caller is told of success
//! before the common commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;

use diesel::connection::SimpleConnection;
use diesel::result::{Error as QueryError, QueryResult};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;
use tracing::error;

use super::{BlockingConnection, poll_ready};
use crate::db::{CONNECTION_TIMEOUT, DbError, PoolUse};
use crate::disk;
use crate::telemetry::logging::AsDynError;

/// The most transactions that wait at a time, and so the most that are committed together.
const MAX_WAITING: usize = 64;

/// The handle of the writer thread. Cheap to clone; the thread ends with the last handle.
#[derive(Clone)]
pub struct SqliteWriter {
    queue: mpsc::Sender<QueuedTransaction>,
    slots: Arc<Semaphore>,
    folder: Arc<Path>,
}

/// A transaction that waits.
struct QueuedTransaction {
    run: Box<dyn FnOnce(&mut BlockingConnection) -> Executed + Send>,
    _slot: OwnedSemaphorePermit,
}

/// A transaction whose statements have run.
struct Executed {
    /// Whether its statements are to be kept.
    keep: bool,
    /// Reports to its caller, with the result of the common commit.
    report: Box<dyn FnOnce(Result<(), Arc<QueryError>>) + Send>,
}

impl SqliteWriter {
    /// Starts the thread. `conn` is the only connection that writes; `folder` holds its file.
    pub(super) fn start(mut conn: BlockingConnection, folder: PathBuf) -> std::io::Result<Self> {
        let (queue, waiting) = mpsc::channel();
        let work = move || {
            while let Ok(first) = waiting.recv() {
                let mut batch: Vec<QueuedTransaction> =
                    [first].into_iter().chain(waiting.try_iter()).collect();
                // What a failure has left unbegun is the next batch.
                while !batch.is_empty() {
                    batch = commit_together(&mut conn, batch);
                }
            }
        };
        thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(work)?;
        Ok(Self {
            queue,
            slots: Arc::new(Semaphore::new(MAX_WAITING)),
            folder: folder.into(),
        })
    }

    /// Whether the disk of the database is read-only. `false` if it can't tell.
    ///
    /// Asked of the folder: opening and closing the file would release SQLite's locks on it.
    pub(in crate::db) async fn is_read_only(&self) -> bool {
        let folder = self.folder.clone();
        let asked = tokio::task::spawn_blocking(move || disk::is_read_only(&folder));
        matches!(asked.await, Ok(Ok(true)))
    }

    /// The number of transactions that wait or run.
    pub(in crate::db) fn in_use(&self) -> PoolUse {
        let used = MAX_WAITING - self.slots.available_permits();
        PoolUse {
            name: "write",
            used,
            limit: MAX_WAITING,
            waiting: used.saturating_sub(1),
        }
    }

    /// Runs `body` in a transaction, to completion even when the caller is dropped.
    /// [`DbError::Busy`]: it was never begun. [`DbError::ReadOnly`]: it failed, for this reason, which SQLite reports
    /// like any other.
    pub(in crate::db) async fn run<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut BlockingConnection) -> Result<T, DbError> + Send + 'static,
    ) -> Result<T, DbError> {
        match self.queue(body).await {
            Err(
                cause @ (DbError::CommitFailed(_) | DbError::Query(_) | DbError::WriterStopped),
            ) if self.is_read_only().await => {
                error!(
                    error = cause.as_dyn(),
                    "a transaction failed on a read-only disk"
                );
                Err(DbError::ReadOnly)
            }
            outcome => outcome,
        }
    }

    async fn queue<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut BlockingConnection) -> Result<T, DbError> + Send + 'static,
    ) -> Result<T, DbError> {
        let slot = timeout(CONNECTION_TIMEOUT, self.slots.clone().acquire_owned()).await;
        let slot = slot.map_err(|_| DbError::Busy)?;
        let (sender, receiver) = oneshot::channel();
        let run = move |conn: &mut BlockingConnection| {
            let result = body(conn);
            Executed {
                keep: result.is_ok(),
                report: Box::new(move |committed| {
                    let outcome = result.and_then(|value| match committed {
                        Ok(()) => Ok(value),
                        Err(error) => Err(DbError::CommitFailed(error)),
                    });
                    // Fails when the caller was dropped.
                    let _ = sender.send(outcome);
                }),
            }
        };
        let transaction = QueuedTransaction {
            run: Box::new(run),
            _slot: slot.map_err(|_| DbError::WriterStopped)?,
        };
        self.queue
            .send(transaction)
            .map_err(|_| DbError::WriterStopped)?;
        receiver.await.map_err(|_| DbError::WriterStopped)?
    }
}

/// Runs these transactions and commits them together.
///
/// If one of them breaks the common transaction, none that has run is kept. Returns those that weren't begun by then.
fn commit_together(
    conn: &mut BlockingConnection,
    batch: Vec<QueuedTransaction>,
) -> Vec<QueuedTransaction> {
    if let Err(error) = execute(conn, "BEGIN IMMEDIATE") {
        // Dropping the transactions reports `WriterStopped` to their callers.
        error!(error = error.as_dyn(), "no transaction can begin");
        return Vec::new();
    }
    let mut executed = Vec::new();
    let mut batch = batch.into_iter();
    let mut result = Ok(());
    while result.is_ok()
        && let Some(transaction) = batch.next()
    {
        result = run_in_savepoint(conn, transaction, &mut executed);
    }
    let committed = result.and_then(|()| execute(conn, "COMMIT"));
    let committed = committed.map_err(|error| {
        // Fails where SQLite has rolled back by itself already, as it does on some errors.
        let _ = execute(conn, "ROLLBACK");
        Arc::new(error)
    });
    for Executed { report, .. } in executed {
        report(committed.clone());
    }
    batch.collect()
}

/// Runs one transaction, and undoes its statements if it failed.
/// An error: the common transaction is broken.
fn run_in_savepoint(
    conn: &mut BlockingConnection,
    transaction: QueuedTransaction,
    executed: &mut Vec<Executed>,
) -> QueryResult<()> {
    execute(conn, "SAVEPOINT one")?;
    // A panic must not end the thread, and with it all writing.
    let Ok(one) = catch_unwind(AssertUnwindSafe(|| (transaction.run)(conn))) else {
        return Err(QueryError::RollbackTransaction);
    };
    let keep = one.keep;
    executed.push(one);
    if !keep {
        execute(conn, "ROLLBACK TO one")?;
    }
    execute(conn, "RELEASE one")
}

fn execute(conn: &mut BlockingConnection, statement: &'static str) -> QueryResult<()> {
    poll_ready(conn.spawn_blocking(move |conn| conn.batch_execute(statement)))
}

#[cfg(test)]
mod tests;
