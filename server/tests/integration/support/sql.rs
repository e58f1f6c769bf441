//! Changes of a test server's database behind its back.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, QueryableByName, SqliteConnection, sql_query};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use tokio::sync::Mutex;

use super::{Server, wait_until};

impl Server {
    /// Runs these statements on a connection of their own.
    pub async fn execute_sql(&self, statements: &str) {
        if let Some(url) = self.database_url() {
            let mut connection = AsyncPgConnection::establish(url).await.expect("a database");
            connection.batch_execute(statements).await.expect("rows");
            return;
        }
        let file = self.config().store.data_dir.join("vidence.db");
        let file = file.to_str().expect("UTF-8");
        let mut connection = SqliteConnection::establish(file).expect("a database");
        // The server may be writing.
        let statements = format!("PRAGMA busy_timeout = 60000; {statements}");
        connection.batch_execute(&statements).expect("rows");
    }
}

/// An open transaction in PostgreSQL, for which other sessions wait.
pub struct Blocker(Mutex<AsyncPgConnection>);

#[derive(QueryableByName)]
struct Blocked {
    #[diesel(sql_type = BigInt)]
    sessions: i64,
}

impl Blocker {
    /// Begins a transaction with this statement, which takes the lock.
    pub async fn begin(url: &str, statement: &str) -> Self {
        let mut connection = AsyncPgConnection::establish(url).await.expect("a database");
        let statements = format!("BEGIN; {statement}");
        connection.batch_execute(&statements).await.expect("a lock");
        Self(Mutex::new(connection))
    }

    /// Waits until so many sessions wait for the transaction's end with a query that has this in it.
    /// Others, such as those of a sweep, don't count.
    pub async fn wait_for_blocked(&self, sessions: i64, query: &str) {
        let blocked = "SELECT COUNT(*) AS sessions FROM pg_stat_activity \
                       WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)) \
                       AND position($1 IN query) > 0";
        wait_until(async || {
            let connection = &mut *self.0.lock().await;
            // A transaction sees what others did when it first asked.
            let fresh = connection.batch_execute("SELECT pg_stat_clear_snapshot()");
            fresh.await.expect("a snapshot");
            let blocked = sql_query(blocked).bind::<Text, _>(query);
            let blocked = blocked.get_result::<Blocked>(connection).await;
            blocked.expect("a count").sessions == sessions
        })
        .await;
    }

    /// Ends the transaction without a change.
    pub async fn release(self) {
        self.end("ROLLBACK").await;
    }

    /// Ends the transaction, and changes what its statement changed.
    pub async fn commit(self) {
        self.end("COMMIT").await;
    }

    async fn end(self, statement: &str) {
        let mut connection = self.0.into_inner();
        connection.batch_execute(statement).await.expect("an end");
    }
}
