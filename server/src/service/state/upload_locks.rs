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
    slot: Slot<TakeId, WriterSlot>,
    number: u64,
}

/// Lock of a take for its current writer, until it is dropped.
pub(in crate::service) struct WriterGuard {
    superseded: CancellationToken,
    // Fields drop in this order: the lock is released before the slot.
    _taken: OwnedMutexGuard<()>,
    _ticket: Ticket,
}

impl UploadLocks {
    /// Draws a ticket for a take.
    ///
    /// It is drawn before permission is checked, so that the order of arrival counts, and not that of the database's
    /// answers.
    pub(in crate::service) fn draw_ticket(&self, take: &TakeId) -> Ticket {
        let slot = self.0.acquire(take);
        let number = slot.line.fetch_add(1, Ordering::Relaxed) + 1;
        Ticket { slot, number }
    }

    /// Supersedes the current writer with a new ticket, and waits until it has stopped.
    pub(in crate::service) async fn supersede(&self, take: &TakeId) -> WriterGuard {
        loop {
            if let Some(guard) = self.draw_ticket(take).supersede().await {
                return guard;
            }
        }
    }

    /// Whether a take has a writer, or one that waits.
    pub(in crate::service) fn has_writer(&self, take: &TakeId) -> bool {
        self.0.is_held(take)
    }
}

impl Ticket {
    /// Supersedes the current writer, and waits until it has stopped.
    ///
    /// `None`: a later ticket has superseded it before, and its client was told an offset that must not change.
    pub(in crate::service) async fn supersede(self) -> Option<WriterGuard> {
        let superseded = CancellationToken::new();
        {
            let mut newest = self.slot.newest.lock();
            if newest.0 > self.number {
                return None;
            }
            std::mem::replace(&mut *newest, (self.number, superseded.clone()))
                .1
                .cancel();
        }
        let taken = self.slot.taken.clone().lock_owned().await;
        Some(WriterGuard {
            superseded,
            _taken: taken,
            _ticket: self,
        })
    }
}

impl WriterGuard {
    /// Waits until a newer writer supersedes this one.
    pub(in crate::service) async fn superseded(&self) {
        self.superseded.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_newest_writer_gets_the_lock_once_the_older_one_has_left() {
        let (locks, take) = (UploadLocks::default(), TakeId::random());
        let first = locks.supersede(&take).await;
        assert!(first.superseded().now_or_never().is_none());
        let mut second = Box::pin(locks.supersede(&take));
        assert!(second.as_mut().now_or_never().is_none(), "still taken");
        assert!(first.superseded().now_or_never().is_some(), "and told so");
        drop(first);
        let second = second.await;
        assert!(second.superseded().now_or_never().is_none());
        let other = TakeId::random();
        assert!(locks.supersede(&other).now_or_never().is_some());
    }

    #[tokio::test]
    async fn an_older_ticket_that_asks_last_gets_no_lock() {
        let (locks, take) = (UploadLocks::default(), TakeId::random());
        let older = locks.draw_ticket(&take);
        drop(
            locks
                .draw_ticket(&take)
                .supersede()
                .await
                .expect("the lock"),
        );
        assert!(older.supersede().await.is_none());
        assert!(locks.0.is_empty());
        assert!(locks.draw_ticket(&take).supersede().await.is_some());
    }

    #[tokio::test]
    async fn finished_and_cancelled_writers_leave_nothing() {
        let (locks, take) = (UploadLocks::default(), TakeId::random());
        let first = locks.supersede(&take).await;
        assert!(locks.supersede(&take).now_or_never().is_none());
        drop(first);
        assert!(locks.0.is_empty());
    }
}
