//! A crowd in front of one server: ten thousand connections on which nothing happens, and hundreds on which
//! it happens slowly, each opened again when the server has enough of it. What they take of its memory, and
//! how much longer others wait.
//!
//! The crowd lives in this process and takes its part of the processors, as it comes back again and again.

mod door;
mod visits;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use door::{Door, open_wide};
use futures_util::future::try_join_all;
use tokio::task::JoinSet;
use tokio::time::sleep;
use visits::{Lines, Role};

use crate::api::load::{Load, Pace, Seen, run};
use crate::api::polls;
use crate::process::{Watch, resident, resident_in_all};
use crate::servers::Server;
use crate::streaming;
use crate::table::{self, met};
use crate::uploads::{Dialect, Target, Upload};

/// Half of them have never said a word, the others have asked once.
const IDLE: u32 = 10_000;

/// A third each sends heads slowly, sends recordings slowly, watches slowly.
const SLOW: u32 = 500;

/// Polls of healthy callers: far from all that the server can answer.
const CONNECTIONS: usize = 32;
const PER_SECOND: f64 = 1000.0;

/// For how long they are measured without the crowd, and with it.
const LASTS: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(120));

/// A smoke run is so many times smaller and shorter.
const QUICK: u32 = 10;

const PATIENCE: Duration = Duration::from_secs(60);

/// After the crowd has gone.
const REST: Duration = Duration::from_secs(15);

/// Bytes of the video that is watched slowly: more than lies in sockets.
const VIDEO: usize = 32_000_000;

/// Aims.
const MEMORY: u64 = 100_000_000;
const RATIO: f64 = 2.0;
const AT_REST: u64 = 30_000_000;

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let less = if quick { QUICK } else { 1 };
    let (idle, slow) = (IDLE / less, SLOW / less);
    let (without, with) = (LASTS.0 / less, LASTS.1 / less);
    open_wide(u64::from(idle + slow) + 1000)?;

    let fresh = Server::vidence(binary, &disk.join("fresh"))?;
    let at_rest = (resident_in_all(fresh.id())?, resident(fresh.id())?);
    drop(fresh);

    let folder = disk.join("crowd");
    let (watch, takes) = prepare(binary, &folder, slow / 3 + 1).await?;
    // Another process has the same data: what took the upload has its memory still.
    let healthy = polls(binary, folder, 0)?;
    let (server, requests) = (healthy.server, healthy.requests);
    let address = server.address().to_owned();
    let poll = requests.first().context("nothing to ask for")?.clone();
    let lines = Lines { poll, watch, takes };
    let load = |lasts| {
        let (address, requests) = (address.clone(), requests.clone());
        tokio::task::spawn_blocking(move || {
            run(&Load {
                address: &address,
                requests: &requests,
                connections: CONNECTIONS,
                pace: Pace::PerSecond(PER_SECOND),
                lasts,
            })
        })
    };
    load(without / 3).await??;
    let alone = load(without).await??;
    let before = resident(server.id())?;

    let memory = Watch::start(server.id());
    let door = Arc::new(Door::at(&address)?);
    let crowd = gather(&door, lines, idle, slow);
    let all = usize::try_from(idle + slow)?;
    // A few are always on their way back in.
    door.fills(all - all / 50, PATIENCE).await?;
    let crowded = load(with).await??;
    let (inside, during) = (door.inside(), resident(server.id())?);
    let peak = memory.peak()?;
    drop(crowd);
    sleep(REST).await;
    let after = resident(server.id())?;

    println!(
        "{inside} of {all} connections are open at the end; {} were ended by the server and opened again, {} \
         not let in\n",
        door.ended(),
        door.refused()
    );
    table::print(
        ["polls at 1000 a second", "p50 ms", "p99 ms", "most ms"],
        [("alone", alone), ("with the crowd", crowded)].map(|(what, seen)| cells(what, &seen)),
    );
    println!();
    table::print(
        ["own memory", "MB"],
        [
            ("before", before),
            ("with the crowd", during),
            ("at its peak", peak),
            ("after", after),
        ]
        .map(|(what, bytes)| [what.to_owned(), megabytes(bytes)]),
    );
    let grown = peak.saturating_sub(before);
    let ratio = crowded.p99.as_secs_f64() / alone.p99.as_secs_f64();
    println!(
        "\nthe crowd takes {} MB (aim 100: {}); p99 of others is {ratio:.2} x what it was (aim {RATIO}: {}); \
         right after the start {} MB are resident, {} of them its own (aim 30: {})",
        megabytes(grown),
        met(grown <= MEMORY),
        met(ratio <= RATIO),
        megabytes(at_rest.0),
        megabytes(at_rest.1),
        met(at_rest.0 <= AT_REST),
    );
    Ok(())
}

/// All of them at once. They go when this is dropped.
fn gather(door: &Arc<Door>, lines: Lines, idle: u32, slow: u32) -> JoinSet<()> {
    let lines = Arc::new(lines);
    let mut crowd = JoinSet::new();
    for number in 0..idle + slow {
        let role = match (number < idle, number % 2, number % 3) {
            (true, 0, _) => Role::Silent,
            (true, ..) => Role::Once,
            (false, _, 0) => Role::SlowHead,
            // Each has its own.
            (false, _, 1) => Role::SlowBody(number as usize / 3 % lines.takes.len()),
            (false, ..) => Role::SlowReader,
        };
        let (door, lines) = (door.clone(), lines.clone());
        crowd.spawn(async move { door.keep(number, &role, &lines).await });
    }
    crowd
}

/// How to ask for a video, and the paths of takes that wait for their bytes.
async fn prepare(binary: &Path, folder: &Path, takes: u32) -> Result<(String, Vec<String>)> {
    let target = Target {
        dialect: Dialect::Vidence,
        server: Server::vidence(binary, folder)?,
    };
    let video = streaming::upload(&target, &streaming::film(VIDEO), VIDEO).await?;
    let begun = (0..takes).map(|_| Upload::begin(&target, u64::MAX));
    let begun = try_join_all(begun).await?;
    let paths = begun.iter().map(|it| it.path().to_owned());
    Ok((video.request(None), paths.collect()))
}

fn cells(what: &str, seen: &Seen) -> [String; 4] {
    let millis = |it: Duration| format!("{:.2}", it.as_secs_f64() * 1e3);
    [
        what.to_owned(),
        millis(seen.p50),
        millis(seen.p99),
        millis(seen.most),
    ]
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}
