//! Who asks, as far as limits go: an address, read where it can't be made up.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use ipnet::IpNet;

/// Somebody's network address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Caller(IpAddr);

impl Caller {
    /// The one at this address.
    pub fn new(address: IpAddr) -> Self {
        Self(address.to_canonical())
    }

    /// Where they are.
    pub(super) fn address(self) -> IpAddr {
        self.0
    }

    /// What counts as one caller. Whoever has IPv6 has at least 2^64 addresses (RFC 6177), so the rest is
    /// theirs to choose.
    pub(super) fn key(self) -> IpAddr {
        match self.0 {
            IpAddr::V4(_) => self.0,
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        }
    }
}

/// As the database keeps it.
impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key() {
            IpAddr::V4(address) => write!(f, "{address}"),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

/// The proxies in front of this server.
#[derive(Clone, Debug)]
pub struct Proxies {
    /// Who may say on whose behalf they ask.
    pub trusted: Vec<IpNet>,
    /// How many there are, one behind the other: each adds the address that it was asked from at the end
    /// of `X-Forwarded-For`, and what stands before those was written by whoever liked to.
    pub hops: usize,
}

impl Proxies {
    /// Who asks: `peer` itself, or who it asks for. `forwarded` are the lines of `X-Forwarded-For`.
    pub fn caller<'a>(
        &self,
        peer: IpAddr,
        forwarded: impl DoubleEndedIterator<Item = &'a str>,
    ) -> Caller {
        let peer = peer.to_canonical();
        if !self.trusted.iter().any(|network| network.contains(&peer)) {
            return Caller(peer);
        }
        let mut listed = forwarded.rev().flat_map(|line| line.rsplit(','));
        let asked_from = listed.nth(self.hops.saturating_sub(1)).and_then(address);
        // A proxy that doesn't say asks for itself.
        asked_from.map_or(Caller(peer), Caller::new)
    }
}

/// Some proxies add the port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let address = bare.unwrap_or(text).parse();
    let with_port = || text.parse().map(|it: SocketAddr| it.ip());
    address.or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_speaks_for_others_and_only_at_its_place() {
        let ours = |hops| Proxies {
            trusted: vec!["10.0.0.0/8".parse().expect("a network")],
            hops,
        };
        for (hops, peer, forwarded, want) in [
            (1, "203.0.113.7", vec!["198.51.100.1"], "203.0.113.7"),
            (1, "10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            (1, "::ffff:10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            (1, "10.0.0.1", vec!["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            (
                1,
                "10.0.0.1",
                vec!["1.1.1.1", "198.51.100.1"],
                "198.51.100.1",
            ),
            (
                2,
                "10.0.0.1",
                vec!["1.1.1.1, 198.51.100.1,10.0.0.2"],
                "198.51.100.1",
            ),
            (
                2,
                "10.0.0.1",
                vec!["198.51.100.1", "10.0.0.2"],
                "198.51.100.1",
            ),
            (2, "10.0.0.1", vec!["10.0.0.2"], "10.0.0.1"),
            (1, "10.0.0.1", vec!["198.51.100.1:4711"], "198.51.100.1"),
            (1, "10.0.0.1", vec!["[2001:db8::1]:4711"], "2001:db8::/64"),
            (1, "10.0.0.1", vec!["[2001:db8::1]"], "2001:db8::/64"),
            (1, "10.0.0.1", vec!["::ffff:198.51.100.1"], "198.51.100.1"),
            (1, "10.0.0.1", vec!["1.1.1.1, unknown"], "10.0.0.1"),
            (1, "10.0.0.1", vec!["1.1.1.1,"], "10.0.0.1"),
            (1, "10.0.0.1", vec![], "10.0.0.1"),
        ] {
            let peer = peer.parse().expect("an address");
            let caller = ours(hops).caller(peer, forwarded.iter().copied());
            assert_eq!(caller.to_string(), want, "{peer} says {forwarded:?}");
        }
    }

    #[test]
    fn neighbours_within_one_ipv6_network_are_one_caller() {
        let caller = |text: &str| Caller::new(text.parse().expect("an address"));
        assert_eq!(caller("2001:db8::1").key(), caller("2001:db8::2:3").key());
        assert_ne!(caller("2001:db8::1").key(), caller("2001:db8:0:1::1").key());
        assert_ne!(caller("192.0.2.1").key(), caller("192.0.2.2").key());
    }
}
