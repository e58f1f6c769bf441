//! Writers and removals of one request, kept apart.
//!
//! An object that is being written shows up in no listing. So a removal that lists would miss it, say
//! that everything is gone, and a moment later there would be a file. Here writers pass in any number,
//! and a removal waits until those inside have left; whoever comes after it finds no manifest to add to.
//!
//! Within one process. Between nodes the refused commit removes the object.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use crate::id::RequestId;

/// Requests share gates; so many that they rarely wait for each other.
const GATES: usize = 256;

/// The gates of all requests. Cheap to clone.
#[derive(Clone)]
pub struct RemovalLocks {
    gates: Arc<[Arc<RwLock<()>>]>,
    hasher: RandomState,
}

impl Default for RemovalLocks {
    fn default() -> Self {
        let gates = (0..GATES).map(|_| Arc::default()).collect();
        Self {
            gates,
            hasher: RandomState::new(),
        }
    }
}

impl RemovalLocks {
    /// For a writer: hold it from before the object is written until it is committed or removed.
    pub async fn shared(&self, request: &RequestId) -> OwnedRwLockReadGuard<()> {
        self.of(request).read_owned().await
    }

    /// For a removal: no object of this request is being written while it is held.
    pub async fn exclusive(&self, request: &RequestId) -> OwnedRwLockWriteGuard<()> {
        self.of(request).write_owned().await
    }

    fn of(&self, request: &RequestId) -> Arc<RwLock<()>> {
        let hash = self.hasher.hash_one(request) % GATES as u64;
        // Below GATES, so it fits.
        let index = usize::try_from(hash).unwrap_or_default();
        self.gates[index].clone()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_removal_begins_when_the_writers_have_left() {
        let gates = RemovalLocks::default();
        let request = RequestId::random();
        let writers = [gates.shared(&request).await, gates.shared(&request).await];
        assert!(gates.exclusive(&request).now_or_never().is_none());
        drop(writers);
        let removal = gates
            .exclusive(&request)
            .now_or_never()
            .expect("nobody is left");
        assert!(gates.shared(&request).now_or_never().is_none());
        drop(removal);
        assert!(gates.shared(&request).now_or_never().is_some());
    }
}
