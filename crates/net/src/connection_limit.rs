//! Limits the number of connections, in all and per client address.
//!
//! When the limit is reached, the server closes idle connections to admit new ones. It closes a few at a time, because
//! their clients reconnect: thousands of connections closed at once would come back at once, again and again.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use metrics::{Gauge, gauge};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::client_addr::{ClientAddr, LimitKey, TrustedProxies};
use crate::fairness::address::Address;
use crate::fairness::overhead::OverheadLimit;
use crate::fairness::scheduler::Scheduler;
use crate::metric_names::CONNECTIONS;

/// Number of connections that a pending connection asks to close per round.
const EVICTIONS_PER_ROUND: usize = 64;

/// Interval between two rounds of evictions.
/// Rounds go on, and start over once every connection was asked, until the pending connection is admitted.
const EVICTION_INTERVAL: Duration = Duration::from_millis(20);

type Taken = Arc<Mutex<Open>>;

/// Open connections, counted per client address and per network.
#[derive(Default)]
struct Open {
    /// State per client address, and per network around it.
    addresses: HashMap<LimitKey, Shared>,
    /// Addresses and networks without connections, with the time when their overhead is paid.
    unsettled: VecDeque<(Instant, LimitKey)>,
}

/// State that the connections of an address, or of a network around it, share.
struct Shared {
    connections: u32,
    scheduler: Scheduler,
    overhead: OverheadLimit,
}

/// The connection limit, in all and per address. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ConnectionLimit {
    all: Arc<Semaphore>,
    of_one: u32,
    /// Addresses without a limit of their own: a proxy's connections carry many clients.
    proxies: TrustedProxies,
    taken: Taken,
    crowd: Arc<Notify>,
}

/// Permit for one connection, counted until it is dropped.
pub(crate) struct ConnectionPermit {
    _one: OwnedSemaphorePermit,
    share: AddressShare,
    open: Gauge,
}

/// Permit under the per-address limit, counted until it is dropped.
pub(crate) struct AddressShare {
    /// `None` if the address has no limit of its own.
    counted: Option<(Vec<LimitKey>, Taken)>,
    address: Address,
}

impl ConnectionLimit {
    pub(crate) fn new(all: usize, of_one: u32, proxies: TrustedProxies) -> Self {
        Self {
            all: Arc::new(Semaphore::new(all.min(Semaphore::MAX_PERMITS))),
            of_one,
            proxies,
            taken: Arc::default(),
            crowd: Arc::default(),
        }
    }

    /// Counts one more connection for an address and the networks around it.
    /// Returns `None` if one of them has reached its limit; no other connection is closed in that case.
    pub(crate) fn acquire_share(&self, peer: IpAddr) -> Option<AddressShare> {
        if self.proxies.trusts(peer) {
            return Some(AddressShare {
                counted: None,
                address: Address::unlimited(),
            });
        }
        let keys: Vec<_> = ClientAddr::new(peer).keys().collect();
        let mut taken = lock(&self.taken);
        for (key, multiple) in &keys {
            let connections = taken.addresses.get(key).map_or(0, |it| it.connections);
            if connections >= self.of_one.saturating_mul(*multiple) {
                return None;
            }
        }
        taken.remove_settled(Instant::now());
        let address = taken.count(&keys);
        drop(taken);
        let keys = keys.into_iter().map(|(key, _)| key).collect();
        Some(AddressShare {
            counted: Some((keys, self.taken.clone())),
            address,
        })
    }

    /// Waits until the total is below the limit, and asks idle connections to close meanwhile.
    pub(crate) async fn admit(&self, share: AddressShare) -> ConnectionPermit {
        if let Ok(one) = self.all.clone().try_acquire_owned() {
            return ConnectionPermit::new(one, share);
        }
        loop {
            for _ in 0..EVICTIONS_PER_ROUND {
                self.crowd.notify_one();
            }
            let one = timeout(EVICTION_INTERVAL, self.all.clone().acquire_owned()).await;
            if let Ok(one) = one {
                return ConnectionPermit::new(one.expect("nobody closes it"), share);
            }
        }
    }

    /// Completes when a pending connection needs this one to close if it is idle.
    pub(crate) async fn pressure(&self) {
        self.crowd.notified().await;
    }
}

impl ConnectionPermit {
    fn new(one: OwnedSemaphorePermit, share: AddressShare) -> Self {
        let open = gauge!(CONNECTIONS);
        open.increment(1);
        Self {
            _one: one,
            share,
            open,
        }
    }

