//! SQLite: connections that read, and the one thread that writes.
//!
//! A commit waits for the disk, and while it does the next ones gather. They are then committed together,
//! with one wait for all of them; each still keeps or undoes its own statements. Nobody hears of success
//! before that commit.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;

use diesel::SqliteConnection;
use diesel::connection::SimpleConnection;
use diesel::result::{Error as QueryError, QueryResult};
use diesel_async::sync_connection_wrapper::{SpawnBlocking, SyncConnectionWrapper};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;
use tracing::error;

use super::{DbError, LONGEST_WAIT};

/// As many transactions wait at a time, and so are committed together.
const MOST_WAITING: usize = 64;

/// Runs each statement on a thread for blocking work.
pub(super) type Reader = SyncConnectionWrapper<SqliteConnection>;

/// Runs each statement on its caller's thread: the one that writes.
pub(super) type Connection = SyncConnectionWrapper<SqliteConnection, InPlace>;

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

/// The thread that writes. Cheap to clone; the thread ends with the last of them.
#[derive(Clone)]
pub struct Writer {
    jobs: mpsc::Sender<Job>,
    room: Arc<Semaphore>,
}

/// A transaction that waits.
struct Job {
    work: Box<dyn FnOnce(&mut Connection) -> Done + Send>,
    _room: OwnedSemaphorePermit,
}

/// One whose statements have run.
struct Done {
    /// Whether they are to be kept.
    keep: bool,
    /// Tells its caller, once it is known what became of them.
    tell: Box<dyn FnOnce(Result<(), Arc<QueryError>>) + Send>,
}

impl Writer {
    /// Starts the thread on the only connection that may write.
    pub(super) fn start(mut conn: Connection) -> std::io::Result<Self> {
        let (jobs, waiting) = mpsc::channel();
        let work = move || {
            while let Ok(first) = waiting.recv() {
                let mut batch: Vec<Job> = [first].into_iter().chain(waiting.try_iter()).collect();
                // What an earlier failure left undone is a batch of its own.
                while !batch.is_empty() {
                    batch = commit_together(&mut conn, batch);
                }
            }
        };
        thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(work)?;
        Ok(Self {
            jobs,
            room: Arc::new(Semaphore::new(MOST_WAITING)),
        })
    }

    /// Runs `body` in a transaction, to its end whatever becomes of the caller. [`DbError::Busy`]: it was
    /// never begun.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut Connection) -> Result<T, DbError> + Send + 'static,
    ) -> Result<T, DbError> {
        let room = timeout(LONGEST_WAIT, self.room.clone().acquire_owned()).await;
        let room = room.map_err(|_| DbError::Busy)?;
        let (tell, told) = oneshot::channel();
        let work = move |conn: &mut Connection| {
            let done = body(conn);
            Done {
                keep: done.is_ok(),
                tell: Box::new(move |committed| {
                    let outcome = done.and_then(|value| match committed {
                        Ok(()) => Ok(value),
                        Err(error) => Err(DbError::NotKept(error)),
                    });
                    // A caller that hung up doesn't listen.
                    let _ = tell.send(outcome);
                }),
            }
        };
        let job = Job {
            work: Box::new(work),
            _room: room.map_err(|_| DbError::WriterDied)?,
        };
        self.jobs.send(job).map_err(|_| DbError::WriterDied)?;
        told.await.map_err(|_| DbError::WriterDied)?
    }
}

/// The result of queries that ran [`InPlace`].
pub(super) fn now<T>(queries: impl Future<Output = T>) -> T {
    // They never wait for anything.
    queries.now_or_never().expect("ready at the first look")
}

/// Runs these and commits them at once. Returns those that weren't begun because one before them broke
/// the transaction; then none of those that had run is kept.
fn commit_together(conn: &mut Connection, jobs: Vec<Job>) -> Vec<Job> {
    if let Err(error) = execute(conn, "BEGIN IMMEDIATE") {
        // Their callers learn that nobody wrote.
        error!(error = &error as &dyn Error, "no transaction can begin");
        return Vec::new();
    }
    let mut done = Vec::new();
    let mut jobs = jobs.into_iter();
    let mut going = Ok(());
    while going.is_ok()
        && let Some(job) = jobs.next()
    {
        going = run_one(conn, job, &mut done);
    }
    let ended = going.and_then(|()| execute(conn, "COMMIT"));
    let told = ended.map_err(|error| {
        // Some failures have undone everything already: then this one says so, and is no failure.
        let _ = execute(conn, "ROLLBACK");
        Arc::new(error)
    });
    for Done { tell, .. } in done {
        tell(told.clone());
    }
    jobs.collect()
}

/// Runs one, and undoes its statements if it wants that. An error: the transaction of all is broken.
fn run_one(conn: &mut Connection, job: Job, done: &mut Vec<Done>) -> QueryResult<()> {
    execute(conn, "SAVEPOINT one")?;
    // A bug in one of them must not be the end of all writing.
    let Ok(one) = catch_unwind(AssertUnwindSafe(|| (job.work)(conn))) else {
        return Err(QueryError::RollbackTransaction);
    };
    let keep = one.keep;
    done.push(one);
    if !keep {
        execute(conn, "ROLLBACK TO one")?;
    }
    execute(conn, "RELEASE one")
}

fn execute(conn: &mut Connection, statement: &'static str) -> QueryResult<()> {
    now(conn.spawn_blocking(move |conn| conn.batch_execute(statement)))
}
