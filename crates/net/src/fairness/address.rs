//! Scheduler and overhead limits that all connections of one client address share.

use std::time::Instant;

use crate::fairness::overhead::OverheadLimit;
use crate::fairness::scheduler::Scheduler;

/// Keeps the many connections of one address from delaying those of others. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Address {
    /// Scheduler of the widest network around the address.
    /// A site has 65,536 networks of 64 bits, and mustn't be in tokio's run queue as often as it has connections.
    pub(crate) scheduler: Scheduler,
    /// Overhead limits of the address and of the networks around it.
    pub(crate) overhead: Vec<OverheadLimit>,
}

impl Address {
    /// An address without limits: that of a proxy, which carries many clients.
    pub(crate) fn unlimited() -> Self {
        Self {
            scheduler: Scheduler::unlimited(),
            overhead: Vec::new(),
        }
    }

    /// Counts overhead bytes that were read.
    /// Returns the time before which no more may be read, if there is one.
    pub(crate) fn read(&self, bytes: usize, now: Instant) -> Option<Instant> {
        let waits = self.overhead.iter().filter_map(|it| it.read(bytes, now));
        waits.max()
    }
}
