//! Reading rows of SQLite by their keys, on the calling thread.
//!
//! Such a query reads a few pages, which are nearly always in memory: that takes less time than passing the query to
//! another thread and the result back. A writer doesn't block readers (`journal_mode = WAL`). Queries over many rows go
//! to a pool instead, whose connections run on threads for blocking work.

use std::sync::Arc;

use diesel::result::QueryResult;
use diesel::{ConnectionResult, SqliteConnection};
use parking_lot::Mutex;

/// Opens a read-only connection.
type Open = dyn Fn() -> ConnectionResult<SqliteConnection> + Send + Sync;

/// Read-only connections for the calling thread. Cheap to clone.
#[derive(Clone)]
pub struct InlineReader {
    idle: Arc<Mutex<Vec<SqliteConnection>>>,
    open: Arc<Open>,
}

impl InlineReader {
    pub(super) fn new(
        open: impl Fn() -> ConnectionResult<SqliteConnection> + Send + Sync + 'static,
    ) -> Self {
        Self {
            idle: Arc::default(),
            open: Arc::new(open),
        }
    }

    /// Runs a query on an idle connection, or on a new one.
    /// There are as many connections as threads query at once.
    pub(in crate::db) fn run<T>(
        &self,
        query: impl FnOnce(&mut SqliteConnection) -> QueryResult<T>,
    ) -> ConnectionResult<QueryResult<T>> {
        let idle = self.idle.lock().pop();
        let mut conn = match idle {
            Some(conn) => conn,
            None => (self.open)()?,
        };
        let result = query(&mut conn);
        self.idle.lock().push(conn);
        Ok(result)
    }
}
