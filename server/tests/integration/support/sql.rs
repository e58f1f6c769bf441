//! Changes of a test server's database behind its back.

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};

use super::Server;

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
