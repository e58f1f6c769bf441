//! How often somebody may ask.
//!
//! Creations are counted in the database, so that it holds on all nodes and through restarts. Whatever
//! else there is is counted here, in memory: it costs less than what the database would for counting.
//! Uploads are slowed and never refused: what is sent again costs more than what waits.

mod caller;
mod networks;
mod rate;
mod tally;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::{App, Error};
use crate::clock::{Clock, Millis};
use crate::db::Toll;

pub use caller::{Caller, Proxies};
pub use networks::ByNetwork;
pub use rate::{Allowance, Rate};
use tally::Tally;

/// Sending a recording takes more calls than watching it.
const UPLOADS_PER_READ: u32 = 10;

/// Whoever waits looks again at least so often.
const LONGEST_NAP: Duration = Duration::from_secs(1);

/// What everybody may do, and how much of it they have done. Cheap to clone.
#[derive(Clone)]
pub struct Quotas {
    creations: Arc<ByNetwork<Allowance>>,
    reads: Arc<ByNetwork<Tally>>,
    uploads: Arc<ByNetwork<Tally>>,
}

/// Somebody who hasn't asked too often. Made only here, so whoever holds one has been counted.
#[derive(Clone, Copy)]
pub struct Admission(());

impl Quotas {
    /// Nobody has done anything yet.
    pub fn new(
        creations: ByNetwork<Allowance>,
        reads: &ByNetwork<Allowance>,
        clock: &Clock,
    ) -> Self {
        let tally = |allowance: Allowance| Tally::new(allowance, clock.clone());
        Self {
            creations: Arc::new(creations),
            reads: Arc::new(reads.map(|it| tally(*it))),
            uploads: Arc::new(reads.map(|it| tally(it.times(UPLOADS_PER_READ)))),
        }
    }
}

/// For whoever reads, deletes or begins to watch. [`Error::TooOften`] says when to come back.
pub fn admit(app: &App, caller: Caller) -> Result<Admission, Error> {
    let tally = app.quotas.reads.of(caller);
    let counted = tally.count(caller);
    counted.map_err(|wait| Error::TooOften { wait })?;
    Ok(Admission(()))
}

/// For whoever sends: returns when it is their turn.
pub async fn slow(app: &App, caller: Caller) {
    let tally = app.quotas.uploads.of(caller);
    while let Err(wait) = tally.count(caller) {
        sleep(wait.min(LONGEST_NAP)).await;
    }
}

/// What a creation costs. `None`: nothing.
pub(super) fn toll(app: &App, caller: Caller) -> Option<Toll> {
    let Allowance(rate) = app.quotas.creations.of(caller);
    let rate = (*rate)?;
    let interval = Millis::try_from(rate.interval.as_millis()).unwrap_or(Millis::MAX);
    Some(Toll {
        creator: caller.to_string(),
        interval,
        at_once: i64::from(rate.burst.get()),
    })
}
