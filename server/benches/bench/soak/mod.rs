//! The soak test: a mix of all operations for an hour, to find leaks.
//! Memory, files, threads, children, disk and rows are sampled every ten seconds, and at rest before and after.
//!
//! A request lives for at least an hour. So those that are left to expire are created in the first tenth of the run,
//! which ends when they have expired and their bytes are removed. A shorter run deletes them instead, and says so.

pub mod client;
pub mod counters;
mod lifecycle;
pub mod recordings;
mod report;
mod sample;
pub mod upload;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use client::ApiClient;
use counters::Counters;
use lifecycle::Retained;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use recordings::Recordings;
use report::SoakResult;
use reqwest::Client;
use sample::{Sample, ServerUnderTest};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::servers::Server;

/// Rate of creations, and the most concurrent lifecycles.
const PER_SECOND: f64 = 6.0;
const MAX_CONCURRENT: usize = 300;

/// One request in so many is left to expire, in the first tenth of the run.
const RETAINED_ONE_IN: u32 = 5;

/// The warm-up is this fraction of the run: it covers one-time allocations.
const WARM_UP: u32 = 20;

const INTERVAL: Duration = Duration::from_secs(10);

/// Lifetime of a request, and the minute after which its bytes are removed.
const LIFETIME: Duration = Duration::from_secs(3600 + 60);

/// Longest wait for the last expiry after the load has ended.
const MAX_EXPIRY_WAIT: Duration = Duration::from_secs(20 * 60);

/// Idle time before a sample at rest: the sweeper runs every 30 s, and idle threads end after 10 s.
const IDLE_TIME: Duration = Duration::from_secs(50);
const TIMEOUT: Duration = Duration::from_secs(180);

/// State shared by the clients of a run.
struct Shared {
    base: String,
    recordings: Recordings,
    /// Most clients share its connections.
    client: Client,
    counters: Counters,
    retained: Mutex<Vec<Retained>>,
    seed: u64,
}

pub async fn measure(binary: &Path, disk: &Path, duration: Duration) -> Result<()> {
    let folder = disk.join("soak");
    let server = Server::vidence(binary, &folder)?;
    let server_under_test = ServerUnderTest {
        process: server.id(),
        folder,
    };
    let shared = Arc::new(Shared {
        base: server.base.clone(),
        recordings: Recordings::new(),
        client: client()?,
        counters: Counters::default(),
        retained: Mutex::default(),
        seed: rand::random(),
    });
    eprintln!("seed {}", shared.seed);
    let started = Instant::now();
    let warm_up = duration / WARM_UP;
    load(&shared, &server_under_test, 0, warm_up, Duration::ZERO).await?;
    let before = sample_at_rest(&server_under_test, started).await?;
    let requests = shared.counters.lifecycles();

    let load_begun = started.elapsed();
    let (duration, retaining_for) = (duration - warm_up, duration / 10);
    let under_load = load(
        &shared,
        &server_under_test,
        1 << 32,
        duration,
        retaining_for,
    )
    .await?;
    let retaining_ended = load_begun + retaining_for;
    finish_retained(
        &shared,
        (retaining_ended + LIFETIME).saturating_sub(started.elapsed()),
    )
    .await?;
    let after = sample_at_rest(&server_under_test, started).await?;

    let result = SoakResult {
        before,
        under_load,
        after,
        requests: shared.counters.lifecycles() - requests,
        failed: shared.counters.failed(),
    };
    result.print();
    println!("\n{}\n", shared.counters.summary());
    for line in result.targets() {
        println!("{line}");
    }
    Ok(())
}

/// Starts lifecycles at a steady rate, unless too many run. Returns the samples of every ten seconds.
async fn load(
    shared: &Arc<Shared>,
    server_under_test: &ServerUnderTest,
    first: u64,
    duration: Duration,
    retaining_for: Duration,
) -> Result<Vec<Sample>> {
    let sampling = tokio::spawn(sample_periodically(server_under_test.clone(), duration));
    let mut due = interval(Duration::from_secs_f64(1.0 / PER_SECOND));
    due.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let (start, mut lifecycles) = (Instant::now(), JoinSet::new());
    for number in first.. {
        due.tick().await;
        if start.elapsed() >= duration {
            break;
        }
        while lifecycles.try_join_next().transpose()?.is_some() {}
        if lifecycles.len() >= MAX_CONCURRENT {
            lifecycles.join_next().await.transpose()?;
        }
        let may_retain = start.elapsed() < retaining_for;
        lifecycles.spawn(run_lifecycle(shared.clone(), number, may_retain));
    }
    while lifecycles.join_next().await.transpose()?.is_some() {}
    sampling.await?
}

