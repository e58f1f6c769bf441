//! Locks that separate writers and removals of one request.
//!
//! An object that is being written appears in no listing. A removal that lists objects would miss it and report
//! success, and the object would appear a moment later. So any number of writers share a lock, and a removal waits for
//! all of them; later writers find no manifest to append to.
//!
//! The locks work within one process. Between nodes, the writer whose commit is refused removes its object.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use crate::id::RequestId;

/// Number of locks. Requests share them; there are so many that they rarely wait for each other.
const SHARDS: usize = 256;

/// Locks of all requests. Cheap to clone.
#[derive(Clone)]
pub struct RemovalLocks {
    shards: Arc<[Arc<RwLock<()>>]>,
    hasher: RandomState,
}

impl Default for RemovalLocks {
    fn default() -> Self {
        let shards = (0..SHARDS).map(|_| Arc::default()).collect();
        Self {
            shards,
            hasher: RandomState::new(),
        }
    }
}

impl RemovalLocks {
    /// Takes the lock for a writer.
    ///
    /// Hold it from before the object is written until it is committed or removed.
    pub async fn shared(&self, request: &RequestId) -> OwnedRwLockReadGuard<()> {
        self.of(request).read_owned().await
    }

    /// Takes the lock for a removal: no object of the request is being written while it is held.
    pub async fn exclusive(&self, request: &RequestId) -> OwnedRwLockWriteGuard<()> {
        self.of(request).write_owned().await
    }

    fn of(&self, request: &RequestId) -> Arc<RwLock<()>> {
        let hash = self.hasher.hash_one(request) % SHARDS as u64;
        // The index is less than SHARDS, so the conversion succeeds.
        let index = usize::try_from(hash).unwrap_or_default();
        self.shards[index].clone()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_removal_begins_when_the_writers_have_left() {
        let locks = RemovalLocks::default();
        let request = RequestId::random();
        let writers = [locks.shared(&request).await, locks.shared(&request).await];
        assert!(locks.exclusive(&request).now_or_never().is_none());
        drop(writers);
        let removal = locks
            .exclusive(&request)
            .now_or_never()
            .expect("no writer is left");
        assert!(locks.shared(&request).now_or_never().is_none());
        drop(removal);
        assert!(locks.shared(&request).now_or_never().is_some());
    }
}
