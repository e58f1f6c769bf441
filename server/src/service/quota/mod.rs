//! Rate limits and quotas of clients.
//!
//! Creations are counted in the database, so that the limit holds across nodes and restarts. Everything else is counted
//! here, in memory: that costs less than a count in the database. Uploads are delayed rather than refused while few of
//! them wait: bytes that must be sent again cost more than a request that waits.

mod in_progress;
mod keyed_limiter;
mod network;
mod rate;
mod rate_limiter;
mod refusal_log;
mod refusal_report;
mod refusals;
pub mod storage;
pub mod storage_usage;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use metrics::counter;
use tokio::sync::Mutex;
use tokio::time::sleep;

use super::{AppState, Error};
use crate::clock::{Clock, Millis};
use crate::db::CreationCost;
use crate::telemetry::names::THROTTLED;
use net::client_addr::{ClientAddr, LimitKey};
use net::shares::{SharePermit, Shares};

pub use in_progress::InProgress;
pub use network::PerNetwork;
pub use rate::{Rate, RateLimit};
use rate_limiter::RateLimiter;
pub use refusal_log::RefusalLog;
pub use refusal_report::RefusalReport;
pub use refusals::RefusalReason;

/// Upload calls for each read call that a limit allows: an upload takes more calls than a download.
const UPLOADS_PER_READ: u32 = 10;

/// Maximum time between two attempts of a delayed upload call.
const LONGEST_NAP: Duration = Duration::from_secs(1);

/// Number of queues for delayed uploads.
///
/// Clients share them, so one delayed client may wait for another.
const THROTTLE_LOCKS: usize = 256;

/// Maximum number of delayed requests per client.
///
/// It is more than a household of uploading phones has, and affordable at ten kilobytes of memory each.
pub const MAX_WAITING: usize = 512;

/// Rate limits, quotas and their counts. Cheap to clone.
#[derive(Clone)]
pub struct Quotas {
    creations: Arc<PerNetwork<RateLimit>>,
    /// Who may create nothing.
    refused: Arc<[IpNet]>,
    reads: Arc<PerNetwork<RateLimiter>>,
    uploads: Arc<PerNetwork<RateLimiter>>,
    reports: Arc<PerNetwork<RateLimiter>>,
    bytes: Arc<PerNetwork<u64>>,
    throttle_locks: Arc<[Mutex<()>; THROTTLE_LOCKS]>,
    /// Seed of the queue selection, so that no client can choose to share the queue of another.
    chance: RandomState,
    waiting: Shares,
    /// What was refused, by network. Every rate limit and quota of a client address counts its refusals here.
    pub refusals: RefusalLog,
}

/// Proof that a read passed the rate limit. Only this module constructs one.
#[derive(Clone, Copy)]
pub struct ReadPermit(());

/// Proof that a report passed the rate limit. Only this module constructs one.
#[derive(Clone, Copy)]
pub struct ReportPermit(());

impl Quotas {
    /// Creates the limits with empty counts.
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
            refused: Arc::default(),
            reads: Arc::new(reads.map(|it| limiter(*it))),
            uploads: Arc::new(reads.map(|it| limiter(it.times(UPLOADS_PER_READ)))),
            reports: Arc::new(PerNetwork::new(limiter(reports), Vec::new())),
            bytes: Arc::new(bytes),
            throttle_locks: Arc::new(std::array::from_fn(|_| Mutex::default())),
            chance: RandomState::new(),
            waiting: Shares::default(),
            refusals: RefusalLog::new(clock),
        }
    }

    /// Refuses creations from these networks.
    pub fn refusing_creations_from(mut self, networks: Vec<IpNet>) -> Self {
        self.refused = networks.into();
        self
    }

    /// Number of calls that are delayed now.
    pub fn throttled(&self) -> usize {
        self.waiting.held()
    }

    /// Registers a delayed call.
    ///
    /// `None`: the client, or a network around it, has the maximum number already.
    fn wait(&self, client: ClientAddr) -> Option<SharePermit> {
        let keys = self.uploads.keys(client);
        let bounds = keys.map(|(key, multiple)| (key, MAX_WAITING * multiple as usize));
        self.waiting.acquire(usize::MAX, bounds)
    }

    /// Storage quotas in bytes that apply to this creator: its own, and those of the networks around it.
    pub(super) fn bytes(&self, creator: ClientAddr) -> impl Iterator<Item = (LimitKey, u64)> {
        let of_one = *self.bytes.of(creator);
        let keys = self.bytes.keys(creator);
        keys.map(move |(key, multiple)| (key, of_one.saturating_mul(u64::from(multiple))))
    }

    /// The queue in which this client's delayed calls wait.
    fn throttle_lock(&self, client: ClientAddr) -> &Mutex<()> {
        let index = self.chance.hash_one(client) % THROTTLE_LOCKS as u64;
        let index = usize::try_from(index).unwrap_or_default();
        &self.throttle_locks[index]
    }
}

/// Counts a call until the permit is dropped, which is when its response has been sent.
///
/// [`Error::TooOften`]: the client has too many in progress.
pub fn begin_call(app: &AppState, client: ClientAddr) -> Result<SharePermit, Error> {
    let permit = app.in_progress.begin(client);
    permit.ok_or_else(|| refused(app, client, RefusalReason::CallsInProgress, LONGEST_NAP))
}