async fn run_lifecycle(shared: Arc<Shared>, number: u64, may_retain: bool) {
    let mut rng = StdRng::seed_from_u64(shared.seed.wrapping_add(number));
    let retain = may_retain && rng.random_ratio(1, RETAINED_ONE_IN);
    // Some clients have a connection of their own, which they close.
    let own = match rng.random_ratio(1, 4) {
        true => client(),
        false => Ok(shared.client.clone()),
    };
    let outcome = async {
        let api = shared.api_client(own?);
        lifecycle::run(&api, &shared.recordings, rng, retain).await
    };
    shared
        .counters
        .count_lifecycle(outcome.await.map(|retained| {
            let mut all = shared.retained.lock().expect("not poisoned");
            all.extend(retained);
        }));
}

async fn sample_periodically(
    server_under_test: ServerUnderTest,
    duration: Duration,
) -> Result<Vec<Sample>> {
    let (start, mut samples) = (Instant::now(), Vec::new());
    let mut ticks = interval(INTERVAL);
    while start.elapsed() + INTERVAL < duration {
        ticks.tick().await;
        let sample = sample_now(&server_under_test, start).await?;
        let (minutes, mebibytes) = (sample.at.as_secs() / 60, sample.memory >> 20);
        eprintln!("minute {minutes}: {mebibytes} MiB, {} files", sample.files);
        samples.push(sample);
    }
    Ok(samples)
}

async fn sample_now(server_under_test: &ServerUnderTest, start: Instant) -> Result<Sample> {
    let server_under_test = server_under_test.clone();
    let at = start.elapsed();
    tokio::task::spawn_blocking(move || server_under_test.sample(at)).await?
}

/// Waits until the retained requests have expired, or deletes them if that would take too long.
async fn finish_retained(shared: &Shared, expire_in: Duration) -> Result<()> {
    let retained = std::mem::take(&mut *shared.retained.lock().expect("not poisoned"));
    let api = shared.api_client(shared.client.clone());
    if expire_in > MAX_EXPIRY_WAIT {
        println!(
            "{} requests would expire later, and are deleted",
            retained.len()
        );
        for Retained { request, .. } in retained {
            api.delete(&request).await?;
        }
        return Ok(());
    }
    eprintln!(
        "until the last of {} expires: {expire_in:?}",
        retained.len()
    );
    sleep(expire_in).await;
    for Retained { request, video } in retained {
        shared.counters.count_expired();
        if let Err(error) = api.assert_expired(&request, video.as_ref()).await {
            shared.counters.count_lifecycle(Err(error));
        }
    }
    Ok(())
}

/// Samples the idle server after the sweeper has run.
async fn sample_at_rest(server_under_test: &ServerUnderTest, started: Instant) -> Result<Sample> {
    let start = Instant::now();
    loop {
        sleep(INTERVAL).await;
        let sample = sample_now(server_under_test, started).await?;
        let empty = sample.rows_of("takes") == 0 && sample.objects == 0;
        let rested = start.elapsed() >= IDLE_TIME;
        if rested && empty || start.elapsed() >= TIMEOUT {
            return Ok(sample);
        }
    }
}

impl Shared {
    fn api_client(&self, client: Client) -> ApiClient<'_> {
        ApiClient {
            client,
            base: &self.base,
            counters: &self.counters,
        }
    }
}

fn client() -> Result<Client> {
    // A proxy named by the environment would distort the measurement.
    let client = Client::builder().no_proxy().http1_only();
    // Idle connections close before the server is sampled at rest.
    let client = client.pool_idle_timeout(INTERVAL);
    Ok(client.tls_certs_only([]).build()?)
}
