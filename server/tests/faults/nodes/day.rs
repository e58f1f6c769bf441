//! A day by a clock that runs fast: people send recordings of browsers by HTTP/1.1 and HTTP/2, agents look at them,
//! requests are deleted or expire, the server is killed. In the end it holds no more than in the beginning.

use std::cell::Cell;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{join_all, join3};
use rand::RngExt;
use reqwest::{Client, ClientBuilder, Version};
use server::clock::Clock;
use tokio::time::{interval, sleep};
use tokio_util::sync::CancellationToken;

use crate::environment::Environment;
use crate::environment::memory::anonymous_memory;
use crate::environment::shifted_clock::ShiftedClock;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome, Record};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;
use test_support::recordings::fixtures::{
    FIREFOX_WEBM, LIVE_MP4, LIVE_WEBM, VP9_WEBM, WEBKIT_MP4, WEBKIT_WEBM,
};
use test_support::scale::{TIMEOUT, scale, seed, seeded_rng};
use test_support::stores::bucket::make_older;
use test_support::wait_until;

/// How fast the server's clock runs.
/// It believes a clock that is at most five minutes ahead of its stopwatch since it looked the last time, which it
/// does at each call.
const SPEED: u32 = 24;
const BELIEVED: i64 = 4 * 60;

/// It is killed only this soon after a sweep, in milliseconds of its clock: what passes unseen for longer is confirmed after
/// ten real minutes.
const SWEPT: i64 = 2 * 60 * 1000;

/// Live recordings by three browsers.
const RECORDINGS: &[&[u8]] = &[
    LIVE_WEBM,
    VP9_WEBM,
    LIVE_MP4,
    FIREFOX_WEBM,
    WEBKIT_WEBM,
    WEBKIT_MP4,
];

/// People whose requests expire during the day, and people whose requests outlive it.
/// Half of each use HTTP/2.
const PASSING: u64 = 4;
const KEPT: u64 = 2;

/// One request in so many is deleted; the others of an hour expire.
const DELETES_ONE_IN: u32 = 3;

/// Lifetimes in hours.
const MIN_HOURS: i64 = 1;
const MAX_HOURS: i64 = 48;

/// The server is killed after such a part of the day, in thousandths, and again, until half of the day is over. Then its
/// memory has half a day to grow.
const LIFE: std::ops::Range<u32> = 10..40;

/// Samples in the second half.
const SAMPLES: u32 = 12;

/// From this length on, the median of the last third of the samples may be above that of the first by this much.
const STEADY_DAY: Duration = Duration::from_hours(1);
const MEMORY_GROWTH: u64 = 4 << 20;
const FILES_GROWTH: usize = 8;

/// How much more a server at rest may hold than one that has just been started: streams keep their buffers for reuse.
const MEMORY: u64 = 24 << 20;
const FILES: usize = 8;

