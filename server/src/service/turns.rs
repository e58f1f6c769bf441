//! Who writes a take, one at a time, the newest first.
//!
//! A sender that comes back has given its older request up, even if that one's connection still looks
//! alive. So the newcomer asks whoever writes to leave, waits until what had arrived is committed, and
//! then sees an offset that nobody moves. Within one node; between nodes the claim's epoch decides.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

use crate::id::TakeId;

/// The turns at all takes. Cheap to clone.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<TakeId, Arc<Seat>>>>);

#[derive(Default)]
struct Seat {
    taken: Arc<tokio::sync::Mutex<()>>,
    /// Tells the last one who asked that there is a newer one.
    leave: Mutex<CancellationToken>,
}

/// A turn at a take, for as long as it lives.
pub(super) struct Turn {
    turns: Turns,
    take: TakeId,
    seat: Arc<Seat>,
    leave: CancellationToken,
    taken: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    /// Asks whoever has the turn to leave, and waits until they have.
    pub(super) async fn supersede(&self, take: &TakeId) -> Turn {
        let seat = lock(&self.0).entry(take.clone()).or_default().clone();
        let leave = CancellationToken::new();
        std::mem::replace(&mut *lock(&seat.leave), leave.clone()).cancel();
        let waiting = seat.taken.clone().lock_owned();
        let mut turn = Turn {
            turns: self.clone(),
            take: take.clone(),
            seat,
            leave,
            taken: None,
        };
        turn.taken = Some(waiting.await);
        turn
    }

    /// Whether somebody has the turn at a take, or waits for it.
    pub(super) fn is_taken(&self, take: &TakeId) -> bool {
        lock(&self.0).contains_key(take)
    }
}

impl Turn {
    /// Waits for the moment to leave.
    pub(super) async fn superseded(&self) {
        self.leave.cancelled().await;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut seats = lock(&self.turns.0);
        self.taken = None;
        // The map's and ours: nobody else waits for it.
        if Arc::strong_count(&self.seat) == 2 {
            seats.remove(&self.take);
        }
    }
}

/// What is guarded here is written in one step: as good after a panic as before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_newest_one_gets_the_turn_once_the_older_one_has_left() {
        let (turns, take) = (Turns::default(), TakeId::random());
        let first = turns.supersede(&take).await;
        assert!(first.superseded().now_or_never().is_none());
        let mut second = Box::pin(turns.supersede(&take));
        assert!(second.as_mut().now_or_never().is_none(), "still taken");
        assert!(first.superseded().now_or_never().is_some(), "and told so");
        drop(first);
        let second = second.await;
        assert!(second.superseded().now_or_never().is_none());
        let other = TakeId::random();
        assert!(turns.supersede(&other).now_or_never().is_some());
    }

    #[tokio::test]
    async fn nothing_is_kept_of_who_has_left_or_stopped_waiting() {
        let (turns, take) = (Turns::default(), TakeId::random());
        let first = turns.supersede(&take).await;
        assert!(turns.supersede(&take).now_or_never().is_none());
        drop(first);
        assert!(lock(&turns.0).is_empty());
    }
}
