//! Who writes a take, one at a time, the newest first.
//!
//! A sender that comes back has given its older request up, even if that one's connection still looks
//! alive. So the newcomer asks whoever writes to leave, waits until what had arrived is committed, and
//! then sees an offset that nobody moves. Within one node; between nodes the claim's epoch decides.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

use crate::id::TakeId;
use crate::service::state::slots::{Slot, SlotRegistry};

/// The turns at all takes. Cheap to clone.
#[derive(Clone, Default)]
pub struct UploadLocks(SlotRegistry<TakeId, WriterSlot>);

#[derive(Default)]
struct WriterSlot {
    taken: Arc<tokio::sync::Mutex<()>>,
    /// How many have come.
    line: AtomicU64,
    /// Which of them asked last, and how it is told that there is a newer one.
    newest: Mutex<(u64, CancellationToken)>,
}

/// A place in the line for a take, for as long as it lives. It asks nobody to leave.
pub(in crate::service) struct Ticket {
    seat: Slot<TakeId, WriterSlot>,
    number: u64,
}

/// A turn at a take, for as long as it lives.
pub(in crate::service) struct WriterGuard {
    leave: CancellationToken,
    // In this order: it is free before the seat goes.
    _taken: OwnedMutexGuard<()>,
    _arrival: Ticket,
}

impl UploadLocks {
    /// Notes that somebody has come. Before it is known what they may do, so that it counts who came first, and not
    /// whose rows were read first.
    pub(in crate::service) fn draw_ticket(&self, take: &TakeId) -> Ticket {
        let seat = self.0.acquire(take);
        let number = seat.line.fetch_add(1, Ordering::Relaxed) + 1;
        Ticket { seat, number }
    }

    /// Asks whoever has the turn to leave, and waits until they have: as somebody who comes now.
    pub(in crate::service) async fn supersede(&self, take: &TakeId) -> WriterGuard {
        loop {
            if let Some(turn) = self.draw_ticket(take).supersede().await {
                return turn;
            }
        }
    }

    /// Whether somebody has the turn at a take, or waits for it.
    pub(in crate::service) fn is_taken(&self, take: &TakeId) -> bool {
        self.0.is_held(take)
    }
}

impl Ticket {
    /// Asks whoever has the turn to leave, and waits until they have. `None`: somebody who came later has asked
    /// before, and was told an offset that must stay.
    pub(in crate::service) async fn supersede(self) -> Option<WriterGuard> {
        let leave = CancellationToken::new();
        {
            let mut newest = self.seat.newest.lock();
            if newest.0 > self.number {
                return None;
            }
            std::mem::replace(&mut *newest, (self.number, leave.clone()))
                .1
                .cancel();
        }
        let taken = self.seat.taken.clone().lock_owned().await;
        Some(WriterGuard {
            leave,
            _taken: taken,
            _arrival: self,
        })
    }
}

impl WriterGuard {
    /// Waits for the moment to leave.
    pub(in crate::service) async fn superseded(&self) {
        self.leave.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_newest_one_gets_the_turn_once_the_older_one_has_left() {
        let (turns, take) = (UploadLocks::default(), TakeId::random());
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
    async fn who_came_first_and_asks_last_gets_no_turn() {
        let (turns, take) = (UploadLocks::default(), TakeId::random());
        let older = turns.draw_ticket(&take);
        drop(turns.draw_ticket(&take).supersede().await.expect("a turn"));
        assert!(older.supersede().await.is_none());
        assert!(turns.0.is_empty());
        assert!(turns.draw_ticket(&take).supersede().await.is_some());
    }

    #[tokio::test]
    async fn nothing_is_kept_of_who_has_left_or_stopped_waiting() {
        let (turns, take) = (UploadLocks::default(), TakeId::random());
        let first = turns.supersede(&take).await;
        assert!(turns.supersede(&take).now_or_never().is_none());
        drop(first);
        assert!(turns.0.is_empty());
    }
}
