//! A limit with exceptions for some networks.
//!
//! Hosting networks need them, because many programs share one address there.

use ipnet::IpNet;

use net::client_addr::{ClientAddr, LimitKey};

/// A value, and exceptions for some networks.
#[derive(Clone, Debug)]
pub struct PerNetwork<T> {
    usual: T,
    /// Sorted from the narrowest network to the widest.
    exceptions: Vec<(IpNet, T)>,
}

impl<T> PerNetwork<T> {
    /// `usual` applies outside all of these networks. Of several matching networks, the narrowest applies.
    pub fn new(usual: T, mut exceptions: Vec<(IpNet, T)>) -> Self {
        exceptions.sort_by_key(|(network, _)| std::cmp::Reverse(network.prefix_len()));
        Self { usual, exceptions }
    }

    /// The value for this client.
    pub(super) fn of(&self, client: ClientAddr) -> &T {
        let exception = self.exception(client);
        exception.map_or(&self.usual, |(_, value)| value)
    }

    /// Keys that the client's usage counts against, with the multiple of the value that each may reach.
    ///
    /// The client's own key comes first, then those of the networks around it, the narrowest first. An exception
    /// applies to its own addresses alone, so a network that is only partly within it bounds none of them.
    pub(super) fn keys(&self, client: ClientAddr) -> impl Iterator<Item = (LimitKey, u32)> {
        let exception = self.exception(client).map(|(network, _)| *network);
        let within = move |key: LimitKey| match key {
            LimitKey::ClientAddr(_) => true,
            LimitKey::Network(network) => {
                exception.is_none_or(|exception| exception.contains(&network.addresses()))
            }
        };
        client.keys().filter(move |(key, _)| within(*key))
    }

    fn exception(&self, client: ClientAddr) -> Option<&(IpNet, T)> {
        let address = client.address();
        let mut exceptions = self.exceptions.iter();
        exceptions.find(|(network, _)| network.contains(&address))
    }

    /// Derives the same structure with other values.
    pub(super) fn map<U>(&self, make: impl Fn(&T) -> U) -> PerNetwork<U> {
        let exceptions = self.exceptions.iter();
        PerNetwork {
            usual: make(&self.usual),
            exceptions: exceptions
                .map(|(network, value)| (*network, make(value)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_bounds_those_that_have_the_same_value() {
        let network = |text: &str| text.parse::<IpNet>().expect("a network");
        let values = PerNetwork::new(
            (),
            vec![
                (network("2001:db8:0:100::/56"), ()),
                (network("2001:db8:0:201::/64"), ()),
                (network("2001:db8:4::/47"), ()),
                (network("203.0.113.0/24"), ()),
            ],
        );
        for (address, want) in [
            ("2001:db8::1", vec![1, 4, 16]),
            ("2001:db8:0:101::1", vec![1, 4]),
            ("2001:db8:0:201::1", vec![1]),
            ("2001:db8:0:202::1", vec![1, 4, 16]),
            ("2001:db8:5::1", vec![1, 4, 16]),
            ("203.0.113.7", vec![1]),
            ("192.0.2.1", vec![1]),
        ] {
            let client = ClientAddr::new(address.parse().expect("an address"));
            let multiples: Vec<_> = values.keys(client).map(|it| it.1).collect();
            assert_eq!(multiples, want, "{address}");
        }
    }

    #[test]
    fn the_narrowest_network_counts() {
        let network = |text: &str| text.parse::<IpNet>().expect("a network");
        let values = PerNetwork::new(
            0,
            vec![
                (network("203.0.113.0/24"), 24),
                (network("203.0.113.7/32"), 32),
                (network("2001:db8::/48"), 48),
            ],
        );
        for (address, want) in [
            ("203.0.113.7", 32),
            ("203.0.113.8", 24),
            ("::ffff:203.0.113.8", 24),
            ("203.0.114.7", 0),
            ("2001:db8:0:ffff::1", 48),
            ("2001:db8:1::1", 0),
        ] {
            let client = ClientAddr::new(address.parse().expect("an address"));
            assert_eq!(*values.of(client), want, "{address}");
            assert_eq!(*values.map(|it| it + 1).of(client), want + 1, "{address}");
        }
    }
}
