//! Ten thousand idle connections and hundreds of slow ones in front of one server, each reopened when the server
//! closes it: their memory, and the latency of other clients meanwhile.
//!
//! The crowd lives in this process and takes its share of the processors, as it reconnects again and again.

mod behaviour;
mod pool;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use behaviour::{Behaviour, Requests};
use futures_util::future::try_join_all;
use pool::ConnectionPool;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::api::load::{Load, LoadResult, Rate, run};
use crate::api::polls;
use crate::process::{PeakMemory, raise_open_file_limit, rss, rss_anon};
use crate::servers::Server;
use crate::streaming;
use crate::table::{self, met};
use crate::uploads::{Dialect, Upload, UploadTarget};

/// Idle connections; half of them have never sent a byte, the others one request.
const IDLE: u32 = 10_000;

/// Slow connections: a third each send heads slowly, send recordings slowly, read videos slowly.
const SLOW: u32 = 500;

/// Load of the healthy client: far below the server's capacity.
const CONNECTIONS: usize = 32;
const PER_SECOND: f64 = 1000.0;

/// Duration of the measurement without the crowd and with it.
const DURATIONS: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(120));

/// Factor by which a smoke run is smaller and shorter.
const QUICK: u32 = 10;

const TIMEOUT: Duration = Duration::from_secs(60);

/// Delay before memory is read.
const SETTLING: Duration = Duration::from_secs(2);

/// Delay after the crowd has disconnected.
const REST_TIME: Duration = Duration::from_secs(15);

/// Size of the video for slow readers in bytes: more than socket buffers hold.
const VIDEO: usize = 32_000_000;

/// Targets: memory of the crowd in bytes, ratio of p99 latencies, memory right after the start in bytes.
const MAX_MEMORY: u64 = 150_000_000;
const MAX_LATENCY_RATIO: f64 = 2.0;
const MAX_RSS_AT_START: u64 = 30_000_000;

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let divisor = if quick { QUICK } else { 1 };
    let (idle, slow) = (IDLE / divisor, SLOW / divisor);
    let (without, with) = (DURATIONS.0 / divisor, DURATIONS.1 / divisor);
    fs::create_dir_all(disk)?;
    raise_open_file_limit(u64::from(idle + slow) + 1000)?;

    let fresh = Server::vidence(binary, &disk.join("fresh"))?;
    let at_rest = (rss(fresh.id())?, rss_anon(fresh.id())?);
    drop(fresh);

    let folder = disk.join("crowd");
    let (download, takes) = prepare(Server::vidence(binary, &folder)?, slow / 3 + 1).await?;
    // The process that took the upload still holds memory for it; a new one on the same data doesn't.
    let healthy = polls(binary, folder, 0)?;
    let (server, requests) = (healthy.server, healthy.requests);
    let address = server.address().to_owned();
    let poll = requests.first().context("no request to send")?.clone();
    let crowd_requests = Requests {
        poll,
        download,
        takes,
    };
    let load = |duration| {
        let (address, requests) = (address.clone(), requests.clone());
        tokio::task::spawn_blocking(move || {
            run(&Load {
                address: &address,
                requests: &requests,
                connections: CONNECTIONS,
                rate: Rate::PerSecond(PER_SECOND),
                duration,
            })
        })
    };
    load(without / 3).await??;
    let alone = load(without).await??;
    let before = rss_anon(server.id())?;

    let memory = PeakMemory::start(server.id());
    let pool = Arc::new(ConnectionPool::at(&address)?);
    let requests = Arc::new(crowd_requests);
    let mut crowd = JoinSet::new();
    let mut held = vec![("before", before)];
    let half = idle / 2;
    for (what, numbers) in [
        ("with the silent connections", 0..half),
        ("and those with one request", half..idle),
        ("and the slow ones", idle..idle + slow),
    ] {
        let open = usize::try_from(numbers.end)?;
        for number in numbers {
            let (pool, requests) = (pool.clone(), requests.clone());
            let behaviour = match number {
                _ if number < half => Behaviour::Silent,
                _ if number < idle => Behaviour::IdleAfterRequest,
                _ => slow_behaviour(number),
            };
            crowd.spawn(async move { pool.keep_open(number, &behaviour, &requests).await });
        }
        // Some connections are always about to be reopened.
        pool.wait_until_open(open - open / 50, TIMEOUT).await?;
        sleep(SETTLING).await;
        held.push((what, rss_anon(server.id())?));
    }
    let crowded = load(with).await??;
    let (open, peak) = (pool.open(), memory.peak()?);
    let at_the_end = rss_anon(server.id())?;
    drop(crowd);
    sleep(REST_TIME).await;
    held.extend([
        ("held, in the end", at_the_end),
        ("at its peak", peak),
        ("after", rss_anon(server.id())?),
    ]);

    println!(
        "{open} of {} connections are open at the end; {} were closed by the server and opened again, {} \
         refused\n",
        idle + slow,
        pool.closed(),
        pool.refused()
    );
    table::print(
        ["polls at 1000 a second", "p50 ms", "p99 ms", "most ms"],
        [("alone", alone), ("with the crowd", crowded)].map(|(what, result)| cells(what, &result)),
    );
    println!();
    table::print(
        ["own memory", "MB"],
        held.iter()
            .map(|(what, bytes)| [(*what).to_owned(), megabytes(*bytes)]),
    );
    let grown = at_the_end.saturating_sub(before);
    let ratio = crowded.p99.as_secs_f64() / alone.p99.as_secs_f64();
    println!(
        "\nthe crowd holds {} MB (aim 150: {}); p99 of other clients is {ratio:.2} x that without it (aim {MAX_LATENCY_RATIO}: {}); \
         right after the start {} MB are resident, {} of them its own (aim 30: {})",
        megabytes(grown),
        met(grown <= MAX_MEMORY),
        met(ratio <= MAX_LATENCY_RATIO),
        megabytes(at_rest.0),
        megabytes(at_rest.1),
        met(at_rest.0 <= MAX_RSS_AT_START),
    );
    Ok(())
}

/// Behaviour of a slow connection by its number.
fn slow_behaviour(number: u32) -> Behaviour {
    match number % 3 {
        0 => Behaviour::SlowHead,
        1 => Behaviour::SlowBody(number as usize / 3),
        _ => Behaviour::SlowReader,
    }
}

/// A GET of a video, and the paths of empty takes.
async fn prepare(server: Server, takes: u32) -> Result<(String, Vec<String>)> {
    let target = UploadTarget {
        dialect: Dialect::Vidence,
        server,
    };
    let video = streaming::upload(&target, &streaming::recording(VIDEO), VIDEO).await?;
    let begun = (0..takes).map(|_| Upload::create(&target, u64::MAX));
    let begun = try_join_all(begun).await?;
    let paths = begun.iter().map(|it| it.path().to_owned());
    Ok((video.request(None), paths.collect()))
}

fn cells(what: &str, result: &LoadResult) -> [String; 4] {
    let millis = |it: Duration| format!("{:.2}", it.as_secs_f64() * 1e3);
    [
        what.to_owned(),
        millis(result.p50),
        millis(result.p99),
        millis(result.max),
    ]
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}
