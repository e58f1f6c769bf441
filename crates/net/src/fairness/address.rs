//! What all connections of one client address share.

use std::time::Instant;

use crate::fairness::overhead::OverheadLimit;
use crate::fairness::scheduler::Scheduler;

/// Keeps a crowd of connections from delaying everybody else. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Address {
    /// Of the widest network around it: a site has 65,536 addresses of 64 bits, and must not stand in tokio's queue as
    /// often as it has connections.
    pub(crate) scheduler: Scheduler,
    /// Its own, and those of the networks around it.
    pub(crate) overhead: Vec<OverheadLimit>,
}

impl Address {
    /// One of a proxy, which sends what many clients say.
    pub(crate) fn unlimited() -> Self {
        Self {
            scheduler: Scheduler::unlimited(),
            overhead: Vec::new(),
        }
    }

    /// Counts bytes of overhead that were read. `Some`: more may be read only then.
    pub(crate) fn read(&self, bytes: usize, now: Instant) -> Option<Instant> {
        let waits = self.overhead.iter().filter_map(|it| it.read(bytes, now));
        waits.max()
    }
}
