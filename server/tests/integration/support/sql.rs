//! Changes of a test server's database behind its back.

use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
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
        let statements = format!("PRAGMA busy_timeout = 5000; {statements}");
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

    /// Waits until so many sessions wait for the transaction's end.
    pub async fn wait_for_blocked(&self, sessions: i64) {
        let blocked = "SELECT COUNT(DISTINCT pid) AS sessions FROM pg_locks \
                       WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))";
        wait_until(async || {
            let connection = &mut *self.0.lock().await;
            let blocked = sql_query(blocked).get_result::<Blocked>(connection).await;
            blocked.expect("a count").sessions == sessions
        })
        .await;
    }

    /// Ends the transaction without a change.
    pub async fn release(self) {
        let mut connection = self.0.into_inner();
        connection.batch_execute("ROLLBACK").await.expect("an end");
    }
}
