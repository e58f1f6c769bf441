//! A registry of values that exist while they are held, with a count of holders per key.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;

use parking_lot::Mutex;

/// Values by key, each of which exists while at least one [`Slot`] holds it. Cheap to clone.
///
/// Holders are counted under the lock of the map. A reference count isn't enough: it is decremented after the lock is
/// released, so of two holders that release at once neither would see that it is the last one.
pub(in crate::service) struct SlotRegistry<K: Hash + Eq, V>(Arc<Mutex<HashMap<K, Entry<V>>>>);

struct Entry<V> {
    holders: usize,
    value: Arc<V>,
}

/// The value of a key, held until this is dropped.
pub(in crate::service) struct Slot<K: Hash + Eq, V> {
    registry: SlotRegistry<K, V>,
    key: K,
    value: Arc<V>,
}

impl<K: Hash + Eq + Clone, V> SlotRegistry<K, V> {
    /// Holds the value of a key, shared with its other holders. `make` creates it for the first one.
    pub fn acquire_with(&self, key: &K, make: impl FnOnce() -> V) -> Slot<K, V> {
        self.hold(&mut self.0.lock(), key, make)
    }

    fn hold(
        &self,
        slots: &mut HashMap<K, Entry<V>>,
        key: &K,
        make: impl FnOnce() -> V,
    ) -> Slot<K, V> {
        let held = slots.entry(key.clone()).or_insert_with(|| Entry {
            holders: 0,
            value: Arc::new(make()),
        });
        held.holders += 1;
        Slot {
            registry: self.clone(),
            key: key.clone(),
            value: held.value.clone(),
        }
    }

    /// Keys that are held.
    pub fn keys(&self) -> Vec<K> {
        self.0.lock().keys().cloned().collect()
    }
}

impl<K: Hash + Eq + Clone, V: Default> SlotRegistry<K, V> {
    /// Holds the value of a key, shared with its other holders.
    pub fn acquire(&self, key: &K) -> Slot<K, V> {
        self.acquire_with(key, V::default)
    }

    /// Holds the value of a key unless `max` slots hold it already.
    pub fn acquire_unless_full(&self, key: &K, max: usize) -> Option<Slot<K, V>> {
        let mut slots = self.0.lock();
        let is_full = slots.get(key).is_some_and(|held| held.holders >= max);
        (!is_full).then(|| self.hold(&mut slots, key, V::default))
    }
}

impl<K: Hash + Eq, V> SlotRegistry<K, V> {
    /// Whether at least one slot of this key is held.
    pub fn is_held(&self, key: &K) -> bool {
        self.0.lock().contains_key(key)
    }

    /// Value of a key. `None`: it isn't held.
    pub fn get(&self, key: &K) -> Option<Arc<V>> {
        self.0.lock().get(key).map(|held| held.value.clone())
    }

    /// Values that are held.
    pub fn values(&self) -> Vec<Arc<V>> {
        let slots = self.0.lock();
        slots.values().map(|held| held.value.clone()).collect()
    }

    /// Whether no slot is held.
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}

impl<K: Hash + Eq, V> Slot<K, V> {
    /// Its value, which may outlive the slot.
    pub fn value(&self) -> &Arc<V> {
        &self.value
    }
}

impl<K: Hash + Eq, V> Clone for SlotRegistry<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K: Hash + Eq, V> Default for SlotRegistry<K, V> {
    fn default() -> Self {
        Self(Arc::default())
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
        let mut slots = self.registry.0.lock();
        let Some(held) = slots.get_mut(&self.key) else {
            return;
        };
        held.holders -= 1;
        if held.holders == 0 {
            slots.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    #[test]
    fn holders_of_a_key_share_its_value_and_the_last_one_leaves_nothing() {
        let registry = SlotRegistry::<u8, ()>::default();
        let (first, second) = (registry.acquire(&1), registry.acquire(&1));
        assert!(Arc::ptr_eq(first.value(), second.value()));
        assert!(registry.acquire_unless_full(&1, 2).is_none());
        drop(first);
        assert!(registry.is_held(&1) && !registry.is_held(&2));
        assert!(registry.acquire_unless_full(&1, 2).is_some());
        drop(second);
        assert!(registry.is_empty());
    }

    #[test]
    fn concurrent_releases_leave_nothing() {
        const THREADS: usize = 4;
        let registry = SlotRegistry::<u8, ()>::default();
        let barrier = Barrier::new(THREADS);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        let slot = registry.acquire(&1);
                        barrier.wait();
                        drop(slot);
                    }
                });
            }
        });
        assert!(registry.is_empty());
    }
}
