//! Settings of connections and shutdown.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{BoolishValueParser, RangedU64ValueParser};

use super::units::{DURATION, duration};

/// Connections and shutdown.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Connections")]
pub struct ServingArgs {
    /// TLS certificate with its whole chain, a PEM file; SIGHUP reloads it
    /// [default: none, plain HTTP]
    #[arg(
        long,
        env = "VIDENCE_TLS_CERT",
        requires = "tls_key",
        conflicts_with = "lan"
    )]
    pub tls_cert: Option<PathBuf>,

    /// Private key of the TLS certificate, a PEM file
    #[arg(long, env = "VIDENCE_TLS_KEY", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// Serve a phone in the same network: HTTPS with a self-signed certificate on all addresses of this machine, and
    /// the link as a QR code
    #[arg(long, env = "VIDENCE_LAN", value_parser = BoolishValueParser::new())]
    pub lan: bool,

    /// Maximum connections; when full, idle ones are closed first
    #[arg(long, env = "VIDENCE_MAX_CONNECTIONS", default_value_t = 16384, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub max_connections: usize,

    /// Maximum connections, and maximum calls in progress, of one client address.
    /// Trusted proxies may open any number of connections. An IPv6 /64 network counts as one address
    #[arg(long, env = "VIDENCE_MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections_per_address: u32,

    /// Time from /readyz answering 503 to closing the listener: as long as the load balancer needs to notice
    #[arg(long, env = "VIDENCE_DRAIN_NOTICE", value_name = DURATION, value_parser = duration, default_value = "0s")]
    pub drain_notice: Duration,

    /// Time that requests under way have to finish once the listener is closed
    #[arg(long, env = "VIDENCE_DRAIN", value_name = DURATION, value_parser = duration, default_value = "10s")]
    pub drain: Duration,
}
