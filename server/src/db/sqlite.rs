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

use super::{DbError, LONGEST_WAIT, PoolUse};

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

    /// How many transactions it has before it.
    pub(super) fn in_use(&self) -> PoolUse {
        let used = MOST_WAITING - self.room.available_permits();
        PoolUse {
            name: "write",
            used,
            limit: MOST_WAITING,
            waiting: used.saturating_sub(1),
        }
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
pub(super) fn poll_ready<T>(queries: impl Future<Output = T>) -> T {
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
    poll_ready(conn.spawn_blocking(move |conn| conn.batch_execute(statement)))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use diesel::connection::Connection as _;
    use diesel::sql_query;
    use diesel::{QueryableByName, RunQueryDsl};
    use futures_util::poll;
    use tempfile::TempDir;

    use super::*;

    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        n: i64,
    }

    type Work = Box<dyn FnOnce(&mut Connection) -> QueryResult<()> + Send>;

    struct Table {
        writer: Writer,
        path: String,
        _folder: TempDir,
    }

    impl Table {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("test.db").display().to_string();
            let mut setup = SqliteConnection::establish(&path).expect("a database");
            setup
                .batch_execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n BIGINT UNIQUE)")
                .expect("a table");
            let conn = SqliteConnection::establish(&path).expect("a connection");
            Self {
                writer: Writer::start(Connection::new(conn)).expect("a thread"),
                path,
                _folder: folder,
            }
        }

        fn rows(&self) -> Vec<i64> {
            let mut conn = SqliteConnection::establish(&self.path).expect("a connection");
            let rows = sql_query("SELECT n FROM t ORDER BY n").load::<Row>(&mut conn);
            let rows = rows.expect("rows").into_iter();
            rows.map(|row| row.n).collect()
        }

        /// Runs these while one before them keeps the writer busy, so that they gather.
        async fn together(&self, statements: &[&'static str]) -> Vec<bool> {
            let (release, held) = channel::<()>();
            let (begin, begun) = oneshot::channel::<()>();
            let run = |work: Work| Box::pin(self.writer.run(|conn| Ok(work(conn)?)));
            let mut busy = run(Box::new(move |_| {
                begin.send(()).expect("somebody who waits");
                held.recv().expect("to be released");
                Ok(())
            }));
            assert!(poll!(&mut busy).is_pending());
            begun.await.expect("a writer that works");
            let mut waiting = Vec::new();
            for statement in statements.iter().copied() {
                let mut one = run(Box::new(move |conn| execute(conn, statement)));
                // As there is room, the first look puts it behind those before it.
                assert!(poll!(&mut one).is_pending());
                waiting.push(one);
            }
            release.send(()).expect("somebody busy");
            assert!(busy.await.is_ok());
            let mut kept = Vec::new();
            for one in waiting {
                kept.push(one.await.is_ok());
            }
            kept
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn of_those_committed_together_one_that_fails_undoes_only_itself() {
        let table = Table::new();
        let kept = table
            .together(&[
                "INSERT INTO t VALUES (1)",
                "INSERT INTO t VALUES (2); INSERT INTO t VALUES (1)",
                "INSERT INTO t VALUES (3)",
            ])
            .await;
        assert_eq!(kept, [true, false, true]);
        assert_eq!(table.rows(), [1, 3]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn when_the_transaction_of_all_is_gone_nobody_is_told_of_success() {
        let table = Table::new();
        // As SQLite does by itself on some failures.
        let kept = table
            .together(&[
                "INSERT INTO t VALUES (1)",
                "ROLLBACK",
                "INSERT INTO t VALUES (2)",
            ])
            .await;
        assert!(!kept[0] && !kept[1], "{kept:?}");
        // Which hadn't begun by then, and is tried by itself.
        assert!(kept[2]);
        assert_eq!(table.rows(), [2]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_is_not_the_end_of_all_writing() {
        let table = Table::new();
        let panicked = table
            .writer
            .run(|_| -> Result<(), DbError> { panic!("on purpose") });
        assert!(matches!(panicked.await, Err(DbError::WriterDied)));
        let next = table
            .writer
            .run(|conn| Ok(execute(conn, "INSERT INTO t VALUES (1)")?));
        assert!(next.await.is_ok());
        assert_eq!(table.rows(), [1]);
    }
}
