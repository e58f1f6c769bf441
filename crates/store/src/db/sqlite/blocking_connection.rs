//! A connection to SQLite for threads that may block: queries of diesel-async run on the calling thread.

use std::error::Error;

use diesel::SqliteConnection;
use diesel_async::sync_connection_wrapper::{SpawnBlocking, SyncConnectionWrapper};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};

/// A connection that runs each statement on the calling thread.
pub(in crate::db) type BlockingConnection = SyncConnectionWrapper<SqliteConnection, CallingThread>;

/// Runs blocking work on the calling thread.
pub struct CallingThread;

impl SpawnBlocking for CallingThread {
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

/// Takes the result of queries that ran on a [`BlockingConnection`], which never wait.
pub(in crate::db) fn poll_ready<T>(queries: impl Future<Output = T>) -> T {
    queries.now_or_never().expect("ready at the first poll")
}
