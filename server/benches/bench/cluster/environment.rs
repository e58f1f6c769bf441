//! A cluster under test: PostgreSQL, a bucket, nodes, and nginx in front of them, each in processes of its own.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::cpu_time_of_tree;
use crate::servers::Server;
use test_support::servers::nginx::Nginx;
use test_support::servers::node::{Node, Settings, free_address};
use test_support::stores::bucket::Bucket;
use test_support::stores::database::fresh_database;

/// Variable with the process id of the PostgreSQL postmaster.
const POSTGRES: &str = "VIDENCE_BENCH_POSTGRES";

/// The running cluster, stopped on drop.
pub struct Environment {
    pub nodes: Vec<Node>,
    nginx: Nginx,
    bucket: Server,
    postgres: u32,
    /// Base URL of nginx.
    pub url: String,
}

/// CPU time by component.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuTimes {
    pub nodes: Duration,
    pub postgres: Duration,
    pub bucket: Duration,
    pub nginx: Duration,
}

impl Environment {
    /// Starts this many nodes on an empty database and an empty bucket.
    pub async fn start(disk: &Path, nodes: usize) -> Result<Self> {
        let postgres = std::env::var(POSTGRES);
        let postgres = postgres
            .with_context(|| format!("{POSTGRES} must be the process id of the postmaster"))?;
        let bucket = Server::bucket(disk)?;
        let database = fresh_database().await;
        let front = free_address();
        let url = format!("http://{front}");
        let back: Vec<SocketAddr> = (0..nodes).map(|_| free_address()).collect();
        let nginx = Nginx::http(front, &back);
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

    pub fn cpu_times(&self) -> Result<CpuTimes> {
        let nodes = self.nodes.iter().map(|node| cpu_time_of_tree(node.id()));
        Ok(CpuTimes {
            nodes: nodes.sum::<Result<Duration>>()?,
            postgres: cpu_time_of_tree(self.postgres)?,
            bucket: cpu_time_of_tree(self.bucket.id())?,
            nginx: cpu_time_of_tree(self.nginx.id())?,
        })
    }
}

impl CpuTimes {
    /// CPU time since `before`.
    pub fn since(self, before: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_sub(before.nodes),
            postgres: self.postgres.saturating_sub(before.postgres),
            bucket: self.bucket.saturating_sub(before.bucket),
            nginx: self.nginx.saturating_sub(before.nginx),
        }
    }
}

/// Flags of a node, without limits: all clients share one address here.
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
