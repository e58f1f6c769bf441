//! One value for everybody, and others for some networks: many programs share one address, where
//! somebody hosts them.

use ipnet::IpNet;

use crate::caller::Caller;

/// A value, and exceptions from it.
#[derive(Clone, Debug)]
pub struct ByNetwork<T> {
    usual: T,
    /// The narrowest first.
    exceptions: Vec<(IpNet, T)>,
}

impl<T> ByNetwork<T> {
    /// `usual` for whoever is in none of these networks. Of several, the narrowest counts.
    pub fn new(usual: T, mut exceptions: Vec<(IpNet, T)>) -> Self {
        exceptions.sort_by_key(|(network, _)| std::cmp::Reverse(network.prefix_len()));
        Self { usual, exceptions }
    }

    /// What counts for this caller.
    pub(super) fn of(&self, caller: Caller) -> &T {
        let address = caller.address();
        let mut exceptions = self.exceptions.iter();
        let exception = exceptions.find(|(network, _)| network.contains(&address));
        exception.map_or(&self.usual, |(_, value)| value)
    }

    /// The same for values made of these.
    pub(super) fn map<U>(&self, make: impl Fn(&T) -> U) -> ByNetwork<U> {
        let exceptions = self.exceptions.iter();
        ByNetwork {
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
    fn the_narrowest_network_counts() {
        let network = |text: &str| text.parse::<IpNet>().expect("a network");
        let values = ByNetwork::new(
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
            let caller = Caller::new(address.parse().expect("an address"));
            assert_eq!(*values.of(caller), want, "{address}");
            assert_eq!(*values.map(|it| it + 1).of(caller), want + 1, "{address}");
        }
    }
}
