//! Requests whose bytes are just being sent or received on this node, so that a deletion or the end of
//! their time can cut that short.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::id::RequestId;

/// What is under way. Cheap to clone.
#[derive(Clone, Default)]
pub struct Live(Arc<Mutex<HashMap<RequestId, Entry>>>);

#[derive(Default)]
struct Entry {
    cut: CancellationToken,
    watchers: usize,
}

/// Held by whoever sends or receives bytes of a request.
pub(super) struct Watch {
    live: Live,
    request: RequestId,
    cut: CancellationToken,
}

impl Live {
    /// For whoever begins to send or receive.
    pub(super) fn watch(&self, request: &RequestId) -> Watch {
        let mut entries = self.lock();
        let entry = entries.entry(request.clone()).or_default();
        entry.watchers += 1;
        Watch {
            live: self.clone(),
            request: request.clone(),
            cut: entry.cut.clone(),
        }
    }

    /// Ends whatever is under way for a request.
    pub(super) fn cut(&self, request: &RequestId) {
        if let Some(entry) = self.lock().get(request) {
            entry.cut.cancel();
        }
    }

    /// Requests for which something is under way.
    pub(super) fn requests(&self) -> Vec<RequestId> {
        self.lock().keys().cloned().collect()
    }

    /// Counters are written in one step: as good after a panic as before.
    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// Waits for the cut.
    pub(super) async fn cut(&self) {
        self.cut.cancelled().await;
    }

    /// Whether it came.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.is_cancelled()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut entries = self.live.lock();
        if let Some(entry) = entries.get_mut(&self.request) {
            entry.watchers -= 1;
            if entry.watchers == 0 {
                entries.remove(&self.request);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_reaches_everybody_at_this_request_and_nobody_else() {
        let live = Live::default();
        let (mine, other) = (RequestId::random(), RequestId::random());
        let watches = [live.watch(&mine), live.watch(&mine), live.watch(&other)];
        live.cut(&mine);
        assert_eq!(watches.each_ref().map(Watch::is_cut), [true, true, false]);
        drop(watches);
        assert!(live.requests().is_empty());
    }
}