    /// State that the connection shares with the others of its client address.
    pub(crate) fn address(&self) -> Address {
        self.share.address.clone()
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.open.decrement(1);
    }
}

impl Drop for AddressShare {
    fn drop(&mut self) {
        if let Some((keys, taken)) = &self.counted {
            lock(taken).discount(keys, Instant::now());
        }
    }
}

impl Open {
    /// Counts a connection for an address and the networks around it.
    /// `keys` are ordered from the narrowest to the widest.
    fn count(&mut self, keys: &[(LimitKey, u32)]) -> Address {
        let mut overhead = Vec::new();
        let mut scheduler = Scheduler::unlimited();
        for (key, multiple) in keys {
            let shared = self.addresses.entry(*key).or_insert_with(|| Shared {
                connections: 0,
                scheduler: Scheduler::of_one_address(),
                overhead: OverheadLimit::new(*multiple),
            });
            shared.connections += 1;
            scheduler = shared.scheduler.clone();
            overhead.push(shared.overhead.clone());
        }
        Address {
            scheduler,
            overhead,
        }
    }

    fn discount(&mut self, keys: &[LimitKey], now: Instant) {
        for key in keys {
            let Entry::Occupied(mut address) = self.addresses.entry(*key) else {
                continue;
            };
            let shared = address.get_mut();
            shared.connections -= 1;
            if shared.connections > 0 {
                continue;
            }
            // The debt is kept, so that a client can't clear it by reconnecting.
            match shared.overhead.settled_at() {
                Some(settled_at) if settled_at > now => {
                    self.unsettled.push_back((settled_at, *key))
                }
                _ => drop(address.remove()),
            }
        }
    }

    /// Removes addresses and networks without connections whose overhead is paid.
    /// The queue isn't sorted by time; its times differ by seconds at most.
    fn remove_settled(&mut self, now: Instant) {
        while let Some((_, key)) = self
            .unsettled
            .pop_front_if(|(settled_at, _)| *settled_at <= now)
        {
            let Entry::Occupied(address) = self.addresses.entry(key) else {
                continue;
            };
            let Shared {
                connections,
                overhead,
                ..
            } = address.get();
            // An address that reconnected and has a later time is in the queue once more.
            if *connections == 0 && overhead.settled_at().is_none_or(|it| it <= now) {
                address.remove();
            }
        }
    }
}

