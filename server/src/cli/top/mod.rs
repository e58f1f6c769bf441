//! `vidence top`: who overloads a running server, and which of its limits are near.

mod overview;
mod scrape;

use std::io::{IsTerminal, Write, stdout};
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};
use reqwest::Client;
use reqwest::redirect::Policy;
use tokio::time::sleep;

use super::ready::reachable;
use crate::storage::tls;
use overview::Overview;
use scrape::Scrape;

/// How long an answer may take. `/metrics` itself waits for its queries for less.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Time between two screens.
const INTERVAL: Duration = Duration::from_secs(2);

/// The networks that fit a terminal of 24 lines, below the gauges.
const NETWORKS_ON_SCREEN: usize = 12;

/// Moves the cursor home and clears the screen (ECMA-48: CUP, ED).
const CLEAR: &str = "\x1b[H\x1b[J";

/// Show which networks a running server refuses most, and how near its limits are
///
/// Every two seconds on a terminal until Ctrl-C, and once otherwise. Refusals are those of the last one or two minutes. A
/// network is 24 bits of an IPv4 address or 48 of an IPv6 one; no address, link or token is shown.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Address and port of the server's operator listener
    #[arg(long, env = "VIDENCE_ADMIN_LISTEN")]
    admin_listen: SocketAddr,

    /// Print one screen
    #[arg(long)]
    once: bool,

    /// Print JSON, once
    #[arg(long)]
    json: bool,
}

#[tokio::main(flavor = "current_thread")]
pub(super) async fn top(args: &Args) -> anyhow::Result<()> {
    tls::install_provider();
    let server = Server::at(args.admin_listen)?;
    let mut out = stdout();
    if args.json {
        let overview = server.overview().await?;
        writeln!(out, "{}", serde_json::to_string_pretty(&overview)?)?;
    } else if args.once || !out.is_terminal() {
        write!(out, "{}", server.overview().await?.to_text(usize::MAX))?;
    } else {
        loop {
            // A server that restarts, or is too busy to answer, is asked again.
            let screen = match server.overview().await {
                Ok(overview) => overview.to_text(NETWORKS_ON_SCREEN),
                Err(error) => format!("{error:#}\n"),
            };
            write!(out, "{CLEAR}{screen}")?;
            out.flush()?;
            sleep(INTERVAL).await;
        }
    }
    Ok(())
}

/// The operator's listener of a server.
struct Server {
    client: Client,
    url: String,
}

impl Server {
    fn at(address: SocketAddr) -> anyhow::Result<Self> {
        let client = Client::builder().timeout(TIMEOUT).no_proxy();
        Ok(Self {
            client: client.redirect(Policy::none()).build()?,
            url: format!("http://{}", reachable(address)),
        })
    }

    async fn overview(&self) -> anyhow::Result<Overview> {
        let (metrics, refusals) = (self.get("/metrics").await?, self.get("/refusals").await?);
        let refusals = serde_json::from_str(&refusals);
        let refusals = refusals.with_context(|| format!("{}: no answer of Vidence", self.url))?;
        Ok(Overview::new(&Scrape::parse(&metrics), refusals))
    }

    async fn get(&self, path: &str) -> anyhow::Result<String> {
        let url = format!("{}{path}", self.url);
        let answer = self.client.get(&url).send().await.map_err(|error| {
            let what = match error.is_timeout() && !error.is_connect() {
                true => format!("{url} doesn't answer in time"),
                false => format!("no operator listener at {}", self.url),
            };
            anyhow::Error::new(error).context(what)
        })?;
        let status = answer.status();
        ensure!(
            status.is_success(),
            "{url}: {status}; is this the address of --admin-listen, and not of --listen?"
        );
        Ok(answer.text().await?)
    }
}
