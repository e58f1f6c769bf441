//! Active transfers of this node, so that a deletion or an expiry can cancel them.

use std::sync::Arc;

use net::Revocation;
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::id::RequestId;
use crate::service::state::slots::{Slot, SlotRegistry};

/// Active transfers by request. Cheap to clone.
#[derive(Clone, Default)]
pub struct Transfers(SlotRegistry<RequestId, RequestTransfers>);

/// What the transfers of one request share.
struct RequestTransfers {
    cancelled: CancellationToken,
    expires_at: Millis,
}

/// Registration of one transfer, until it is dropped.
pub(in crate::service) struct TransferGuard(Slot<RequestId, RequestTransfers>);

impl Transfers {
    /// Registers a transfer of a request that expires at `expires_at`, which never changes.
    pub(in crate::service) fn begin(
        &self,
        request: &RequestId,
        expires_at: Millis,
    ) -> TransferGuard {
        TransferGuard(self.0.acquire_with(request, || RequestTransfers {
            cancelled: CancellationToken::new(),
            expires_at,
        }))
    }

    /// Cancels all transfers of a request.
    pub(in crate::service) fn cancel(&self, request: &RequestId) {
        if let Some(transfers) = self.0.get(request) {
            transfers.cancelled.cancel();
        }
    }

    /// Cancels all transfers of requests that have expired.
    pub(in crate::service) fn cancel_expired(&self, now: Millis) {
        let transfers = self.0.values().into_iter();
        transfers
            .filter(|it| now >= it.expires_at)
            .for_each(|it| it.cancelled.cancel());
    }

    /// Requests with active transfers.
    pub(in crate::service) fn requests(&self) -> Vec<RequestId> {
        self.0.keys()
    }
}

impl TransferGuard {
    /// Revocation for the response that carries the bytes.
    ///
    /// It is revoked when the transfer is cancelled, and the transfer lasts until the response has been written or
    /// discarded.
    pub(in crate::service) fn revocation(guard: &Arc<Self>) -> Revocation {
        Revocation::new(guard.0.cancelled.clone(), guard.clone())
    }

    /// Waits until the transfer is cancelled.
    pub(in crate::service) async fn cancelled(&self) {
        self.0.cancelled.cancelled().await;
    }

    /// Whether the transfer was cancelled.
    pub(in crate::service) fn is_cancelled(&self) -> bool {
        self.0.cancelled.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Millis = Millis::MAX;

    #[test]
    fn a_transfer_is_cancelled_at_its_expiry_and_not_a_millisecond_before() {
        let transfers = Transfers::default();
        let [first, second] = [1000, 2000].map(|at| transfers.begin(&RequestId::random(), at));
        let cancelled = || (first.is_cancelled(), second.is_cancelled());
        for (now, want) in [
            (999, (false, false)),
            (1000, (true, false)),
            (1999, (true, false)),
            (2000, (true, true)),
        ] {
            transfers.cancel_expired(now);
            assert_eq!(cancelled(), want, "at {now}");
        }
    }

    #[test]
    fn cancelling_ends_all_transfers_of_this_request_only() {
        let transfers = Transfers::default();
        let (mine, other) = (RequestId::random(), RequestId::random());
        let guards = [&mine, &mine, &other].map(|it| transfers.begin(it, NEVER));
        transfers.cancel(&mine);
        assert_eq!(
            guards.each_ref().map(TransferGuard::is_cancelled),
            [true, true, false]
        );
        drop(guards);
        assert!(transfers.requests().is_empty());
    }
}
