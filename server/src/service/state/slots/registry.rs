//! The registry, compiled twice: see its parent module.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::PoisonError;

use super::sync::{Arc, Mutex, MutexGuard};

/// Values by key, each of which exists while at least one [`Slot`] holds it. Cheap to clone.
///
/// Holders are counted under the lock of the map. A reference count isn't enough: it is decremented after the lock is
/// released, so of two holders that release at once neither would see that it is the last one.
pub struct SlotRegistry<K: Hash + Eq, V>(Arc<Mutex<HashMap<K, Held<V>>>>);

struct Held<V> {
    holders: usize,
    value: Arc<V>,
}

/// The value of a key, held until this is dropped.
pub struct Slot<K: Hash + Eq, V> {
    registry: SlotRegistry<K, V>,
    key: K,
    value: Arc<V>,
}

impl<K: Hash + Eq + Clone, V: Default> SlotRegistry<K, V> {
    /// Holds the value of a key, shared with its other holders.
    pub fn acquire(&self, key: &K) -> Slot<K, V> {
        let mut slots = self.lock();
        let held = slots.entry(key.clone()).or_insert_with(|| Held {
            holders: 0,
            value: Arc::new(V::default()),
        });
        held.holders += 1;
        Slot {
            registry: self.clone(),
            key: key.clone(),
            value: held.value.clone(),
        }
    }
}

impl<K: Hash + Eq, V> SlotRegistry<K, V> {
    /// Whether at least one slot of this key is held.
    pub fn is_held(&self, key: &K) -> bool {
        self.lock().contains_key(key)
    }

    /// Whether no slot is held.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Ignores poisoning, since every change leaves the map consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Held<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq, V> Clone for SlotRegistry<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K: Hash + Eq, V> Default for SlotRegistry<K, V> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(HashMap::new())))
    }
}

impl<K: Hash + Eq, V> Deref for Slot<K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.value
    }
}

impl<K: Hash + Eq, V> Drop for Slot<K, V> {
    fn drop(&mut self) {
        let mut slots = self.registry.lock();
        let Some(held) = slots.get_mut(&self.key) else {
            return;
        };
        held.holders -= 1;
        if held.holders == 0 {
            slots.remove(&self.key);
        }
    }
}
