//! What a cluster is: PostgreSQL, a bucket, nodes, and nginx in front of them, each in processes of its own.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::worked_by_all;
use crate::servers::Server;
use test_support::bucket::Bucket;
use test_support::database::fresh_database;
use test_support::nginx::Nginx;
use test_support::node::{Node, Settings, free_address};

/// The process of PostgreSQL that the others come from.
const POSTGRES: &str = "VIDENCE_BENCH_POSTGRES";

/// All of it. Gone when dropped.
pub struct Stage {
    pub nodes: Vec<Node>,
    nginx: Nginx,
    bucket: Server,
    postgres: u32,
    /// Where callers come in.
    pub url: String,
}

/// How long processors have worked, by what they worked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worked {
    pub nodes: Duration,
    pub postgres: Duration,
    pub bucket: Duration,
    pub nginx: Duration,
}

impl Stage {
    /// So many nodes over an empty database and an empty bucket.
    pub async fn start(disk: &Path, nodes: usize) -> Result<Self> {
        let postgres = std::env::var(POSTGRES);
        let postgres = postgres.with_context(|| format!("{POSTGRES} names no process"))?;
        let bucket = Server::bucket(disk)?;
        let database = fresh_database().await;
        let front = free_address();
        let url = format!("http://{front}");
        let back: Vec<SocketAddr> = (0..nodes).map(|_| free_address()).collect();
        let nginx = Nginx::plain(front, &back);
        let mut running = Vec::new();
        for address in back {
            running.push(Node::start(settings(address, &url, &database, &bucket)).await);
        }
        Ok(Self {
            nodes: running,
            nginx,
            bucket,
            postgres: postgres.parse()?,
            url,
        })
    }

    pub fn worked(&self) -> Result<Worked> {
        let nodes = self.nodes.iter().map(|node| worked_by_all(node.id()));
        Ok(Worked {
            nodes: nodes.sum::<Result<Duration>>()?,
            postgres: worked_by_all(self.postgres)?,
            bucket: worked_by_all(self.bucket.id())?,
            nginx: worked_by_all(self.nginx.id())?,
        })
    }
}

impl Worked {
    /// What was worked since.
    pub fn since(self, before: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_sub(before.nodes),
            postgres: self.postgres.saturating_sub(before.postgres),
            bucket: self.bucket.saturating_sub(before.bucket),
            nginx: self.nginx.saturating_sub(before.nginx),
        }
    }
}

/// Without limits: all callers come from one address here.
fn settings(address: SocketAddr, url: &str, database: &str, bucket: &Server) -> Settings {
    const UNLIMITED: &str = "1000000000000000";
    let flags: [(&str, &str); 8] = [
        ("--public-url", url),
        ("--database-url", database),
        ("--blob-url", Bucket::URL),
        ("--trusted-proxies", "127.0.0.1/32"),
        ("--create-limit", "off"),
        ("--read-limit", "off"),
        ("--max-creator-bytes", UNLIMITED),
        ("--max-request-bytes", UNLIMITED),
    ];
    let flags = flags.into_iter();
    Settings {
        address: Some(address),
        flags: flags
            .flat_map(|(flag, value)| [OsString::from(flag), value.into()])
            .collect(),
        variables: Bucket::env_at(&bucket.base).into(),
        ..Settings::default()
    }
}
