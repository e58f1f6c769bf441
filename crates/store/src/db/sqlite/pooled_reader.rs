//! Queries over many rows of SQLite, on threads for blocking work.
//!
//! A query goes on when its caller is dropped, and holds its connection until it ends. diesel-async's own connection
//! instead waits in the `Drop` of a query: on a disk that hangs, each client that hung up would occupy a thread of the
//! runtime, and a time limit around a query would wait for the query.

use diesel_async::pooled_connection::deadpool::Pool;
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig};
use futures_util::FutureExt;
use tokio::task::spawn_blocking;

use super::{BlockingConnection, READ_ONLY_PRAGMAS, connect_in_background};
use crate::db::{DbError, fast_recycling, in_time};

/// The number of connections.
const READERS: usize = 4;

/// Read-only connections for threads that may block. Cheap to clone.
#[derive(Clone)]
pub struct PooledReader(pub(in crate::db) Pool<BlockingConnection>);

impl PooledReader {
    /// For the SQLite file at `path`.
    pub(super) fn new(path: &str) -> Result<Self, DbError> {
        let mut config = ManagerConfig::<BlockingConnection>::default();
        config.custom_setup =
            Box::new(|path| connect_in_background(path, READ_ONLY_PRAGMAS).boxed());
        let manager = AsyncDieselConnectionManager::new_with_config(path, fast_recycling(config));
        let pool = Pool::builder(manager).max_size(READERS).build()?;
        Ok(Self(pool))
    }

    /// Runs `body`, to completion even when the caller is dropped. [`DbError::Busy`]: it was never begun.
    pub(in crate::db) async fn run<T: Send + 'static>(
        &self,
        body: impl FnOnce(&mut BlockingConnection) -> Result<T, DbError> + Send + 'static,
    ) -> Result<T, DbError> {
        let mut conn = in_time(self.0.get()).await?;
        spawn_blocking(move || body(&mut conn)).await?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_cancelled_read_returns_its_connection() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vidence.db").display().to_string();
        let reader = PooledReader::new(&path).expect("a pool");
        let (release, held) = channel::<()>();
        let (begin, begun) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let mut hanging = Box::pin(reader.run(move |_| {
            begin.send(()).expect("a test that waits");
            let released = held.recv();
            end.send(released).expect("a test that waits");
            Ok(())
        }));
        tokio::select! {
            _ = &mut hanging => panic!("it hangs"),
            begun = begun => begun.expect("a read that begins"),
        }
        drop(hanging);
        assert_eq!(reader.0.status().available, 0);
        assert!(reader.run(|_| Ok(())).await.is_ok(), "others go on");

        release.send(()).expect("a read that goes on");
        assert!(matches!(ended.await, Ok(Ok(()))));
    }

    #[tokio::test]
    async fn a_panic_takes_no_connection_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vidence.db").display().to_string();
        let reader = PooledReader::new(&path).expect("a pool");
        for _ in 0..=READERS {
            let panicked = reader.run(|_| -> Result<(), DbError> { panic!("on purpose") });
            assert!(matches!(panicked.await, Err(DbError::TaskEnded)));
        }
        assert!(reader.run(|_| Ok(())).await.is_ok());
    }
}
