//! A budget for what uploads hold in memory before it is durable, shared by all of them.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::service::AppState;

/// The budget is counted in these: a semaphore of single bytes would run out of numbers.
const UNIT: usize = 1 << 10;

/// The shared budget. Cheap to clone.
#[derive(Clone)]
pub struct MemoryBudget {
    units: Arc<Semaphore>,
    most: u32,
}

/// A part of the budget, given back when dropped.
#[derive(Default)]
pub(in crate::service) struct Reservation(Option<OwnedSemaphorePermit>);

/// Memory for what is not an upload and is buffered like one, given back when dropped.
#[derive(Default)]
pub struct BufferReservation {
    _share: Reservation,
}

impl AppState {
    /// Waits until so many bytes of the memory of uploads are free. The caller must hold none of it, and must
    /// give these back in bounded time.
    pub async fn reserve_buffer(&self, bytes: usize) -> BufferReservation {
        BufferReservation {
            _share: self.coordination.upload_memory.reserve(bytes).await,
        }
    }
}

impl MemoryBudget {
    /// So many bytes for all uploads together.
    pub fn new(bytes: u64) -> Self {
        let units = usize::try_from(bytes / UNIT as u64).unwrap_or(usize::MAX);
        let most = u32::try_from(units.clamp(1, Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Self {
            units: Arc::new(Semaphore::new(most as usize)),
            most,
        }
    }

    /// How many bytes of it are taken.
    pub fn used(&self) -> usize {
        self.limit() - self.units.available_permits() * UNIT
    }

    /// How many there are.
    pub(in crate::service) fn limit(&self) -> usize {
        self.most as usize * UNIT
    }

    /// Takes a share at once. `None`: there isn't enough left.
    pub(in crate::service) fn try_reserve(&self, bytes: usize) -> Option<Reservation> {
        let units = self
            .units
            .clone()
            .try_acquire_many_owned(self.units_for(bytes));
        units.ok().map(|permit| Reservation(Some(permit)))
    }

    /// Waits for a share. Whoever waits must hold none, so that all can go on: those who hold one flush
    /// it after a moment.
    pub(in crate::service) async fn reserve(&self, bytes: usize) -> Reservation {
        let units = self.units.clone().acquire_many_owned(self.units_for(bytes));
        // Fails for a closed semaphore only, and nobody closes this one.
        Reservation(units.await.ok())
    }

    /// More than there is would be waited for in vain.
    fn units_for(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT))
            .unwrap_or(u32::MAX)
            .min(self.most)
    }
}

impl Reservation {
    /// Holds both from now on.
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
    async fn what_is_given_back_serves_the_next_one() {
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