/// How much the database's files may grow: the row that stays of each request, with its place in the indexes, and the log.
const ROW: u64 = 512;
const LOG: u64 = 8 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_day_of_requests_leaves_nothing_behind() {
    let clock = ShiftedClock::new();
    let mut environment = Environment::sqlite_with_clock_and_tls(&clock).await;
    let (day, started) = (scale().day, Instant::now());
    let before = Usage::by(&environment);
    let clients = [ClientBuilder::http1_only, |it| it].map(|change: Change| {
        let node = &environment.nodes[0];
        let client = change(node.client_builder()).build().expect("a client");
        RetryingClient::with_client(client, [node.url()])
    });
    for (client, want) in clients.iter().zip([Version::HTTP_11, Version::HTTP_2]) {
        let get = |http: &Client, url: &str| http.get(format!("{url}/healthz"));
        assert_eq!(client.send(get).await.version(), want);
    }
    let (passing, kept, done) = <(Ledger, Ledger, CancellationToken)>::default();
    let pictures = AtomicUsize::new(0);
    let people = (0..PASSING + KEPT).map(async |number| {
        let client = &clients[usize::from(number % 2 == 1)];
        let is_kept = number >= PASSING;
        let ledger = if is_kept { &kept } else { &passing };
        let mut person = Uploader::new(number, client, client, ledger);
        if is_kept {
            (person.profile.hours, person.profile.take_bytes) = (MAX_HOURS, 200_000..=600_000);
        } else {
            (person.profile.hours, person.profile.recordings) = (MIN_HOURS, RECORDINGS);
        }
        while !done.is_cancelled() {
            let record_id = person.complete_request().await;
            let seen = agent::look_at(client, &ledger.get(record_id)).await;
            pictures.fetch_add(seen, Ordering::Relaxed);
            if person.rng.random_ratio(1, DELETES_ONE_IN) {
                person.delete_request(record_id).await;
            }
        }
    });
    // The server's clock stands still while it doesn't run: on a busy machine a start may take seconds, and minutes by that
    // clock.
    let (is_down, down) = (Cell::new(false), Cell::new(Duration::ZERO));
    let ahead_now = || ahead_at(started.elapsed().saturating_sub(down.get()));
    let time = async {
        let (mut ticks, mut ahead) = (interval(Duration::from_millis(100)), 0);
        while !done.is_cancelled() {
            ticks.tick().await;
            if !is_down.get() {
                ahead = ahead_now();
                clock.set_ahead(ahead);
            }
        }
        ahead
    };
    let course = async {
        let (mut rng, mut kills, mut held) = (seeded_rng(PASSING + KEPT), 0, Vec::new());
        let db = environment.db().await;
        let has_swept = async || {
            let known = db.known_time().await.expect("a row");
            let now = Clock::System.now() + 1000 * ahead_now();
            known.is_some_and(|it| now - it.confirmed < SWEPT)
        };
        while started.elapsed() < day / 2 {
            sleep(day / 1000 * rng.random_range(LIFE)).await;
            wait_until(has_swept).await;
            let killed = Instant::now();
            is_down.set(true);
            environment.nodes[0].restart().await;
            down.set(down.get() + killed.elapsed());
            is_down.set(false);
            kills += 1;
        }
        while started.elapsed() < day {
            sleep(day / 2 / SAMPLES).await;
            held.push(Usage::by(&environment));
        }
        done.cancel();
        (kills, held)
    };
    let (_, ahead, (kills, held)) = join3(join_all(people), time, course).await;

    for record in kept.records() {
        match record.outcome {
            Outcome::Submitted => agent::verify_video(&clients[0], &record).await,
            Outcome::Deleted => agent::assert_gone(&clients[0], &record).await,
            outcome => panic!("{outcome:?}: {record:?}"),
        }
    }
    let look = async |record: &Record| {
        let get = |http: &Client, url: &str| {
            let get = http.get(format!("{url}/v1/requests/{}", record.request));
            get.bearer_auth(&record.token)
        };
        clients[0].send(get).await.text().await.expect("an answer")
    };
    let kept = kept.records();
    let last = kept.last().expect("a request");
    let end = ahead + MAX_HOURS * 60 * 60;
    for ahead in (ahead..=end).step_by(usize::try_from(BELIEVED).expect("seconds")) {
        clock.set_ahead(ahead);
        look(last).await;
    }
    // The first look at a request that is over wakes the sweeper.
    for record in &kept {
        let want = match record.outcome {
            Outcome::Deleted => "\"not_found\"",
            _ => "\"expired\"",
        };
        let view = look(record).await;
        assert!(view.contains(want), "{view}");
    }
    let failures = clients.iter().flat_map(RetryingClient::failures);
    let failures: Vec<_> = failures.collect();
    let retried = failures.len();
    // A kill breaks connections off. Over HTTP/2 neither side may find fault with what the other sends.
    let blamed = failures.iter().find(|it| it.error.contains("GoAway"));
    assert!(blamed.is_none(), "{blamed:?}");
    drop(clients);
    let db = environment.db().await;
    let (mut ticks, removing) = (interval(Duration::from_millis(50)), Instant::now());
    while !db.requests_by_state().await.expect("rows").is_empty() {
        assert!(removing.elapsed() < TIMEOUT, "requests are left");
        ticks.tick().await;
    }
    let after = Usage::by(&environment);
    // A kill may leave an object without a row. A server looks for old ones when it starts.
    make_older(&environment.objects(), Duration::from_hours(1));
    environment.nodes[0].restart().await;
    wait_until(async || environment.objects().is_empty()).await;
    let (requests, pictures) = (passing.records().len() + kept.len(), pictures.into_inner());
    println!(
        "\na day                  {requests} requests {pictures} pictures {kills} kills {retried} calls tried again; \
         at rest {before:?} and {after:?}, with {} bytes of rows and {} of objects; in its second half {held:?} (seed {})",
        after.database,
        after.objects,
        seed(),
    );
    if day >= STEADY_DAY {
        assert_steady(&held);
    }
    assert!(pictures > 0, "agents saw nothing");
    assert!(after.memory <= before.memory + MEMORY, "memory is held");
    assert!(after.files <= before.files + FILES, "files are held");
    let rows = ROW * requests as u64;
    assert!(
        after.database <= before.database + rows + LOG,
        "rows are held"
    );
}

type Change = fn(ClientBuilder) -> ClientBuilder;

/// What a server holds.
#[derive(Debug)]
struct Usage {
    /// Anonymous memory in bytes.
    memory: u64,
    files: usize,
    /// The bytes of the database's files.
    database: u64,
    /// The bytes of all objects.
    objects: u64,
}

impl Usage {
    fn by(environment: &Environment) -> Self {
        let process = environment.nodes[0].id();
        let files = fs::read_dir(format!("/proc/{process}/fd"));
        // One that is removed meanwhile counts as empty.
        let objects = environment.objects().into_iter().flat_map(fs::metadata);
        Self {
            memory: anonymous_memory(process),
            files: files.expect("a process").count(),
            database: environment.database_bytes(),
            objects: objects.map(|it| it.len()).sum(),
        }
    }
}

/// Asserts that under the same load a server comes to hold no more.
fn assert_steady(held: &[Usage]) {
    let third = held.len() / 3;
    let (first, last) = (&held[..third], &held[held.len() - third..]);
    let memory = |samples: &[Usage]| median(samples.iter().map(|it| it.memory));
    let files = |samples: &[Usage]| median(samples.iter().map(|it| it.files));
    assert!(
        memory(last) <= memory(first) + MEMORY_GROWTH,
        "memory grows under load: {held:?}"
    );
    assert!(
        files(last) <= files(first) + FILES_GROWTH,
        "files stay open under load: {held:?}"
    );
}

fn median<T: Copy + Ord>(values: impl Iterator<Item = T>) -> T {
    let mut sorted: Vec<T> = values.collect();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

/// How far ahead the server's clock is after this time of the day, in seconds.
fn ahead_at(elapsed: Duration) -> i64 {
    let ahead = elapsed * (SPEED - 1);
    i64::try_from(ahead.as_secs()).expect("a day")
}
