//! Takes whose bytes the disk failed to store.
//!
//! A disk that can't sync an object can probably not sync a row about the failure either, so it is recorded in memory
//! until a restart. No such byte was acknowledged before the restart, and after it all bytes are read from the disk
//! itself.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::id::TakeId;

/// Failed takes of this node. Cheap to clone.
#[derive(Clone, Default)]
pub struct PoisonedTakes(Arc<Mutex<HashSet<TakeId>>>);

impl PoisonedTakes {
    /// Marks a take as failed.
    pub fn add(&self, take: &TakeId) {
        self.0.lock().insert(take.clone());
    }

    /// Whether a take has failed.
    pub(in crate::service) fn contains(&self, take: &TakeId) -> bool {
        self.0.lock().contains(take)
    }
}
