//! How often one may ask, and who asks.

use std::fmt::Display;
use std::net::IpAddr;
use std::str::FromStr;

use clap::Args;
use ipnet::IpNet;

use crate::clock::Clock;
use crate::service::quota::{PerNetwork, Quotas, RateLimit};
use net::client_addr::{IPV6_PREFIX, TrustedProxies};

/// How often one may ask.
#[derive(Clone, Debug, Args)]
pub struct QuotaArgs {
    /// Requests that one address may create, as rate and burst; "off" for no limit. An IPv6 network of 64
    /// bits counts as one address
    #[arg(long, env = "VIDENCE_CREATE_LIMIT", default_value = "30/hour:10")]
    pub create_limit: RateLimit,

    /// Status queries, deletions and streams that one address may begin, as rate and burst; "off" for no
    /// limit. Calls that send recordings are slowed down at ten times that
    #[arg(long, env = "VIDENCE_READ_LIMIT", default_value = "20/second:60")]
    pub read_limit: RateLimit,

    /// Reports of requests that one address may send, as rate and burst; "off" for no limit
    #[arg(long, env = "VIDENCE_REPORT_LIMIT", default_value = "10/hour:5")]
    pub report_limit: RateLimit,

    /// Another limit of creations for addresses of a network, such as 198.51.100.0/21=3000/hour:500;
    /// several with commas
    #[arg(long, env = "VIDENCE_CREATE_LIMIT_FOR", value_delimiter = ',', value_parser = exception::<RateLimit>)]
    pub create_limit_for: Vec<(IpNet, RateLimit)>,

    /// Another limit of reads for addresses of a network; several with commas
    #[arg(long, env = "VIDENCE_READ_LIMIT_FOR", value_delimiter = ',', value_parser = exception::<RateLimit>)]
    pub read_limit_for: Vec<(IpNet, RateLimit)>,

    /// Bytes that all recordings of all requests of one address may have
    #[arg(long, env = "VIDENCE_MAX_CREATOR_BYTES", default_value_t = 20 << 30)]
    pub max_creator_bytes: u64,

    /// Another number of bytes for addresses of a network, such as 198.51.100.0/21=2000000000000; several
    /// with commas
    #[arg(long, env = "VIDENCE_MAX_CREATOR_BYTES_FOR", value_delimiter = ',', value_parser = exception::<u64>)]
    pub max_creator_bytes_for: Vec<(IpNet, u64)>,

    /// Networks or addresses of all proxies in front of this server; several with commas. Whom they ask for is
    /// read from X-Forwarded-For
    #[arg(long, env = "VIDENCE_TRUSTED_PROXIES", value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,

    /// How many proxies there are one behind the other: the address is read at this place of
    /// X-Forwarded-For, counted from the right
    #[arg(long, env = "VIDENCE_PROXY_HOPS", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub proxy_hops: u8,
}

impl QuotaArgs {
    /// With nothing counted yet.
    pub fn quotas(&self, clock: &Clock) -> Quotas {
        let creations = PerNetwork::new(self.create_limit, self.create_limit_for.clone());
        let reads = PerNetwork::new(self.read_limit, self.read_limit_for.clone());
        let bytes = PerNetwork::new(self.max_creator_bytes, self.max_creator_bytes_for.clone());
        Quotas::new(creations, &reads, self.report_limit, bytes, clock)
    }

    /// Who may ask for others.
    pub fn proxies(&self) -> TrustedProxies {
        TrustedProxies {
            trusted: self.trusted_proxies.clone(),
            hops: self.proxy_hops.into(),
        }
    }
}

/// An address is a network of its own.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    let network = text.parse().or_else(|_| address());
    network.map_err(|_| "give it as 198.51.100.0/21, or one address")
}

fn exception<T: FromStr<Err: Display>>(text: &str) -> Result<(IpNet, T), String> {
    let (network, value) = text.split_once('=').ok_or("give it as network=value")?;
    let network = self::network(network)?;
    // Narrower ones are one caller with their neighbours.
    if matches!(network, IpNet::V6(it) if it.prefix_len() > IPV6_PREFIX) {
        return Err(format!(
            "an IPv6 network can't be narrower than /{IPV6_PREFIX}"
        ));
    }
    let value = value.parse().map_err(|error: T::Err| error.to_string())?;
    Ok((network, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_may_be_one_address() {
        for (text, want) in [
            ("10.0.0.0/8", Some("10.0.0.0/8")),
            ("127.0.0.1", Some("127.0.0.1/32")),
            ("::1", Some("::1/128")),
            ("2001:db8::/48", Some("2001:db8::/48")),
            ("10.0.0.0/33", None),
            ("proxy.example.org", None),
            ("", None),
        ] {
            let network = network(text).ok().map(|it| it.to_string());
            assert_eq!(network.as_deref(), want, "{text}");
        }
        for (text, want) in [
            ("198.51.100.7=5", Some("198.51.100.7/32")),
            ("198.51.100.0/24=5", Some("198.51.100.0/24")),
            ("2001:db8::/64=5", Some("2001:db8::/64")),
            // It would be one caller with its neighbours.
            ("2001:db8::1=5", None),
        ] {
            let network = exception::<u64>(text).ok().map(|(it, _)| it.to_string());
            assert_eq!(network.as_deref(), want, "{text}");
        }
    }
}
