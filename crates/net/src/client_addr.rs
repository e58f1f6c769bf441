//! Client addresses as limits count them, and trusted proxies.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use ipnet::{IpNet, Ipv6Net};

/// Network address of a client; of an IPv6 address only the first 64 bits.
/// A client with an IPv6 address has at least 2^64 of them (RFC 6177), and chooses the rest freely.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddr(IpAddr);

/// Bits of an IPv6 address that identify a client.
pub const IPV6_PREFIX: u8 = 64;

/// Bits of an IPv4 address that logs may name.
const LOGGED_IPV4_PREFIX: u8 = 24;

/// Bits of an IPv6 address that logs may name.
const LOGGED_IPV6_PREFIX: u8 = 48;

/// Prefix lengths of IPv6 networks whose clients share a limit, and its multiple of one client's.
///
/// A home is often given a /56 and a site a /48 (RFC 6177): 256 and 65,536 clients, if each /64 is one. The multiples
/// leave room for several people there. They are small because a provider that gives each subscriber a single /64 is no
/// worse off than one whose subscribers share an IPv4 address.
const NETWORKS: [(u8, u32); Network::KINDS] =
    [(56, NETWORK_MULTIPLES[0]), (48, NETWORK_MULTIPLES[1])];

/// The multiples in `NETWORKS`. None of them is 1.
pub const NETWORK_MULTIPLES: [u32; Network::KINDS] = [4, 16];

impl ClientAddr {
    /// The client at this address.
    pub fn new(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
        })
    }

    /// The address, with zeros after the first 64 bits of IPv6.
    pub fn address(self) -> IpAddr {
        self.0
    }

    /// The network of this client as logs may name it: 24 bits of an IPv4 address, 48 of an IPv6 one.
    /// The former has 256 clients, the latter is a site (RFC 6177).
    pub fn network_for_logs(self) -> IpNet {
        let prefix = match self.0 {
            IpAddr::V4(_) => LOGGED_IPV4_PREFIX,
            IpAddr::V6(_) => LOGGED_IPV6_PREFIX,
        };
        IpNet::new_assert(self.0, prefix).trunc()
    }

    /// Keys under which this client's usage counts, the narrowest first, each with its multiple.
    /// The first key is the client's own, with one client's limit; the others are the networks around it.
    pub fn keys(self) -> impl Iterator<Item = (LimitKey, u32)> {
        let networks = self.networks();
        let networks = networks.map(|(it, multiple)| (LimitKey::Network(it), multiple));
        [(LimitKey::ClientAddr(self), 1)]
            .into_iter()
            .chain(networks)
    }

    /// The networks around this client, the narrowest first, each with its multiple of one client's limit.
    /// An IPv4 address has none.
    pub fn networks(self) -> impl Iterator<Item = (Network, u32)> {
        let address = match self.0 {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => Some(address),
        };
        address.into_iter().flat_map(|address| {
            NETWORKS.into_iter().filter_map(move |(prefix, multiple)| {
                let network = Ipv6Net::new(address, prefix).ok()?;
                Some((Network(network.trunc()), multiple))
            })
        })
    }
}

/// An IPv6 network whose clients share a limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(Ipv6Net);

impl Network {
    /// Number of prefix lengths.
    pub const KINDS: usize = 2;

    /// The address range of the network.
    pub fn addresses(self) -> IpNet {
        IpNet::V6(self.0)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Network(..)")
    }
}

/// Key of a limit: one client, or all clients of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKey {
    /// One client.
    ClientAddr(ClientAddr),
    /// All clients of a network.
    Network(Network),
}

// `{:?}` hides the address, to keep it out of logs.
impl fmt::Debug for ClientAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientAddr(..)")
    }
}

/// The proxies in front of this server.
#[derive(Clone, Debug)]
pub struct TrustedProxies {
    /// Networks of proxies whose `X-Forwarded-For` is trusted.
    pub trusted: Vec<IpNet>,
    /// Number of proxies in a chain.
    /// Each appends the address of its own client to `X-Forwarded-For`; entries before those can be forged by anyone.
    pub hops: usize,
}

impl TrustedProxies {
    /// The client of a request: `peer`, or the client that a trusted proxy forwards for.
    /// `forwarded` lists the addresses of `X-Forwarded-For`, the last one first, with `None` for one that can't be
    /// parsed.
    pub fn client(
        &self,
        peer: IpAddr,
        forwarded: impl Iterator<Item = Option<IpAddr>>,
    ) -> ClientAddr {
        let mut client = peer.to_canonical();
        for next in forwarded.take(self.hops) {
            // A peer that isn't a trusted proxy may list any address.
            if !self.trusts(client) {
                break;
            }
            let Some(next) = next else {
                break;
            };
            client = next.to_canonical();
        }
        ClientAddr::new(client)
    }

    /// Whether this is the address of a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_may_set_the_client_address() {
        const PEER: &str = "10.0.0.1";
        let one = "198.51.100.1";
        for (hops, peer, forwarded, want) in [
            (1, "203.0.113.7", vec![one], "203.0.113.7"),
            (1, PEER, vec![one], one),
            (1, "::ffff:10.0.0.1", vec![one], one),
            (1, PEER, vec![one, "1.1.1.1"], one),
            (1, PEER, vec!["::ffff:198.51.100.1"], one),
            (1, PEER, vec!["2001:db8::1"], "2001:db8::"),
            (2, PEER, vec!["10.0.0.2", one, "1.1.1.1"], one),
            (2, PEER, vec!["10.0.0.2"], "10.0.0.2"),
            // A request that bypassed the first proxy and reached the second.
            (2, PEER, vec![one, "1.1.1.1"], one),
            (1, PEER, vec!["unknown", one], PEER),
            (1, PEER, vec![], PEER),
        ] {
            let proxies = TrustedProxies {
                trusted: vec!["10.0.0.0/8".parse().expect("a network")],
                hops,
            };
            let peer = peer.parse().expect("an address");
            let listed = forwarded.iter().map(|it| it.parse().ok());
            let client = proxies.client(peer, listed).address();
            assert_eq!(client.to_string(), want, "{peer} says {forwarded:?}");
        }
    }

    #[test]
    fn an_ipv6_address_lies_in_networks_of_56_and_48_bits() {
        let networks = |text: &str| {
            let client = ClientAddr::new(text.parse().expect("an address"));
            let networks = client.networks();
            networks
                .map(|(network, multiple)| (network.addresses().to_string(), multiple))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            networks("2001:db8:1:2345:6::7"),
            [
                ("2001:db8:1:2300::/56".to_owned(), 4),
                ("2001:db8:1::/48".to_owned(), 16)
            ]
        );
        assert!(networks("192.0.2.1").is_empty());
        assert!(networks("::ffff:192.0.2.1").is_empty());
    }

    #[test]
    fn logs_name_a_network_and_no_address() {
        for (address, want) in [
            ("192.0.2.7", "192.0.2.0/24"),
            ("::ffff:192.0.2.7", "192.0.2.0/24"),
            ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ] {
            let client = ClientAddr::new(address.parse().expect("an address"));
            assert_eq!(client.network_for_logs().to_string(), want, "{address}");
        }
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        let client = |text: &str| ClientAddr::new(text.parse().expect("an address"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::2:3"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
    }
}
