//! A crowd in front of one server: ten thousand connections on which nothing happens, and hundreds on which
//! it happens slowly, each opened again when the server has enough of it. What they take of its memory, and
//! how much longer others wait.
//!
//! The crowd lives in this process and takes its part of the processors, as it comes back again and again.

mod door;
mod visits;

use std::fs;
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
use crate::api::polls_on;
use crate::process::{Watch, resident, resident_in_all};
use crate::servers::Server;
use crate::streaming;
use crate::table::{self, met};
use crate::uploads::{Dialect, Target, Upload};
use test_support::bucket::Bucket;

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

/// Before one looks at what a part of the crowd takes.
const SETTLING: Duration = Duration::from_secs(2);

/// After the crowd has gone.
const REST: Duration = Duration::from_secs(15);

/// Bytes of the video that is watched slowly: more than lies in sockets.
const VIDEO: usize = 32_000_000;

/// Aims.
const MEMORY: u64 = 100_000_000;
const RATIO: f64 = 2.0;
const AT_REST: u64 = 30_000_000;

/// In a folder, then in a bucket.
pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    crowd(binary, &disk.join("folder"), quick, None).await?;
    let bucket = Server::bucket(disk)?;
    println!("\non a bucket:\n");
    let access = Bucket::env_at(&bucket.base);
    crowd(binary, &disk.join("bucket"), quick, Some(&access)).await
}

/// What gives access to a bucket.
type Access = [(&'static str, String)];

fn start(binary: &Path, folder: &Path, access: Option<&Access>) -> Result<Server> {
    match access {
        Some(access) => Server::vidence_on(binary, folder, Bucket::URL, access),
        None => Server::vidence(binary, folder),
    }
}

async fn crowd(binary: &Path, disk: &Path, quick: bool, access: Option<&Access>) -> Result<()> {
    let less = if quick { QUICK } else { 1 };
    let (idle, slow) = (IDLE / less, SLOW / less);
    let (without, with) = (LASTS.0 / less, LASTS.1 / less);
    fs::create_dir_all(disk)?;
    open_wide(u64::from(idle + slow) + 1000)?;

    let fresh = start(binary, &disk.join("fresh"), access)?;
    let at_rest = (resident_in_all(fresh.id())?, resident(fresh.id())?);
    drop(fresh);

    let folder = disk.join("crowd");
    let (watch, takes) = prepare(start(binary, &folder, access)?, slow / 3 + 1).await?;
    // Another process has the same data: what took the upload has its memory still.
    let healthy = polls_on(|folder| start(binary, folder, access), folder, 0)?;
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
    let lines = Arc::new(lines);
    let mut crowd = JoinSet::new();
    let mut held = vec![("before", before)];
    let half = idle / 2;
    for (what, numbers) in [
        ("with the silent ones", 0..half),
        ("and those that asked once", half..idle),
        ("and the slow ones", idle..idle + slow),
    ] {
        let inside = usize::try_from(numbers.end)?;
        for number in numbers {
            let (door, lines) = (door.clone(), lines.clone());
            let role = match number {
                _ if number < half => Role::Silent,
                _ if number < idle => Role::Once,
                _ => slow_one(number),
            };
            crowd.spawn(async move { door.keep(number, &role, &lines).await });
        }
        // A few are always on their way back in.
        door.fills(inside - inside / 50, PATIENCE).await?;
        sleep(SETTLING).await;
        held.push((what, resident(server.id())?));
    }
    let crowded = load(with).await??;
    let (inside, peak) = (door.inside(), memory.peak()?);
    let in_the_end = resident(server.id())?;
    drop(crowd);
    sleep(REST).await;
    held.extend([
        ("held, in the end", in_the_end),
        ("at its peak", peak),
        ("after", resident(server.id())?),
    ]);

    println!(
        "{inside} of {} connections are open at the end; {} were ended by the server and opened again, {} \
         not let in\n",
        idle + slow,
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
        held.iter()
            .map(|(what, bytes)| [(*what).to_owned(), megabytes(*bytes)]),
    );
    let grown = in_the_end.saturating_sub(before);
    let ratio = crowded.p99.as_secs_f64() / alone.p99.as_secs_f64();
    println!(
        "\nthe crowd holds {} MB (aim 100: {}); p99 of others is {ratio:.2} x what it was (aim {RATIO}: {}); \
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

/// A third each sends a head, sends a recording of its own, watches.
fn slow_one(number: u32) -> Role {
    match number % 3 {
        0 => Role::SlowHead,
        1 => Role::SlowBody(number as usize / 3),
        _ => Role::SlowReader,
    }
}

/// How to ask for a video, and the paths of takes that wait for their bytes.
async fn prepare(server: Server, takes: u32) -> Result<(String, Vec<String>)> {
    let target = Target {
        dialect: Dialect::Vidence,
        server,
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