/// Counts a body that a handler collects until the permit is dropped, which is when it has arrived.
///
/// [`Error::TooOften`]: too many are arriving.
pub fn receive_body(app: &AppState, client: ClientAddr) -> Result<SharePermit, Error> {
    let permit = app.in_progress.receive(client);
    permit.ok_or_else(|| {
        if app.in_progress.is_full() {
            // Not by network: others hold the places than the one that is refused.
            RefusalReason::Bodies.count();
            return Error::TooOften { wait: LONGEST_NAP };
        }
        refused(app, client, RefusalReason::Bodies, LONGEST_NAP)
    })
}

/// Checks the rate limit for reads, deletions and starts of playback.
///
/// [`Error::TooOften`] has the time to wait.
pub fn permit_read(app: &AppState, client: ClientAddr) -> Result<ReadPermit, Error> {
    let counted = app.quotas.reads.count(client);
    counted.map_err(|wait| refused(app, client, RefusalReason::ReadRate, wait))?;
    Ok(ReadPermit(()))
}

/// Checks the rate limit for reports of requests.
pub fn permit_report(app: &AppState, client: ClientAddr) -> Result<ReportPermit, Error> {
    let counted = app.quotas.reports.count(client);
    counted.map_err(|wait| refused(app, client, RefusalReason::ReportRate, wait))?;
    Ok(ReportPermit(()))
}

/// Counts a call of a program against the client's overall limit, and refuses excess at once.
pub fn refuse_excess_calls(app: &AppState, client: ClientAddr) -> Result<(), Error> {
    let counted = app.quotas.uploads.count(client);
    counted.map_err(|wait| refused(app, client, RefusalReason::CallRate, wait))
}

fn refused(app: &AppState, client: ClientAddr, reason: RefusalReason, wait: Duration) -> Error {
    app.quotas.refusals.record(client, reason);
    Error::TooOften { wait }
}

/// Delays an upload call until its rate limit allows it or the server stops.
///
/// Returns an error if the maximum number of calls of this client is delayed already.
pub async fn delay_excess_calls(app: &AppState, client: ClientAddr) -> Result<(), Error> {
    let mut limiters = app.quotas.uploads.limiters(client);
    // A limiter that has counted the call isn't asked again.
    let late = limiters.find(|(limiter, key)| limiter.count(*key).is_err());
    let Some(late) = late else {
        return Ok(());
    };
    let Some(_place) = app.quotas.wait(client) else {
        return Err(refused(app, client, RefusalReason::CallRate, LONGEST_NAP));
    };
    counter!(THROTTLED).increment(1);
    let waiting = async {
        // The lock lets one call per queue retry at a time, in order of arrival.
        let _lock = app.quotas.throttle_lock(client).lock().await;
        for (limiter, key) in [late].into_iter().chain(limiters) {
            while let Err(wait) = limiter.count(key) {
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

/// Refuses a creation from a network that may create nothing.
pub(super) fn refuse_creation(app: &AppState, creator: ClientAddr) -> Result<(), Error> {
    /// The operator decides when it ends.
    const WAIT: Duration = Duration::from_secs(24 * 60 * 60);
    let address = creator.address();
    match app.quotas.refused.iter().any(|it| it.contains(&address)) {
        true => Err(refused(app, creator, RefusalReason::CreateRate, WAIT)),
        false => Ok(()),
    }
}

/// Costs of a creation for its creator and the networks around it. All of them must be covered.
pub(super) fn creation_costs(app: &AppState, creator: ClientAddr) -> Vec<CreationCost> {
    let creations = &app.quotas.creations;
    let allowance = creations.of(creator);
    let costs = creations.keys(creator).filter_map(|(payer, multiple)| {
        let rate = allowance.times(multiple).0?;
        // Rounding up makes the limit slightly stricter, and never looser.
        let interval = rate.interval.as_nanos().div_ceil(1_000_000);
        Some(CreationCost {
            payer,
            interval: Millis::try_from(interval).unwrap_or(Millis::MAX),
            burst: i64::from(rate.burst.get()),
        })
    });
    costs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clients_of_a_network_may_have_several_times_as_many_delayed_calls_as_one() {
        let off = || PerNetwork::new(RateLimit(None), Vec::new());
        let bytes = PerNetwork::new(0, Vec::new());
        let quotas = Quotas::new(off(), &off(), RateLimit(None), bytes, &Clock::manual());
        let client = |address: &str| ClientAddr::new(address.parse().expect("an address"));
        let (one, neighbour) = (client("2001:db8::1"), client("2001:db8:0:1::1"));
        let delayed: Vec<_> = (0..MAX_WAITING).map(|_| quotas.wait(one)).collect();
        assert!(delayed.iter().all(Option::is_some));
        assert!(quotas.wait(one).is_none());
        assert!(quotas.wait(neighbour).is_some());
        drop(delayed);
        assert!(quotas.wait(one).is_some());
        assert_eq!(quotas.throttled(), 0);
    }
}
