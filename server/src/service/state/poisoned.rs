//! Takes whose bytes the disk failed to keep.
//!
//! A disk that can't sync an object can probably not sync the row that says so either. So it is kept in
//! mind first: until a restart, before which no such byte was ever acknowledged, and after which whatever
//! is read comes from the disk itself.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::id::TakeId;

/// The failed takes of this node. Cheap to clone.
#[derive(Clone, Default)]
pub struct PoisonedTakes(Arc<Mutex<HashSet<TakeId>>>);

impl PoisonedTakes {
    /// Remembers one.
    pub(in crate::service) fn add(&self, take: &TakeId) {
        self.0.lock().insert(take.clone());
    }

    /// Whether it is one.
    pub(in crate::service) fn contains(&self, take: &TakeId) -> bool {
        self.0.lock().contains(take)
    }
}
