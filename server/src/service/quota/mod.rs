//! How often somebody may ask.
//!
//! Creations are counted in the database, so that it holds on all nodes and through restarts. Whatever
//! else there is is counted here, in memory: it costs less than what the database would for counting.
//! Uploads are slowed and not refused, as long as few wait: what is sent again costs more than what waits.

mod keyed_limiter;
mod network;
mod rate;
mod rate_limiter;
pub mod storage;
pub mod storage_usage;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use metrics::counter;
use tokio::sync::Mutex;
use tokio::time::sleep;

use super::{AppState, Error};
use crate::clock::{Clock, Millis};
use crate::db::CreationCost;
use crate::telemetry::names::{REFUSALS, SLOWED};
use net::client_addr::{ClientAddr, LimitKey};
use net::shares::{SharePermit, Shares};

pub use network::PerNetwork;
pub use rate::{Rate, RateLimit};
use rate_limiter::RateLimiter;

/// Sending a recording takes more calls than watching it.
const UPLOADS_PER_READ: u32 = 10;

/// Whoever waits looks again at least so often.
const LONGEST_NAP: Duration = Duration::from_secs(1);

/// Queues of those who wait. Callers share them: who is slowed may wait for another one who is.
const TURNS: usize = 256;

/// Requests of one client that may wait at a time: more than a house full of uploading phones has, and at ten kilobytes
/// each no burden.
pub const MAX_WAITING: usize = 512;

/// What everybody may do, and how much of it they have done. Cheap to clone.
#[derive(Clone)]
pub struct Quotas {
    creations: Arc<PerNetwork<RateLimit>>,
    reads: Arc<PerNetwork<RateLimiter>>,
    uploads: Arc<PerNetwork<RateLimiter>>,
    reports: Arc<PerNetwork<RateLimiter>>,
    bytes: Arc<PerNetwork<u64>>,
    turns: Arc<[Mutex<()>; TURNS]>,
    /// Which turn is a caller's, so that no other one can choose to share it.
    chance: RandomState,
    waiting: Shares,
}

/// Somebody who hasn't asked too often. Made only here, so whoever holds one has been counted.
#[derive(Clone, Copy)]
pub struct ReadPermit(());

/// Somebody who hasn't complained too often, likewise.
#[derive(Clone, Copy)]
pub struct ReportPermit(());

impl Quotas {
    /// Nobody has done anything yet.
    pub fn new(
        creations: PerNetwork<RateLimit>,
        reads: &PerNetwork<RateLimit>,
        reports: RateLimit,
        bytes: PerNetwork<u64>,
        clock: &Clock,
    ) -> Self {
        let limiter = |allowance: RateLimit| RateLimiter::new(allowance, clock);
        Self {
            creations: Arc::new(creations),
            reads: Arc::new(reads.map(|it| limiter(*it))),
            uploads: Arc::new(reads.map(|it| limiter(it.times(UPLOADS_PER_READ)))),
            reports: Arc::new(PerNetwork::new(limiter(reports), Vec::new())),
            bytes: Arc::new(bytes),
            turns: Arc::new(std::array::from_fn(|_| Mutex::default())),
            chance: RandomState::new(),
            waiting: Shares::default(),
        }
    }

    /// How many calls wait for their turn.
    pub fn slowed(&self) -> usize {
        self.waiting.held()
    }

    /// The place of a call that waits. `None`: as many of the caller's, or of a network around it, as may wait do.
    fn wait(&self, caller: ClientAddr) -> Option<SharePermit> {
        let keys = self.uploads.keys(caller);
        let bounds = keys.map(|(key, multiple)| (key, MAX_WAITING * multiple as usize));
        self.waiting.acquire(usize::MAX, bounds)
    }

    /// How many bytes all requests of this caller may hold, and those of all callers in the networks around it.
    pub(super) fn bytes(&self, creator: ClientAddr) -> impl Iterator<Item = (LimitKey, u64)> {
        let of_one = *self.bytes.of(creator);
        let keys = self.bytes.keys(creator);
        keys.map(move |(key, multiple)| (key, of_one.saturating_mul(u64::from(multiple))))
    }

    /// Where those who are too fast wait for each other.
    fn turn(&self, caller: ClientAddr) -> &Mutex<()> {
        let index = self.chance.hash_one(caller) % TURNS as u64;
        let index = usize::try_from(index).unwrap_or_default();
        &self.turns[index]
    }
}

/// For whoever reads, deletes or begins to watch. [`Error::TooOften`] says when to come back.
pub fn permit_read(app: &AppState, caller: ClientAddr) -> Result<ReadPermit, Error> {
    let counted = app.quotas.reads.count(caller);
    counted.map_err(|wait| {
        counter!(REFUSALS, "kind" => "read").increment(1);
        Error::TooOften { wait }
    })?;
    Ok(ReadPermit(()))
}

/// For whoever reports a request.
pub fn permit_report(app: &AppState, caller: ClientAddr) -> Result<ReportPermit, Error> {
    let counted = app.quotas.reports.count(caller);
    counted.map_err(|wait| Error::TooOften { wait })?;
    Ok(ReportPermit(()))
}

/// For programs: counts a request against what a client may ask in all, and refuses one too many at once.
pub fn check_read_rate(app: &AppState, caller: ClientAddr) -> Result<(), Error> {
    let counted = app.quotas.uploads.count(caller);
    counted.map_err(too_often)
}

fn too_often(wait: Duration) -> Error {
    counter!(REFUSALS, "kind" => "flood").increment(1);
    Error::TooOften { wait }
}

/// For a client that sends: returns when it is its turn, or the server stops. An error: too many of its calls wait already.
pub async fn throttle_upload(app: &AppState, caller: ClientAddr) -> Result<(), Error> {
    let mut tallies = app.quotas.uploads.tallies(caller);
    // Where one tally has counted the call, it isn't asked again.
    let late = tallies.find(|(tally, key)| tally.count(*key).is_err());
    let Some(late) = late else {
        return Ok(());
    };
    let Some(_place) = app.quotas.wait(caller) else {
        return Err(too_often(LONGEST_NAP));
    };
    counter!(SLOWED).increment(1);
    let waiting = async {
        // One of them at a time asks again, in the order in which they came.
        let _turn = app.quotas.turn(caller).lock().await;
        for (tally, key) in [late].into_iter().chain(tallies) {
            while let Err(wait) = tally.count(key) {
                sleep(wait.min(LONGEST_NAP)).await;
            }
        }
    };
    tokio::select! {
        () = waiting => {}
        () = app.shutdown.stopping.cancelled() => {}
    }
    Ok(())
}

/// What a creation costs its creator and the networks around it: all of these, or it isn't made.
pub(super) fn creation_costs(app: &AppState, caller: ClientAddr) -> Vec<CreationCost> {
    let creations = &app.quotas.creations;
    let allowance = creations.of(caller);
    let tolls = creations.keys(caller).filter_map(|(payer, multiple)| {
        let rate = allowance.times(multiple).0?;
        // Rather a little slower than a little faster.
        let interval = rate.interval.as_nanos().div_ceil(1_000_000);
        Some(CreationCost {
            payer,
            interval: Millis::try_from(interval).unwrap_or(Millis::MAX),
            burst: i64::from(rate.burst.get()),
        })
    });
    tolls.collect()
}
