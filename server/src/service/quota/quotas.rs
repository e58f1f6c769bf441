//! The rate limits and quotas of clients, with their counts.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use ipnet::IpNet;
use tokio::sync::Mutex;

use super::network::PerNetwork;
use super::rate_limiter::RateLimiter;
use super::refusal_log::RefusalLog;
use crate::clock::Clock;
use crate::config::{QuotaArgs, RateLimit};
use net::client_addr::{ClientAddr, LimitKey};
use net::shares::{SharePermit, Shares};

/// Upload calls for each read call that a limit allows: an upload takes more calls than a download.
const UPLOADS_PER_READ: u32 = 10;

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
    pub(super) creations: Arc<PerNetwork<RateLimit>>,
    /// Who may create nothing.
    pub(super) refused: Arc<[IpNet]>,
    pub(super) reads: Arc<PerNetwork<RateLimiter>>,
    pub(super) uploads: Arc<PerNetwork<RateLimiter>>,
    pub(super) reports: Arc<PerNetwork<RateLimiter>>,
    bytes: Arc<PerNetwork<u64>>,
    throttle_locks: Arc<[Mutex<()>; THROTTLE_LOCKS]>,
    /// Seed of the queue selection, so that no client can choose to share the queue of another.
    chance: RandomState,
    waiting: Shares,
    /// What was refused, by network.
    /// Every rate limit and quota of a client address counts its refusals here.
    pub refusals: RefusalLog,
}

impl Quotas {
    /// Creates the limits of these settings, with empty counts.
    pub fn new(settings: &QuotaArgs, clock: &Clock) -> Self {
        let settings = settings.clone();
        let limiter = |limit: RateLimit| RateLimiter::new(limit, clock);
        let creations = PerNetwork::new(settings.create_limit, settings.create_limit_for);
        let reads = PerNetwork::new(settings.read_limit, settings.read_limit_for);
        let bytes = PerNetwork::new(settings.max_creator_bytes, settings.max_creator_bytes_for);
        Self {
            creations: Arc::new(creations),
            refused: settings.refuse_creations_from.into(),
            reads: Arc::new(reads.map(|it| limiter(*it))),
            uploads: Arc::new(reads.map(|it| limiter(it.times(UPLOADS_PER_READ)))),
            reports: Arc::new(PerNetwork::new(limiter(settings.report_limit), Vec::new())),
            bytes: Arc::new(bytes),
            throttle_locks: Arc::new(std::array::from_fn(|_| Mutex::default())),
            chance: RandomState::new(),
            waiting: Shares::default(),
            refusals: RefusalLog::new(clock),
        }
    }

    /// Number of calls that are delayed now.
    pub fn throttled(&self) -> usize {
        self.waiting.held()
    }

    /// Registers a delayed call.
    ///
    /// `None`: the client, or a network around it, has the maximum number already.
    pub(super) fn wait(&self, client: ClientAddr) -> Option<SharePermit> {
        let keys = self.uploads.keys(client);
        let bounds = keys.map(|(key, multiple)| (key, MAX_WAITING * multiple as usize));
        self.waiting.acquire(usize::MAX, bounds)
    }

    /// Storage quotas in bytes that apply to this creator: its own, and those of the networks around it.
    pub(in crate::service) fn bytes(
        &self,
        creator: ClientAddr,
    ) -> impl Iterator<Item = (LimitKey, u64)> {
        let of_one = *self.bytes.of(creator);
        let keys = self.bytes.keys(creator);
        keys.map(move |(key, multiple)| (key, of_one.saturating_mul(u64::from(multiple))))
    }

    /// The queue in which this client's delayed calls wait.
    pub(super) fn throttle_lock(&self, client: ClientAddr) -> &Mutex<()> {
        let index = self.chance.hash_one(client) % THROTTLE_LOCKS as u64;
        let index = usize::try_from(index).unwrap_or_default();
        &self.throttle_locks[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn the_clients_of_a_network_may_have_several_times_as_many_delayed_calls_as_one() {
        let settings = Config::defaults().quotas;
        let quotas = Quotas::new(&settings, &Clock::manual());
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
