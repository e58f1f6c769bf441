use std::sync::mpsc::channel;

use diesel::connection::Connection as _;
use diesel::{QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use futures_util::poll;
use tempfile::TempDir;

use super::*;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    n: i64,
}

type Work = Box<dyn FnOnce(&mut BlockingConnection) -> QueryResult<()> + Send>;

struct Table {
    writer: SqliteWriter,
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
            writer: SqliteWriter::start(BlockingConnection::new(conn), folder.path().to_owned())
                .expect("a thread"),
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

    /// Runs these while an earlier one keeps the writer busy, so that they are committed together.
    async fn together(&self, statements: &[&'static str]) -> Vec<bool> {
        let (release, held) = channel::<()>();
        let (begin, begun) = oneshot::channel::<()>();
        let run = |work: Work| Box::pin(self.writer.run(|conn| Ok(work(conn)?)));
        let mut busy = run(Box::new(move |_| {
            begin.send(()).expect("a receiver");
            held.recv().expect("to be released");
            Ok(())
        }));
        assert!(poll!(&mut busy).is_pending());
        begun.await.expect("a writer that works");
        let mut waiting = Vec::new();
        for statement in statements.iter().copied() {
            let mut one = run(Box::new(move |conn| execute(conn, statement)));
            // The first poll enqueues it, as there are free slots.
            assert!(poll!(&mut one).is_pending());
            waiting.push(one);
        }
        release.send(()).expect("a receiver");
        assert!(busy.await.is_ok());
        let mut kept = Vec::new();
        for one in waiting {
            kept.push(one.await.is_ok());
        }
        kept
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_write_pool_shows_who_writes_and_who_waits() {
    let table = Table::new();
    let pool_use = || {
        let PoolUse { used, waiting, .. } = table.writer.in_use();
        (used, waiting)
    };
    assert_eq!(pool_use(), (0, 0));
    assert_eq!(table.writer.in_use().limit, MAX_WAITING);
    let (release, held) = channel::<()>();
    let mut busy = Box::pin(table.writer.run(move |_| {
        held.recv().expect("to be released");
        Ok(())
    }));
    assert!(poll!(&mut busy).is_pending());
    assert_eq!(pool_use(), (1, 0));
    let mut next = Box::pin(table.writer.run(|_| Ok(())));
    assert!(poll!(&mut next).is_pending());
    assert_eq!(pool_use(), (2, 1));
    release.send(()).expect("a receiver");
    assert!(busy.await.is_ok() && next.await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_transaction_of_a_group_commit_rolls_back_alone() {
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
async fn a_lost_group_commit_fails_every_transaction() {
    let table = Table::new();
    // SQLite rolls back by itself on some failures.
    let kept = table
        .together(&[
            "INSERT INTO t VALUES (1)",
            "ROLLBACK",
            "INSERT INTO t VALUES (2)",
        ])
        .await;
    assert!(!kept[0] && !kept[1], "{kept:?}");
    // The third one hadn't begun by then, and runs in the next batch.
    assert!(kept[2]);
    assert_eq!(table.rows(), [2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sqlite_writer_survives_a_panicking_transaction() {
    let table = Table::new();
    let panicked = table
        .writer
        .run(|_| -> Result<(), DbError> { panic!("on purpose") });
    assert!(matches!(panicked.await, Err(DbError::WriterStopped)));
    let next = table
        .writer
        .run(|conn| Ok(execute(conn, "INSERT INTO t VALUES (1)")?));
    assert!(next.await.is_ok());
    assert_eq!(table.rows(), [1]);
}
