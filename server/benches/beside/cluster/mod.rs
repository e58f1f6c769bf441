//! One, two and three nodes over one PostgreSQL and one bucket, behind nginx as it ships: what a piece of
//! evidence costs each of them. Then nodes are killed while people use them, and nothing that anybody was told
//! may turn out wrong.
//!
//! Everything shares the processors of this machine, those who ask among them: more nodes aren't faster here.
//! What is told is whether they cost more.

mod kills;
mod load;
mod stage;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use load::Seen;
use stage::{Stage, Worked};

use crate::table::{self, met};
use test_support::bucket::Bucket;

const NODES: [usize; 3] = [1, 2, 3];

/// Who asks at a time.
const PEOPLE: u64 = 24;

const WARM_UP: Duration = Duration::from_secs(5);
const LASTS: Duration = Duration::from_secs(30);

const KILLS: usize = 200;

/// A smoke run is so many times shorter.
const QUICK: u32 = 10;

/// Three nodes may cost so much more than one.
const DEARER: f64 = 1.2;

pub async fn measure(disk: &Path, quick: bool) -> Result<()> {
    let less = if quick { QUICK } else { 1 };
    let mut rows = Vec::new();
    for nodes in NODES {
        let stage = Stage::start(disk, nodes).await?;
        load::run(&stage.url, PEOPLE, WARM_UP / less).await?;
        let before = stage.worked()?;
        let seen = load::run(&stage.url, PEOPLE, LASTS / less).await?;
        rows.push((nodes, seen, stage.worked()?.since(before)));
    }
    table::print(
        [
            "nodes",
            "evidence/s",
            "calls/s",
            "poll p50 ms",
            "p99 ms",
            "nodes CPU ms",
            "PostgreSQL",
            "bucket",
            "nginx",
        ],
        rows.iter()
            .map(|(nodes, seen, worked)| cells(*nodes, seen, *worked)),
    );
    let cost = |row: &(usize, Seen, Worked)| row.2.nodes.as_secs_f64() / row.1.evidence as f64;
    if let [one, .., three] = &rows[..] {
        let dearer = cost(three) / cost(one);
        println!(
            "\none piece of evidence costs three nodes {dearer:.2} x the work of one (aim {DEARER}: {})",
            met(dearer <= DEARER)
        );
    }

    let mut stage = Stage::start(disk, 3).await?;
    let url = stage.url.clone();
    let kills = KILLS / usize::try_from(less)?;
    let seen = kills::run(&url, &mut stage.nodes, kills).await?;
    println!(
        "\n{} nodes killed under {} acknowledged appends, {} submissions, {} deletions and {} polls: {} lost \
         (aim 0: {})",
        seen.kills,
        seen.appends,
        seen.submitted,
        seen.deleted,
        seen.polls,
        seen.lost,
        met(seen.lost == 0)
    );
    Ok(())
}

/// Says where it is, and serves until it is killed.
pub async fn serve_a_bucket() -> Result<()> {
    let bucket = Bucket::start().await;
    println!("{}", bucket.endpoint());
    std::future::pending().await
}

/// Processors' time is that of one piece of evidence.
fn cells(nodes: usize, seen: &Seen, worked: Worked) -> [String; 9] {
    let seconds = seen.took.as_secs_f64();
    let millis = |it: Duration| format!("{:.1}", it.as_secs_f64() * 1e3);
    let each = |it: Duration| format!("{:.2}", it.as_secs_f64() * 1e3 / seen.evidence as f64);
    [
        nodes.to_string(),
        format!("{:.0}", seen.evidence as f64 / seconds),
        format!("{:.0}", seen.calls as f64 / seconds),
        millis(seen.p50),
        millis(seen.p99),
        each(worked.nodes),
        each(worked.postgres),
        each(worked.bucket),
        each(worked.nginx),
    ]
}
