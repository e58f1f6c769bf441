//! Looking up rows in SQLite by their keys, on the caller's own thread.
//!
//! That is a few pages, which nearly always are in memory: it takes less than handing the question to
//! another thread, and the answer back. A writer holds no reader up, since the log is written ahead
//! (`journal_mode = WAL`). Not here: what looks at many rows, and may take its time on a thread for that.

use std::sync::Arc;

use diesel::result::QueryResult;
use diesel::{ConnectionResult, SqliteConnection};
use parking_lot::Mutex;

/// Opens a connection that can't write.
type Open = dyn Fn() -> ConnectionResult<SqliteConnection> + Send + Sync;

/// Connections that can't write. Cheap to clone.
#[derive(Clone)]
pub struct Lookup {
    idle: Arc<Mutex<Vec<SqliteConnection>>>,
    open: Arc<Open>,
}

impl Lookup {
    pub(super) fn new(
        open: impl Fn() -> ConnectionResult<SqliteConnection> + Send + Sync + 'static,
    ) -> Self {
        Self {
            idle: Arc::default(),
            open: Arc::new(open),
        }
    }

    /// Runs a query on a connection of its own. As many are opened as there are threads that ask at the
    /// same moment.
    pub(super) fn run<T>(
        &self,
        query: impl FnOnce(&mut SqliteConnection) -> QueryResult<T>,
    ) -> ConnectionResult<QueryResult<T>> {
        let idle = self.idle.lock().pop();
        let mut conn = match idle {
            Some(conn) => conn,
            None => (self.open)()?,
        };
        let found = query(&mut conn);
        self.idle.lock().push(conn);
        Ok(found)
    }
}
