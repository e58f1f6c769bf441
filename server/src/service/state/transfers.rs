//! Active transfers of this node, so that a deletion or an expiry can cut them.
//!
//! Expiry needs no database: each entry has its own time, and [`run`] compares it with the clock.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use net::Revocation;
use parking_lot::Mutex;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::clock::Millis;
use crate::id::RequestId;
use crate::service::AppState;

/// Interval at which the entries are compared with the clock.
const PERIOD: Duration = Duration::from_millis(250);

/// Active transfers by request. Cheap to clone.
#[derive(Clone, Default)]
pub struct Transfers(Arc<Mutex<HashMap<RequestId, Entry>>>);

struct Entry {
    cut: CancellationToken,
    watchers: usize,
    expires_at: Millis,
}

/// Registration of one transfer, until it is dropped.
pub(in crate::service) struct TransferGuard {
    live: Transfers,
    request: RequestId,
    cut: CancellationToken,
}

impl Transfers {
    /// Registers a transfer of a request that expires at `expires_at`, which never changes.
    pub(in crate::service) fn begin(
        &self,
        request: &RequestId,
        expires_at: Millis,
    ) -> TransferGuard {
        let mut entries = self.0.lock();
        let entry = entries.entry(request.clone()).or_insert_with(|| Entry {
            cut: CancellationToken::new(),
            watchers: 0,
            expires_at,
        });
        entry.watchers += 1;
        TransferGuard {
            live: self.clone(),
            request: request.clone(),
            cut: entry.cut.clone(),
        }
    }

    /// Cuts all transfers of a request.
    pub(in crate::service) fn cancel(&self, request: &RequestId) {
        if let Some(entry) = self.0.lock().get(request) {
            entry.cut.cancel();
        }
    }

    /// Cuts all transfers of requests that have expired.
    fn cancel_expired(&self, now: Millis) {
        for entry in self.0.lock().values() {
            if now >= entry.expires_at {
                entry.cut.cancel();
            }
        }
    }

    /// Requests with active transfers.
    pub(in crate::service) fn requests(&self) -> Vec<RequestId> {
        self.0.lock().keys().cloned().collect()
    }
}

impl TransferGuard {
    /// Revocation for the response that carries the bytes.
    ///
    /// It is revoked when the transfer is cut, and the transfer lasts until the response has been written or discarded.
    pub(in crate::service) fn revocation(guard: &Arc<Self>) -> Revocation {
        Revocation::new(guard.cut.clone(), guard.clone())
    }

    /// Waits until the transfer is cut.
    pub(in crate::service) async fn cancelled(&self) {
        self.cut.cancelled().await;
    }

    /// Whether the transfer was cut.
    pub(in crate::service) fn is_cancelled(&self) -> bool {
        self.cut.is_cancelled()
    }
}

impl Drop for TransferGuard {
    fn drop(&mut self) {
        let mut entries = self.live.0.lock();
        if let Some(entry) = entries.get_mut(&self.request) {
            entry.watchers -= 1;
            if entry.watchers == 0 {
                entries.remove(&self.request);
            }
        }
    }
}

/// Cuts transfers when their requests expire by the server's clock, until `stop` is cancelled.
///
/// It doesn't query the database: while that is unavailable or hangs, [`crate::service::state::changes`] learns of no
/// expiry, and an active stream would go on for as long as that lasts.
pub async fn run(app: AppState, stop: CancellationToken) {
    let mut ticks = interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => app.coordination.transfers.cancel_expired(app.clock.now()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Millis = Millis::MAX;

    #[test]
    fn a_transfer_is_cut_at_its_expiry_and_not_a_millisecond_before() {
        let live = Transfers::default();
        let [first, second] = [1000, 2000].map(|at| live.begin(&RequestId::random(), at));
        let cut = || (first.is_cancelled(), second.is_cancelled());
        for (now, want) in [
            (999, (false, false)),
            (1000, (true, false)),
            (1999, (true, false)),
            (2000, (true, true)),
        ] {
            live.cancel_expired(now);
            assert_eq!(cut(), want, "at {now}");
        }
    }

    #[test]
    fn a_cut_reaches_everybody_at_this_request_and_nobody_else() {
        let live = Transfers::default();
        let (mine, other) = (RequestId::random(), RequestId::random());
        let watches = [&mine, &mine, &other].map(|it| live.begin(it, NEVER));
        live.cancel(&mine);
        assert_eq!(
            watches.each_ref().map(TransferGuard::is_cancelled),
            [true, true, false]
        );
        drop(watches);
        assert!(live.requests().is_empty());
    }
}
