//! Changes of rows that no call makes, beside the servers.

use std::path::PathBuf;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use server::clock::{Clock, Millis};
use tokio::task::spawn_blocking;

/// A clock may be so far behind that of another node or of the database.
const SKEW: Millis = 1000;

/// A database.
#[derive(Clone)]
pub enum Rows {
    /// This SQLite file.
    Sqlite(PathBuf),
    /// The PostgreSQL database at this URL.
    Postgres(String),
}

impl Rows {
    /// Lets a request expire when the change is committed.
    pub async fn expire(&self, request: &str) {
        let at = Clock::System.now() - SKEW;
        // An id has letters, digits, - and _ alone.
        let expire = format!("UPDATE requests SET expires_at = {at} WHERE id = '{request}'");
        match self.clone() {
            Self::Sqlite(file) => {
                let file = file.display().to_string();
                let expiring = spawn_blocking(move || {
                    let mut conn = SqliteConnection::establish(&file).expect("the file");
                    let waiting = "PRAGMA busy_timeout = 60000";
                    conn.batch_execute(waiting).expect("a setting");
                    conn.batch_execute(&expire).expect("a row");
                });
                expiring.await.expect("no panic");
            }
            Self::Postgres(url) => {
                let conn = AsyncPgConnection::establish(&url).await;
                let expiring = conn.expect("PostgreSQL").batch_execute(&expire).await;
                expiring.expect("a row");
            }
        }
    }
}
