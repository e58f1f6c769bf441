//! Locks that give each take one writer at a time, the newest one.
//!
//! A client that reconnects has abandoned its older request, even if that connection still seems alive. So a new writer
//! signals the current one to stop, waits until its bytes are committed, and then reads an offset that no writer
//! changes. The locks work within one node; between nodes the epoch of the claim decides.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

use crate::id::TakeId;
use crate::service::state::slots::{Slot, SlotRegistry};

/// Writer locks of all takes. Cheap to clone.
#[derive(Clone, Default)]
pub struct UploadLocks(SlotRegistry<TakeId, WriterSlot>);

#[derive(Default)]
struct WriterSlot {
    taken: Arc<tokio::sync::Mutex<()>>,
    /// Number of tickets drawn so far.
    line: AtomicU64,
    /// Number of the last ticket that superseded a writer, and the token that signals a newer one.
    newest: Mutex<(u64, CancellationToken)>,
}

/// Position in the queue of writers of a take, until it is dropped.
///
/// It doesn't supersede the current writer.
pub(in crate::service) struct Ticket {
    seat: Slot<TakeId, WriterSlot>,
    number: u64,
}

/// Lock of a take for its current writer, until it is dropped.
pub(in crate::service) struct WriterGuard {
    leave: CancellationToken,
    // Fields drop in this order: the lock is released before the slot.
    _taken: OwnedMutexGuard<()>,
    _arrival: Ticket,
}

impl UploadLocks {
    /// Draws a ticket for a take.
    ///
    /// It is drawn before permission is checked, so that the order of arrival counts, and not that of the database's
    /// answers.
    pub(in crate::service) fn draw_ticket(&self, take: &TakeId) -> Ticket {
        let seat = self.0.acquire(take);
        let number = seat.line.fetch_add(1, Ordering::Relaxed) + 1;
        Ticket { seat, number }
    }

    /// Supersedes the current writer with a new ticket, and waits until it has stopped.
    pub(in crate::service) async fn supersede(&self, take: &TakeId) -> WriterGuard {
        loop {
            if let Some(turn) = self.draw_ticket(take).supersede().await {
                return turn;
            }
        }
    }

    /// Whether a take has a writer, or one that waits.
    pub(in crate::service) fn is_taken(&self, take: &TakeId) -> bool {
        self.0.is_held(take)
    }
}

impl Ticket {
    /// Supersedes the current writer, and waits until it has stopped.
    ///
    /// `None`: a later ticket has superseded it before, and its client was told an offset that must not change.
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
    /// Waits until a newer writer supersedes this one.
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
