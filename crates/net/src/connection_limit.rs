//! Limits the number of connections, in all and per client address.
//!
//! When the limit is reached, the server closes idle connections to admit new ones. It closes a few at a time, because
//! their clients reconnect: thousands of connections closed at once would come back at once, again and again.
//!
//! By hand, because tower's limits count requests, and know no addresses.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::{Gauge, counter, gauge};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::client_addr::{ClientAddr, TrustedProxies};
use crate::fairness::address::{Address, Addresses};
use crate::metric_names::{CONNECTIONS, CONNECTIONS_WAITED};
use crate::shares::{SharePermit, Shares};

/// Number of connections that a pending connection asks to close per round.
const EVICTIONS_PER_ROUND: usize = 64;

/// Interval between two rounds of evictions.
/// Rounds go on, and start over once every connection was asked, until the pending connection is admitted.
const EVICTION_INTERVAL: Duration = Duration::from_millis(20);

/// The connection limit, in all and per address. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ConnectionLimit {
    all: Arc<Semaphore>,
    of_one: u32,
    /// Addresses without a limit of their own: a proxy's connections carry many clients.
    proxies: TrustedProxies,
    shares: Shares,
    addresses: Addresses,
    pressure: Arc<Notify>,
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
    _permit: Option<SharePermit>,
    address: Address,
}

impl ConnectionLimit {
    pub(crate) fn new(all: usize, of_one: u32, proxies: TrustedProxies) -> Self {
        Self {
            all: Arc::new(Semaphore::new(all.min(Semaphore::MAX_PERMITS))),
            of_one,
            proxies,
            shares: Shares::default(),
            addresses: Addresses::default(),
            pressure: Arc::default(),
        }
    }

    /// Counts one more connection for an address and the networks around it.
    /// Returns `None` if one of them has reached its limit; no other connection is closed in that case.
    pub(crate) fn acquire_share(&self, peer: IpAddr) -> Option<AddressShare> {
        if self.proxies.trusts(peer) {
            return Some(AddressShare {
                _permit: None,
                address: Address::default(),
            });
        }
        let keys: Vec<_> = ClientAddr::new(peer).keys().collect();
        let limits = keys
            .iter()
            .map(|(key, multiple)| (*key, self.of_one.saturating_mul(*multiple) as usize));
        Some(AddressShare {
            _permit: Some(self.shares.acquire(usize::MAX, limits)?),
            address: self.addresses.get(&keys, Instant::now()),
        })
    }

    /// Waits until the total is below the limit, and asks idle connections to close meanwhile.
    pub(crate) async fn admit(&self, share: AddressShare) -> ConnectionPermit {
        if let Ok(one) = self.all.clone().try_acquire_owned() {
            return ConnectionPermit::new(one, share);
        }
        counter!(CONNECTIONS_WAITED).increment(1);
        loop {
            for _ in 0..EVICTIONS_PER_ROUND {
                self.pressure.notify_one();
            }
            let one = timeout(EVICTION_INTERVAL, self.all.clone().acquire_owned()).await;
            if let Ok(one) = one {
                return ConnectionPermit::new(one.expect("it is never closed"), share);
            }
        }
    }

    /// Completes when a pending connection needs this one to close if it is idle.
    pub(crate) async fn pressure(&self) {
        self.pressure.notified().await;
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

    /// What the connection shares with the others of its client address.
    pub(crate) fn address(&self) -> Address {
        self.share.address.clone()
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.open.decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn share(limit: &ConnectionLimit, peer: &str) -> Option<AddressShare> {
        limit.acquire_share(peer.parse().expect("an address"))
    }

    fn permit(limit: &ConnectionLimit, peer: &str) -> Option<ConnectionPermit> {
        let share = share(limit, peer)?;
        Some(limit.admit(share).now_or_never().expect("a free permit"))
    }

    fn limit(all: usize, of_one: u32) -> ConnectionLimit {
        let trusted = vec!["198.51.100.0/24".parse().expect("a network")];
        ConnectionLimit::new(all, of_one, TrustedProxies { trusted, hops: 1 })
    }

    #[test]
    fn an_address_is_limited_to_its_share_until_it_releases_some() {
        let limit = limit(10, 2);
        let first = permit(&limit, "192.0.2.1").expect("a permit");
        let _second = permit(&limit, "192.0.2.1").expect("a permit");
        assert!(permit(&limit, "192.0.2.1").is_none());
        assert!(permit(&limit, "192.0.2.2").is_some());
        drop(first);
        assert!(permit(&limit, "192.0.2.1").is_some());
    }

    #[test]
    fn the_networks_of_one_site_have_a_multiple() {
        let limit = limit(100, 2);
        let of_site = |site: u16| {
            let networks = (0..9_u16).flat_map(|network| [network; 2]);
            let peers = networks.map(|it| format!("2001:db8:0:{:x}::1", (site << 8) + it));
            let permits = peers.filter_map(|peer| permit(&limit, &peer));
            permits.collect::<Vec<_>>()
        };
        let held: Vec<_> = (1..6).map(of_site).collect();
        let held: Vec<_> = held.iter().map(Vec::len).collect();
        assert_eq!(held, [8, 8, 8, 8, 0], "four and sixteen times two");
        assert!(permit(&limit, "2001:db8:1::1").is_some());
    }

    #[test]
    fn connections_of_an_address_share_a_scheduler() {
        let limit = limit(1000, 1000);
        let address = |peer| share(&limit, peer).expect("a share").address;
        let first = address("192.0.2.1");
        assert!(first.shares_turns_with(&address("192.0.2.1")));
        assert!(!first.shares_turns_with(&address("192.0.2.2")));
        // Connections of a trusted proxy share no scheduler.
        let of_proxy = address("198.51.100.7");
        assert!(!of_proxy.shares_turns_with(&address("198.51.100.7")));
    }

    #[tokio::test]
    async fn a_trusted_proxy_is_limited_only_in_total() {
        let limit = limit(3, 1);
        let all: Vec<_> = (0..3).map(|_| permit(&limit, "198.51.100.7")).collect();
        assert!(all.iter().all(Option::is_some));
        let share = share(&limit, "198.51.100.7").expect("a share");
        assert!(limit.admit(share).now_or_never().is_none());
    }

    #[tokio::test]
    async fn only_a_connection_with_a_share_evicts_others_and_a_few_at_a_time() {
        let limit = limit(2, 1);
        let _all = ["192.0.2.1", "192.0.2.2"].map(|peer| permit(&limit, peer).expect("a permit"));
        let mut idle: Vec<_> = (0..EVICTIONS_PER_ROUND * 2)
            .map(|_| Box::pin(limit.pressure()))
            .collect();
        let mut asked = || {
            let asked = idle.iter_mut().filter_map(|it| it.as_mut().now_or_never());
            asked.count()
        };
        assert_eq!(asked(), 0);
        assert!(share(&limit, "192.0.2.1").is_none());
        assert_eq!(asked(), 0);
        let pending = share(&limit, "192.0.2.3").expect("a share");
        assert!(limit.admit(pending).now_or_never().is_none());
        assert_eq!(asked(), EVICTIONS_PER_ROUND);
    }
}
