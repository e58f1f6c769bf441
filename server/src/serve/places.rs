//! How many connections there may be, in all and from one address.
//!
//! When all places are taken, those who do nothing with theirs are asked to leave: some at a time, because who leaves
//! comes back, and thousands that did so in one moment would do it again and again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::{Gauge, gauge};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::turns::Turns;
use crate::caller::{Caller, LimitKey, Proxies};
use crate::telemetry::names::CONNECTIONS;

/// Who waits for a place asks so many others for theirs…
const ASKED: usize = 64;

/// …and as many again after so long, until all have been asked, and from the beginning.
const AGAIN: Duration = Duration::from_millis(20);

/// What each caller has, and all callers of a network.
type Taken = Arc<Mutex<HashMap<LimitKey, Held>>>;

/// What those who share a key have.
struct Held {
    connections: u32,
    turns: Turns,
}

/// The places there are. Cheap to clone.
#[derive(Clone)]
pub(super) struct Places {
    all: Arc<Semaphore>,
    of_one: u32,
    /// All the world comes from a proxy's address, so it has as many as there are.
    proxies: Proxies,
    taken: Taken,
    crowd: Arc<Notify>,
}

/// One of them, until it is dropped.
pub(super) struct Place {
    _one: OwnedSemaphorePermit,
    share: Share,
    open: Gauge,
}

/// One of those that an address may have, until it is dropped.
pub(super) struct Share {
    /// `None`: it may have them all.
    counted: Option<(Vec<LimitKey>, Taken)>,
    turns: Turns,
}

impl Places {
    pub(super) fn new(all: usize, of_one: u32, proxies: Proxies) -> Self {
        Self {
            all: Arc::new(Semaphore::new(all.min(Semaphore::MAX_PERMITS))),
            of_one,
            proxies,
            taken: Arc::default(),
            crowd: Arc::default(),
        }
    }

    /// Counts one more for an address and the networks around it. `None`: one of them has its share, and nobody is
    /// asked to leave for its sake.
    pub(super) fn share(&self, peer: IpAddr) -> Option<Share> {
        if self.proxies.trusts(peer) {
            return Some(Share {
                counted: None,
                turns: Turns::unlimited(),
            });
        }
        let caller = Caller::new(peer);
        let networks = caller.networks();
        let networks = networks.map(|(network, multiple)| (LimitKey::Network(network), multiple));
        let bounds = [(LimitKey::Caller(caller), 1)].into_iter().chain(networks);
        let mut taken = lock(&self.taken);
        let mut keys = Vec::new();
        for (key, multiple) in bounds {
            let count = taken.get(&key).map_or(0, |held| held.connections);
            if count >= self.of_one.saturating_mul(multiple) {
                return None;
            }
            keys.push(key);
        }
        for key in &keys {
            let held = taken.entry(*key).or_insert_with(|| Held {
                connections: 0,
                turns: Turns::of_one_address(),
            });
            held.connections += 1;
        }
        let turns = taken[&LimitKey::Caller(caller)].turns.clone();
        drop(taken);
        Some(Share {
            counted: Some((keys, self.taken.clone())),
            turns,
        })
    }

    /// Waits for a place. Those who have one and do nothing are asked to give it up.
    pub(super) async fn take(&self, share: Share) -> Place {
        if let Ok(one) = self.all.clone().try_acquire_owned() {
            return Place::new(one, share);
        }
        loop {
            for _ in 0..ASKED {
                self.crowd.notify_one();
            }
            let one = timeout(AGAIN, self.all.clone().acquire_owned()).await;
            if let Ok(one) = one {
                return Place::new(one.expect("nobody closes it"), share);
            }
        }
    }

    /// Somebody waits for a place.
    pub(super) async fn crowded(&self) {
        self.crowd.notified().await;
    }
}

impl Place {
    fn new(one: OwnedSemaphorePermit, share: Share) -> Self {
        let open = gauge!(CONNECTIONS);
        open.increment(1);
        Self {
            _one: one,
            share,
            open,
        }
    }

    /// The turns of its address.
    pub(super) fn turns(&self) -> Turns {
        self.share.turns.clone()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.decrement(1);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some((keys, taken)) = &self.counted else {
            return;
        };
        let mut taken = lock(taken);
        for key in keys {
            if let Entry::Occupied(mut held) = taken.entry(*key) {
                held.get_mut().connections -= 1;
                if held.get().connections == 0 {
                    held.remove();
                }
            }
        }
    }
}

