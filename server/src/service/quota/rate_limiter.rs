//! Counts calls against the limit of a client and against those of the networks around it.

use std::array;
use std::time::Duration;

use super::keyed_limiter::{KeyedLimiter, MAX_CLIENTS};
use super::network::PerNetwork;
use crate::clock::Clock;
use crate::config::RateLimit;
use net::client_addr::{ClientAddr, LimitKey, NETWORK_MULTIPLES, Network};

/// Maximum number of networks that are counted separately: fewer than clients.
const MAX_NETWORKS: usize = MAX_CLIENTS / 4;

/// A rate limit per client, and a multiple of it per network, in bounded memory on this node.
pub(super) struct RateLimiter {
    clients: KeyedLimiter,
    /// Limiters of networks, each with its multiple of the limit.
    networks: [(u32, KeyedLimiter); Network::KINDS],
}

impl RateLimiter {
    pub(super) fn new(allowance: RateLimit, clock: &Clock) -> Self {
        let limiter = |multiple: u32, most: usize| {
            KeyedLimiter::new(allowance.times(multiple), most, clock.clone())
        };
        Self {
            clients: limiter(1, MAX_CLIENTS),
            networks: array::from_fn(|kind| {
                let multiple = NETWORK_MULTIPLES[kind];
                (multiple, limiter(multiple, MAX_NETWORKS))
            }),
        }
    }

    fn of_multiple(&self, multiple: u32) -> &KeyedLimiter {
        let mut networks = self.networks.iter();
        let network = networks.find(|it| it.0 == multiple);
        network.map_or(&self.clients, |(_, limiter)| limiter)
    }
}

impl PerNetwork<RateLimiter> {
    /// Counts one call, or returns the time after which it would be counted.
    ///
    /// The client's own limit is checked first, so that a client above it uses up nothing of the limit that it shares
    /// with its neighbours.
    pub(super) fn count(&self, client: ClientAddr) -> Result<(), Duration> {
        self.limiters(client)
            .try_for_each(|(limiter, key)| limiter.count(key))
    }

    /// Limiters that count a call of this client, its own first.
    pub(super) fn limiters(
        &self,
        client: ClientAddr,
    ) -> impl Iterator<Item = (&KeyedLimiter, LimitKey)> {
        let limiter = self.of(client);
        let keys = self.keys(client);
        keys.map(|(key, multiple)| (limiter.of_multiple(multiple), key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limited_ipv6_network_leaves_others_of_its_site_a_rate() {
        let clock = Clock::manual();
        let limiter = RateLimiter::new("1/second:1".parse().expect("a rate"), &clock);
        let limiter = PerNetwork::new(limiter, Vec::new());
        let count = |network: u8| {
            let address = format!("2001:db8:0:1{network:02x}::1");
            limiter.count(ClientAddr::new(address.parse().expect("an address")))
        };
        let counted = |network: u8| count(network).is_ok();
        assert!(counted(1));
        assert!(!(0..100).any(|_| counted(1)));
        assert!(counted(2) && counted(3) && counted(4));
        let wait = count(5).expect_err("four of a network");
        assert!(wait <= Duration::from_millis(250), "{wait:?}");
        clock.advance(250);
        assert!(counted(6));
    }
}
