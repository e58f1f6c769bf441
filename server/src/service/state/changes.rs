//! Notifies long polls of changes to their requests.
//!
//! A node is notified at once of its own changes. [`change_poller`](crate::service::workers::change_poller) finds those
//! that were made elsewhere.

use std::sync::Arc;

use tokio::sync::futures::OwnedNotified;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::id::RequestId;
use crate::service::state::slots::{Slot, SlotRegistry};

/// Maximum number of long polls per request; the owner of its access token needs no more.
const MAX_PER_REQUEST: usize = 4;

/// Maximum number of long polls on this node.
const MAX: usize = 20_000;

/// Subscriptions of this node by request. Cheap to clone.
#[derive(Clone)]
pub struct Changes {
    subscriptions: SlotRegistry<RequestId, Notify>,
    free: Arc<Semaphore>,
}

/// Subscription of one long poll, until it is dropped.
pub struct Subscription {
    // Fields drop in this order: what isn't counted as waiting has left its slot.
    changed: Slot<RequestId, Notify>,
    _permit: OwnedSemaphorePermit,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            subscriptions: SlotRegistry::default(),
            free: Arc::new(Semaphore::new(MAX)),
        }
    }
}

impl Changes {
    /// Subscribes to changes of a request. `None`: the maximum number of subscriptions is reached.
    pub fn subscribe(&self, request: &RequestId) -> Option<Subscription> {
        let subscriptions = &self.subscriptions;
        let changed = subscriptions.acquire_unless_full(request, MAX_PER_REQUEST)?;
        let permit = self.free.clone().try_acquire_owned().ok()?;
        Some(Subscription {
            changed,
            _permit: permit,
        })
    }

    /// Wakes the subscribers of a request whose state has changed.
    pub(in crate::service) fn notify(&self, request: &RequestId) {
        if let Some(changed) = self.subscriptions.get(request) {
            changed.notify_waiters();
        }
    }

    /// Number of subscriptions on this node.
    pub fn waiting(&self) -> usize {
        MAX - self.free.available_permits()
    }

    /// Requests with subscriptions.
    pub(in crate::service) fn requests(&self) -> Vec<RequestId> {
        self.subscriptions.keys()
    }
}

impl Subscription {
    /// Completes at the first change from now on, even if it isn't polled before that.
    pub(in crate::service) fn changed(&self) -> OwnedNotified {
        self.changed.value().clone().notified_owned()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_change_reaches_earlier_subscriptions_of_its_request_only() {
        let changes = Changes::default();
        let (mine, other) = (RequestId::random(), RequestId::random());
        let subscriptions =
            [&mine, &mine, &other].map(|it| changes.subscribe(it).expect("a free subscription"));
        let changed = subscriptions.each_ref().map(Subscription::changed);
        changes.notify(&mine);
        let notified = changed.map(|it| it.now_or_never().is_some());
        assert_eq!(notified, [true, true, false]);
        drop(subscriptions);
        assert!(changes.requests().is_empty());
    }
}
