//! Memory budgets: that of the bytes that uploads buffer before they are durable, and those of pictures on demand.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Unit of the budget in bytes: a semaphore of single bytes would exceed its maximum.
const UNIT: usize = 1 << 10;

/// A budget that all who buffer the same kind of bytes share. Cheap to clone.
#[derive(Clone)]
pub struct MemoryBudget {
    units: Arc<Semaphore>,
    most: u32,
}

/// Part of the budget, released when dropped.
#[derive(Default)]
pub struct Reservation(Option<OwnedSemaphorePermit>);

impl MemoryBudget {
    /// Creates a budget of `bytes`.
    pub fn new(bytes: u64) -> Self {
        let units = usize::try_from(bytes / UNIT as u64).unwrap_or(usize::MAX);
        let most = u32::try_from(units.clamp(1, Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Self {
            units: Arc::new(Semaphore::new(most as usize)),
            most,
        }
    }

    /// Reserved bytes.
    pub fn used(&self) -> usize {
        self.limit() - self.units.available_permits() * UNIT
    }

    /// Size of the budget in bytes.
    pub fn limit(&self) -> usize {
        self.most as usize * UNIT
    }

    /// Reserves memory without waiting. `None`: not enough is free.
    pub(in crate::service) fn try_reserve(&self, bytes: usize) -> Option<Reservation> {
        let units = self
            .units
            .clone()
            .try_acquire_many_owned(self.units_for(bytes));
        units.ok().map(|permit| Reservation(Some(permit)))
    }

    /// Waits for memory and reserves it.
    ///
    /// The caller must hold no reservation, which rules out deadlock: holders flush theirs after a short time.
    pub(in crate::service) async fn reserve(&self, bytes: usize) -> Reservation {
        let units = self.units.clone().acquire_many_owned(self.units_for(bytes));
        // Only a closed semaphore returns an error, and this one is never closed.
        Reservation(units.await.ok())
    }

    /// Converts bytes to units, at most the whole budget, since a larger reservation would wait forever.
    fn units_for(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT))
            .unwrap_or(u32::MAX)
            .min(self.most)
    }
}

impl Reservation {
    /// Merges another reservation into this one.
    pub(in crate::service) fn add(&mut self, other: Self) {
        match (&mut self.0, other.0) {
            (Some(mine), Some(more)) => mine.merge(more),
            (mine @ None, more) => *mine = more,
            (Some(_), None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn released_memory_can_be_reserved_again() {
        let memory = MemoryBudget::new(4096);
        assert_eq!((memory.used(), memory.limit()), (0, 4096));
        let mut share = memory.try_reserve(1).expect("room");
        share.add(memory.try_reserve(3000).expect("room"));
        assert!(
            memory.try_reserve(1).is_none(),
            "the first one has all four units"
        );
        assert!(memory.reserve(1).now_or_never().is_none());
        assert_eq!(memory.used(), 4096);
        drop(share);
        assert!(memory.reserve(4096).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_piece_larger_than_the_budget_takes_all_of_it() {
        let memory = MemoryBudget::new(10);
        assert!(memory.reserve(1 << 20).now_or_never().is_some());
    }
}