/// Locks the counts. A panic while counting leaves them valid, so poisoning is ignored.
fn lock(taken: &Mutex<Open>) -> MutexGuard<'_, Open> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn taken(limit: &ConnectionLimit, peer: &str) -> Option<ConnectionPermit> {
        let share = limit.acquire_share(address(peer))?;
        Some(limit.admit(share).now_or_never().expect("a free place"))
    }

    fn places(all: usize, of_one: u32) -> ConnectionLimit {
        let trusted = vec!["198.51.100.0/24".parse().expect("a network")];
        ConnectionLimit::new(all, of_one, TrustedProxies { trusted, hops: 1 })
    }

    #[test]
    fn one_address_has_its_share_and_gets_it_back() {
        let limit = places(10, 2);
        let first = taken(&limit, "192.0.2.1").expect("a place");
        let _second = taken(&limit, "192.0.2.1").expect("a place");
        assert!(taken(&limit, "192.0.2.1").is_none());
        assert!(taken(&limit, "192.0.2.2").is_some());
        drop(first);
        assert!(taken(&limit, "192.0.2.1").is_some());
    }

    #[test]
    fn neighbours_in_a_network_of_64_bits_are_one() {
        let limit = places(10, 1);
        let _one = taken(&limit, "2001:db8::1").expect("a place");
        assert!(taken(&limit, "2001:db8::2").is_none());
        assert!(taken(&limit, "2001:db8:0:1::1").is_some());
    }

    #[test]
    fn the_networks_of_one_site_share_a_multiple() {
        let limit = places(100, 2);
        let of_site = |site: u16, count: u16| {
            let networks = (0..count).flat_map(|network| [network; 2]);
            let peers = networks.map(|it| format!("2001:db8:0:{:x}::1", (site << 8) + it));
            peers
                .filter_map(|peer| taken(&limit, &peer))
                .collect::<Vec<_>>()
        };
        let first = of_site(1, 9);
        assert_eq!(first.len(), 8, "four times two");
        let others: Vec<_> = (2..6).map(|site| of_site(site, 9).len()).collect();
        assert_eq!(others, [8; 4], "whose connections have ended");
        let held: Vec<_> = (2..6).map(|site| of_site(site, 9)).collect();
        let held: Vec<_> = held.iter().map(Vec::len).collect();
        assert_eq!(held, [8, 8, 8, 0], "sixteen times two in all");
        assert!(taken(&limit, "2001:db8:1::1").is_some());
    }

    #[test]
    fn connections_of_an_address_share_a_scheduler() {
        let limit = places(1000, 1000);
        let scheduler = |peer| {
            let share = limit.acquire_share(address(peer)).expect("a share");
            share.address.scheduler.clone()
        };
        let _first = limit.acquire_share(address("192.0.2.1"));
        assert!(scheduler("192.0.2.1").is(&scheduler("192.0.2.1")));
        assert!(!scheduler("192.0.2.1").is(&scheduler("192.0.2.2")));
        // Connections of a trusted proxy share no scheduler.
        assert!(!scheduler("198.51.100.7").is(&scheduler("198.51.100.7")));
    }

    #[test]
    fn nobody_leaves_a_count_behind() {
        let limit = places(10, 2);
        drop(taken(&limit, "192.0.2.1"));
        drop(taken(&limit, "2001:db8::1"));
        let taken = lock(&limit.taken);
        assert!(taken.addresses.is_empty() && taken.unsettled.is_empty());
    }

    #[test]
    fn who_comes_back_owes_what_they_owed_until_it_is_paid() {
        let limit = places(10, 2);
        let now = Instant::now();
        let share = |peer| limit.acquire_share(address(peer)).expect("a share");
        let waits = |share: &AddressShare| share.address.read(1, now).is_some();
        let first = share("192.0.2.1");
        assert!(first.address.read(1 << 24, now).is_some());
        drop(first);
        assert!(waits(&share("192.0.2.1")));
        assert!(!waits(&share("192.0.2.2")));
        let later = now + Duration::from_secs(60);
        lock(&limit.taken).remove_settled(later);
        assert!(lock(&limit.taken).addresses.is_empty());
        assert!(!waits(&share("192.0.2.1")));
    }

    #[test]
    fn the_networks_of_one_site_share_a_scheduler_and_a_rate() {
        let limit = places(100, 2);
        let share = |peer| limit.acquire_share(address(peer)).expect("a share");
        let (one, other) = (share("2001:db8:0:1::1"), share("2001:db8:0:ff01::1"));
        assert!(one.address.scheduler.is(&other.address.scheduler));
        let stranger = share("2001:db8:1:1::1");
        assert!(!one.address.scheduler.is(&stranger.address.scheduler));
        let now = Instant::now();
        // Four seconds at sixteen times the rate of one address.
        assert!(one.address.read(256 << 20, now).is_some());
        assert!(other.address.read(1, now).is_some());
        assert!(stranger.address.read(1, now).is_none());
    }

    #[tokio::test]
    async fn a_proxy_may_have_them_all_and_no_more() {
        let limit = places(3, 1);
        let all: Vec<_> = (0..3).map(|_| taken(&limit, "198.51.100.7")).collect();
        assert!(all.iter().all(Option::is_some));
        let share = limit
            .acquire_share(address("198.51.100.7"))
            .expect("a share");
        assert!(limit.admit(share).now_or_never().is_none());
    }

    #[tokio::test]
    async fn who_has_their_share_disturbs_nobody_and_who_has_not_asks_some_at_a_time() {
        let limit = places(2, 1);
        let _all = ["192.0.2.1", "192.0.2.2"].map(|peer| taken(&limit, peer).expect("a place"));
        let mut others: Vec<_> = (0..EVICTIONS_PER_ROUND * 2)
            .map(|_| Box::pin(limit.pressure()))
            .collect();
        let mut asked = || {
            let mut all = others.iter_mut();
            all.any(|it| it.as_mut().now_or_never().is_some())
        };
        assert!(!asked());
        assert!(limit.acquire_share(address("192.0.2.1")).is_none());
        assert!(!asked());
        let share = limit.acquire_share(address("192.0.2.3")).expect("a share");
        assert!(limit.admit(share).now_or_never().is_none());
        let mut waiting = 0;
        for other in &mut others {
            waiting += usize::from(other.as_mut().now_or_never().is_none());
        }
        assert_eq!(waiting, EVICTIONS_PER_ROUND);
        assert!(
            lock(&limit.taken).addresses.len() == 2,
            "who gave up left no count"
        );
    }
}
