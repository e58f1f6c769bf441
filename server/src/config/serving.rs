//! How connections are served.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::units::{DURATION, duration};

/// How connections are served.
#[derive(Clone, Debug, Args)]
pub struct ServingArgs {
    /// Speak TLS with this certificate, its whole chain in one PEM file; SIGHUP reads it again
    #[arg(
        long,
        env = "VIDENCE_TLS_CERT",
        requires = "tls_key",
        conflicts_with = "lan"
    )]
    pub tls_cert: Option<PathBuf>,

    /// The certificate's key, a PEM file
    #[arg(long, env = "VIDENCE_TLS_KEY", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// Try it with a phone in the same network: HTTPS with a certificate of its own, on all of this machine's
    /// addresses, with the link as a QR code
    #[arg(long, env = "VIDENCE_LAN")]
    pub lan: bool,

    /// Connections at a time; who does nothing with one loses it to who comes next
    #[arg(long, env = "VIDENCE_MAX_CONNECTIONS", default_value_t = 16384, value_parser = at_least_one)]
    pub max_connections: usize,

    /// Connections at a time of one address, unless it is a trusted proxy's. An IPv6 network of 64 bits counts as
    /// one address
    #[arg(long, env = "VIDENCE_MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections_per_address: u32,

    /// Grace period on shutdown: /readyz reports it, and new connections are still accepted, until a load balancer
    /// has noticed
    #[arg(long, env = "VIDENCE_DRAIN_NOTICE", value_name = DURATION, value_parser = duration, default_value = "0s")]
    pub drain_notice: Duration,

    /// Time that requests under way have to end, once no new connections are accepted
    #[arg(long, env = "VIDENCE_DRAIN", value_name = DURATION, value_parser = duration, default_value = "10s")]
    pub drain: Duration,
}

impl ServingArgs {
    /// How a server ends.
    pub fn drain(&self) -> Drain {
        Drain {
            notice: self.drain_notice,
            deadline: self.drain,
        }
    }
}

/// How a server ends.
#[derive(Clone, Copy, Debug)]
pub struct Drain {
    /// From saying so to taking no more connections.
    pub notice: Duration,
    /// From then on, for requests under way.
    pub deadline: Duration,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("nobody could connect".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(error.to_string()),
    }
}
