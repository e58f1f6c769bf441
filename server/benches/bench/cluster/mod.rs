//! One, two and three nodes on one PostgreSQL and one bucket, behind the shipped nginx: the CPU time of a request
//! lifecycle.
//!
//! Everything shares this machine's processors, the clients included, so more nodes aren't faster here; the question
//! is whether they cost more.

mod environment;
mod load;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use environment::{CpuTimes, Environment};
use load::LifecycleResult;

use crate::table::{self, met};
use test_support::stores::bucket::Bucket;

const NODES: [usize; 3] = [1, 2, 3];

/// Concurrent clients.
const CLIENTS: u64 = 24;

const WARM_UP: Duration = Duration::from_secs(5);
const DURATION: Duration = Duration::from_secs(30);

/// Factor by which a smoke run is shorter.
const QUICK: u32 = 10;

/// Target: highest cost of three nodes relative to one.
const MAX_COST_RATIO: f64 = 1.2;

pub async fn measure(disk: &Path, quick: bool) -> Result<()> {
    let divisor = if quick { QUICK } else { 1 };
    let mut rows = Vec::new();
    for nodes in NODES {
        let environment = Environment::start(disk, nodes).await?;
        load::run(&environment.url, CLIENTS, WARM_UP / divisor).await?;
        let before = environment.cpu_times()?;
        let result = load::run(&environment.url, CLIENTS, DURATION / divisor).await?;
        rows.push((nodes, result, environment.cpu_times()?.since(before)));
    }
    table::print(
        [
            "nodes",
            "lifecycles/s",
            "requests/s",
            "poll p50 ms",
            "p99 ms",
            "nodes CPU ms",
            "PostgreSQL",
            "bucket",
            "nginx",
        ],
        rows.iter()
            .map(|(nodes, result, cpu_times)| cells(*nodes, result, *cpu_times)),
    );
    let cost = |row: &(usize, LifecycleResult, CpuTimes)| {
        row.2.nodes.as_secs_f64() / row.1.lifecycles as f64
    };
    if let [one, .., three] = &rows[..] {
        let ratio = cost(three) / cost(one);
        println!(
            "\na lifecycle costs three nodes {ratio:.2} x the CPU time of one (aim {MAX_COST_RATIO}: {})",
            met(ratio <= MAX_COST_RATIO)
        );
    }
    Ok(())
}

/// Prints its endpoint and serves a bucket until it is killed.
pub async fn serve_bucket() -> Result<()> {
    let bucket = Bucket::start().await;
    println!("{}", bucket.endpoint());
    std::future::pending().await
}

/// A row of the table; CPU times are those of one lifecycle.
fn cells(nodes: usize, result: &LifecycleResult, cpu_times: CpuTimes) -> [String; 9] {
    let seconds = result.elapsed.as_secs_f64();
    let millis = |it: Duration| format!("{:.1}", it.as_secs_f64() * 1e3);
    let each = |it: Duration| format!("{:.2}", it.as_secs_f64() * 1e3 / result.lifecycles as f64);
    [
        nodes.to_string(),
        format!("{:.0}", result.lifecycles as f64 / seconds),
        format!("{:.0}", result.requests as f64 / seconds),
        millis(result.p50),
        millis(result.p99),
        each(cpu_times.nodes),
        each(cpu_times.postgres),
        each(cpu_times.bucket),
        each(cpu_times.nginx),
    ]
}
