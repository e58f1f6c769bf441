//! Settings of rate limits, quotas and trusted proxies.

use std::fmt::Display;
use std::net::IpAddr;

use clap::Args;
use ipnet::{IpNet, Ipv6Net};

use super::rate::RateLimit;
use super::units::{NETWORK_SIZE, SIZE, size};
use net::client_addr::{IPV6_PREFIX, TrustedProxies};

/// The rate limits and quotas of clients.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Rate limits and proxies")]
pub struct QuotaArgs {
    /// Requests that one client address may create, as rate and burst; "off" for no limit.
    /// An IPv6 /64 network counts as one address
    #[arg(long, env = "VIDENCE_CREATE_LIMIT", default_value = "30/hour:10")]
    pub create_limit: RateLimit,

    /// Reads, deletions and streams that one client address may start, as rate and burst; "off" for no limit. Upload
    /// calls are throttled at ten times this rate
    #[arg(long, env = "VIDENCE_READ_LIMIT", default_value = "20/second:60")]
    pub read_limit: RateLimit,

    /// Abuse reports that one client address may send, as rate and burst; "off" for no limit
    #[arg(long, env = "VIDENCE_REPORT_LIMIT", default_value = "10/hour:5")]
    pub report_limit: RateLimit,

    /// Creation limit for the addresses of a network, such as 198.51.100.0/21=3000/hour:500; comma-separated
    #[arg(long, env = "VIDENCE_CREATE_LIMIT_FOR", value_delimiter = ',', value_parser = rate_exception)]
    pub create_limit_for: Vec<(IpNet, RateLimit)>,

    /// Networks or addresses that may create no requests, such as 198.51.100.0/24; comma-separated.
    /// An IPv6 address stands for its /64
    #[arg(long, env = "VIDENCE_REFUSE_CREATIONS_FROM", value_delimiter = ',', value_parser = client_network)]
    pub refuse_creations_from: Vec<IpNet>,

    /// Read limit for the addresses of a network, such as 198.51.100.0/21=200/second:600; comma-separated
    #[arg(long, env = "VIDENCE_READ_LIMIT_FOR", value_delimiter = ',', value_parser = rate_exception)]
    pub read_limit_for: Vec<(IpNet, RateLimit)>,

    /// Largest sum of the recordings of all requests from one client address
    #[arg(long, env = "VIDENCE_MAX_CREATOR_BYTES", value_name = SIZE, value_parser = size, default_value = "20GiB")]
    pub max_creator_bytes: u64,

    /// Storage limit for the addresses of a network, such as 198.51.100.0/21=2TB; comma-separated
    #[arg(long, env = "VIDENCE_MAX_CREATOR_BYTES_FOR", value_name = NETWORK_SIZE, value_delimiter = ',', value_parser = size_exception)]
    pub max_creator_bytes_for: Vec<(IpNet, u64)>,

    /// Networks or addresses of all proxies in front of this server, which name the client in X-Forwarded-For;
    /// comma-separated
    #[arg(long, env = "VIDENCE_TRUSTED_PROXIES", value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,

    /// Proxies that a request passes one after the other: the client address is this entry of X-Forwarded-For, counted
    /// from the right
    #[arg(long, env = "VIDENCE_PROXY_HOPS", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub proxy_hops: u8,
}

impl QuotaArgs {
    /// The trusted proxies.
    pub fn proxies(&self) -> TrustedProxies {
        TrustedProxies {
            trusted: self.trusted_proxies.clone(),
            hops: self.proxy_hops.into(),
        }
    }
}

/// Reads a network, or a single address.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    let network = text.parse().or_else(|_| address());
    network.map_err(|_| "give it as 198.51.100.0/21, or one address")
}

/// Reads a network of clients, or the address of one, which is a /64 of IPv6.
pub fn client_network(text: &str) -> Result<IpNet, &'static str> {
    Ok(match network(text)? {
        IpNet::V6(it) if it.prefix_len() > IPV6_PREFIX => {
            Ipv6Net::new_assert(it.addr(), IPV6_PREFIX).trunc().into()
        }
        other => other,
    })
}

fn rate_exception(text: &str) -> Result<(IpNet, RateLimit), String> {
    exception(text, str::parse)
}

fn size_exception(text: &str) -> Result<(IpNet, u64), String> {
    exception(text, size)
}

fn exception<T, E: Display>(
    text: &str,
    read: impl Fn(&str) -> Result<T, E>,
) -> Result<(IpNet, T), String> {
    let (network, value) = text.split_once('=').ok_or("give it as network=value")?;
    let network = self::network(network)?;
    // A narrower network shares the limit of its /64.
    if matches!(network, IpNet::V6(it) if it.prefix_len() > IPV6_PREFIX) {
        return Err(format!(
            "an IPv6 network can't be narrower than /{IPV6_PREFIX}"
        ));
    }
    let value = read(value).map_err(|error| error.to_string())?;
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
            // It shares the limit of its /64.
            ("2001:db8::1=5", None),
        ] {
            let network = size_exception(text).ok().map(|(it, _)| it.to_string());
            assert_eq!(network.as_deref(), want, "{text}");
        }
    }
}
