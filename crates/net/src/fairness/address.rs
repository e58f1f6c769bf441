//! What the connections of one client address, and of the networks around it, share.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use crate::client_addr::LimitKey;
use crate::fairness::overhead::OverheadLimit;
use crate::fairness::scheduler::Scheduler;

/// Number of addresses up to which those without connections are kept.
const MIN_SWEEP: usize = 64;

/// Keeps the many connections of one address from delaying those of others. Cheap to clone.
/// The default is without limits: that of a proxy, which carries many clients.
#[derive(Clone, Default)]
pub(crate) struct Address {
    /// Of the address and of the networks around it, the narrowest first.
    limits: Vec<Arc<Limits>>,
}

/// Limits of an address, or of a network around it.
struct Limits {
    scheduler: Scheduler,
    overhead: OverheadLimit,
}

/// The limits of all addresses that have connections, or overhead that isn't paid yet. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Addresses(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    limits: HashMap<LimitKey, Arc<Limits>>,
    /// Number of entries at which those that are needed no longer are removed.
    sweep_at: usize,
}

impl Address {
    /// Runs `work`, and polls it only when it is its turn among the tasks of this address.
    ///
    /// The turns are those of the widest network: a site has 65,536 networks of 64 bits, and mustn't be in tokio's run
    /// queue as often as it has connections.
    pub(crate) async fn schedule<F: Future>(&self, work: Pin<&mut F>) -> F::Output {
        match self.limits.last() {
            Some(widest) => widest.scheduler.run(work).await,
            None => work.await,
        }
    }

    /// Counts overhead bytes that were read.
    /// Returns the time before which no more may be read, if there is one.
    pub(crate) fn read_overhead(&self, bytes: usize, now: Instant) -> Option<Instant> {
        let waits = self.limits.iter().map(|it| it.overhead.read(bytes, now));
        waits.flatten().max()
    }

    /// Whether the tasks of both are scheduled together.
    #[cfg(test)]
    pub(crate) fn shares_turns_with(&self, other: &Self) -> bool {
        matches!((self.limits.last(), other.limits.last()), (Some(this), Some(that)) if Arc::ptr_eq(this, that))
    }
}

impl Addresses {
    /// The limits of the address with these keys, which are ordered from the narrowest to the widest.
    pub(crate) fn get(&self, keys: &[(LimitKey, u32)], now: Instant) -> Address {
        let mut known = self.0.lock();
        known.sweep(now);
        let limits = keys.iter().map(|(key, multiple)| {
            let limits = known.limits.entry(*key).or_insert_with(|| {
                Arc::new(Limits {
                    scheduler: Scheduler::default(),
                    overhead: OverheadLimit::new(*multiple),
                })
            });
            limits.clone()
        });
        Address {
            limits: limits.collect(),
        }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.lock().limits.len()
    }
}

impl Known {
    /// Removes addresses without connections, at the cost of a constant number of steps per new address.
    /// The debt of overhead is kept until it is paid, so that a client can't clear it by reconnecting.
    fn sweep(&mut self, now: Instant) {
        if self.limits.len() < self.sweep_at {
            return;
        }
        self.limits
            .retain(|_, it| Arc::strong_count(it) > 1 || !it.overhead.is_settled(now));
        self.sweep_at = MIN_SWEEP.max(2 * self.limits.len());
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Duration;

    use super::*;
    use crate::client_addr::ClientAddr;

    fn keys(address: impl Into<IpAddr>) -> Vec<(LimitKey, u32)> {
        ClientAddr::new(address.into()).keys().collect()
    }

    #[test]
    fn addresses_without_connections_are_forgotten() {
        let addresses = Addresses::default();
        let now = Instant::now();
        let kept = addresses.get(&keys([192, 0, 2, 1]), now);
        for number in 0..10_000_u32 {
            addresses.get(&keys(number.to_be_bytes()), now);
        }
        assert!(addresses.len() <= 2 * MIN_SWEEP, "{}", addresses.len());
        assert!(kept.shares_turns_with(&addresses.get(&keys([192, 0, 2, 1]), now)));
    }

    #[test]
    fn a_reconnecting_address_keeps_its_overhead_debt() {
        let addresses = Addresses::default();
        let now = Instant::now();
        let must_wait = |last: u8, now| {
            let address = addresses.get(&keys([192, 0, 2, last]), now);
            address.read_overhead(1, now).is_some()
        };
        let first = addresses.get(&keys([192, 0, 2, 1]), now);
        assert!(first.read_overhead(1 << 24, now).is_some());
        drop(first);
        let connect_many = |now| {
            for number in 0..1000_u32 {
                addresses.get(&keys(number.to_be_bytes()), now);
            }
        };
        connect_many(now);
        assert!(must_wait(1, now));
        assert!(!must_wait(2, now));
        let later = now + Duration::from_secs(60);
        connect_many(later);
        assert!(addresses.len() <= 2 * MIN_SWEEP, "{}", addresses.len());
        assert!(!must_wait(1, later));
    }

    #[test]
    fn the_networks_of_one_site_share_turns_and_a_rate() {
        let addresses = Addresses::default();
        let now = Instant::now();
        let get = |text: &str| {
            let address: IpAddr = text.parse().expect("an address");
            addresses.get(&keys(address), now)
        };
        let (one, other) = (get("2001:db8:0:1::1"), get("2001:db8:0:ff01::1"));
        let stranger = get("2001:db8:1:1::1");
        assert!(one.shares_turns_with(&other) && !one.shares_turns_with(&stranger));
        // Four seconds at sixteen times the rate of one address.
        assert!(one.read_overhead(256 << 20, now).is_some());
        assert!(other.read_overhead(1, now).is_some());
        assert!(stranger.read_overhead(1, now).is_none());
    }
}