/// A panic while counting leaves a count that is as good as before.
fn lock(taken: &Mutex<HashMap<LimitKey, Held>>) -> MutexGuard<'_, HashMap<LimitKey, Held>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    fn taken(places: &Places, peer: &str) -> Option<Place> {
        let share = places.share(address(peer))?;
        Some(places.take(share).now_or_never().expect("a free place"))
    }

    fn places(all: usize, of_one: u32) -> Places {
        let trusted = vec!["198.51.100.0/24".parse().expect("a network")];
        Places::new(all, of_one, Proxies { trusted, hops: 1 })
    }

    #[test]
    fn one_address_has_its_share_and_gets_it_back() {
        let places = places(10, 2);
        let first = taken(&places, "192.0.2.1").expect("a place");
        let _second = taken(&places, "192.0.2.1").expect("a place");
        assert!(taken(&places, "192.0.2.1").is_none());
        assert!(taken(&places, "192.0.2.2").is_some());
        drop(first);
        assert!(taken(&places, "192.0.2.1").is_some());
    }

    #[test]
    fn neighbours_in_a_network_of_64_bits_are_one() {
        let places = places(10, 1);
        let _one = taken(&places, "2001:db8::1").expect("a place");
        assert!(taken(&places, "2001:db8::2").is_none());
        assert!(taken(&places, "2001:db8:0:1::1").is_some());
    }

    #[test]
    fn the_networks_of_one_site_share_a_multiple() {
        let places = places(100, 2);
        let of_site = |site: u16, count: u16| {
            let networks = (0..count).flat_map(|network| [network; 2]);
            let peers = networks.map(|it| format!("2001:db8:0:{:x}::1", (site << 8) + it));
            peers
                .filter_map(|peer| taken(&places, &peer))
                .collect::<Vec<_>>()
        };
        let first = of_site(1, 9);
        assert_eq!(first.len(), 8, "four times two");
        let others: Vec<_> = (2..6).map(|site| of_site(site, 9).len()).collect();
        assert_eq!(others, [8; 4], "whose connections have ended");
        let held: Vec<_> = (2..6).map(|site| of_site(site, 9)).collect();
        let held: Vec<_> = held.iter().map(Vec::len).collect();
        assert_eq!(held, [8, 8, 8, 0], "sixteen times two in all");
        assert!(taken(&places, "2001:db8:1::1").is_some());
    }

    #[test]
    fn connections_of_an_address_share_its_turns() {
        let places = places(1000, 1000);
        let turns = |peer| places.share(address(peer)).map(|it| it.turns.clone());
        let turns = |peer| turns(peer).expect("a share");
        let _first = places.share(address("192.0.2.1"));
        assert!(turns("192.0.2.1").are(&turns("192.0.2.1")));
        assert!(!turns("192.0.2.1").are(&turns("192.0.2.2")));
        assert!(!turns("198.51.100.7").are(&turns("198.51.100.7")));
    }

    #[test]
    fn nobody_leaves_a_count_behind() {
        let places = places(10, 2);
        drop(taken(&places, "192.0.2.1"));
        drop(taken(&places, "2001:db8::1"));
        assert!(lock(&places.taken).is_empty());
    }

    #[tokio::test]
    async fn a_proxy_may_have_them_all_and_no_more() {
        let places = places(3, 1);
        let all: Vec<_> = (0..3).map(|_| taken(&places, "198.51.100.7")).collect();
        assert!(all.iter().all(Option::is_some));
        let share = places.share(address("198.51.100.7")).expect("a share");
        assert!(places.take(share).now_or_never().is_none());
    }

    #[tokio::test]
    async fn who_has_their_share_disturbs_nobody_and_who_has_not_asks_some_at_a_time() {
        let places = places(2, 1);
        let _all = ["192.0.2.1", "192.0.2.2"].map(|peer| taken(&places, peer).expect("a place"));
        let mut others: Vec<_> = (0..ASKED * 2).map(|_| Box::pin(places.crowded())).collect();
        let mut asked = || {
            let mut all = others.iter_mut();
            all.any(|it| it.as_mut().now_or_never().is_some())
        };
        assert!(!asked());
        assert!(places.share(address("192.0.2.1")).is_none());
        assert!(!asked());
        let share = places.share(address("192.0.2.3")).expect("a share");
        assert!(places.take(share).now_or_never().is_none());
        let mut waiting = 0;
        for other in &mut others {
            waiting += usize::from(other.as_mut().now_or_never().is_none());
        }
        assert_eq!(waiting, ASKED);
        assert!(lock(&places.taken).len() == 2, "who gave up left no count");
    }
}
