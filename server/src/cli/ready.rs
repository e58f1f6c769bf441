//! `vidence ready`: what a container's health check runs, where there is neither a shell nor curl.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::redirect::Policy;

use crate::storage::tls;

/// How long an answer may take: the server itself waits for its stores for less.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Ask the server of this machine whether it is ready; exit status 0 if it is, 1 if not
///
/// Finds it by the server's own variables.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Address and port that the server listens on
    #[arg(long, env = "VIDENCE_LISTEN", default_value = "127.0.0.1:3000")]
    listen: SocketAddr,

    /// The server's TLS certificate: with one it is asked over HTTPS. Not for a server with --lan
    #[arg(long, env = "VIDENCE_TLS_CERT")]
    tls_cert: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
pub(super) async fn ready(args: &Args) -> anyhow::Result<()> {
    tls::install_provider();
    // Not by its redirect, which leads to its public URL.
    let scheme = if args.tls_cert.is_some() {
        "https"
    } else {
        "http"
    };
    let url = format!("{scheme}://{}/readyz", reachable(args.listen));
    let client = reqwest::Client::builder()
        .timeout(TIMEOUT)
        // Its certificate is for a name, and this asks an address of this machine.
        .danger_accept_invalid_certs(true)
        .redirect(Policy::none())
        .no_proxy()
        .build()?;
    let answer = client.get(&url).send().await;
    let answer = answer.with_context(|| format!("no server at {url}"))?;
    let status = answer.status();
    ensure!(
        status.is_success(),
        "{url}: {status}: {}",
        answer.text().await?
    );
    Ok(())
}

/// An address to connect to: loopback for a server that listens on all addresses.
pub(super) fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_is_asked_at_loopback() {
        let asked = |listen: &str| reachable(listen.parse().expect("an address")).to_string();
        assert_eq!(asked("0.0.0.0:3000"), "127.0.0.1:3000");
        assert_eq!(asked("[::]:443"), "[::1]:443");
        assert_eq!(asked("10.1.2.3:80"), "10.1.2.3:80");
    }
}
