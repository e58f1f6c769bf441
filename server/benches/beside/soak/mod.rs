//! Everything that callers do, mixed, for an hour: whether the server holds at the end what it held at the
//! beginning. Memory, files, threads, children, disk and rows are looked at every ten seconds, and at rest
//! before and after.
//!
//! A lifetime is an hour at least. So requests that are left to expire are made in the first tenth of the
//! time, and the run ends when their time is over and their bytes are gone. A run that is too short for that
//! deletes them, and says so.

pub mod caller;
pub mod film;
mod report;
mod sample;
pub mod sending;
mod story;
pub mod tally;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use caller::ClientAddr;
use film::Films;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use report::Seen;
use reqwest::Client;
use sample::{Sample, Subject};
use story::Left;
use tally::Tally;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::servers::Server;

/// Requests that are created, and how many live at a time at most.
const PER_SECOND: f64 = 6.0;
const MOST: usize = 300;

/// One of so many is left to expire, of those of the first tenth.
const LEFT_ONE_OF: u32 = 5;

/// What everything takes for the first time is taken in these parts of the run.
const WARM_UP: u32 = 20;

const EVERY: Duration = Duration::from_secs(10);

/// Requests live so long, and their bytes are gone a minute later.
const LIFE: Duration = Duration::from_secs(3600 + 60);

/// For how long the end of a life is waited for when the load is over.
const WORTH_WAITING: Duration = Duration::from_secs(20 * 60);

/// The sweeper comes every half minute, and threads without work go after ten seconds.
const REST: Duration = Duration::from_secs(50);
const PATIENCE: Duration = Duration::from_secs(180);

/// What the callers of a run share.
struct World {
    base: String,
    films: Films,
    /// Most callers share connections.
    client: Client,
    tally: Tally,
    left: Mutex<Vec<Left>>,
    seed: u64,
}

pub async fn measure(binary: &Path, disk: &Path, lasts: Duration) -> Result<()> {
    let folder = disk.join("soak");
    let server = Server::vidence(binary, &folder)?;
    let subject = Subject {
        process: server.id(),
        folder,
    };
    let world = Arc::new(World {
        base: server.base.clone(),
        films: Films::new(),
        client: client()?,
        tally: Tally::default(),
        left: Mutex::default(),
        seed: rand::random(),
    });
    eprintln!("seed {}", world.seed);
    let begun = Instant::now();
    let warm_up = lasts / WARM_UP;
    load(&world, &subject, 0, warm_up, Duration::ZERO).await?;
    let before = rest(&subject, begun).await?;
    let requests = world.tally.stories();

    let first = begun.elapsed();
    let (lasts, leaving) = (lasts - warm_up, lasts / 10);
    let under_load = load(&world, &subject, 1 << 32, lasts, leaving).await?;
    let leaving_ended = first + leaving;
    end(
        &world,
        (leaving_ended + LIFE).saturating_sub(begun.elapsed()),
    )
    .await?;
    let after = rest(&subject, begun).await?;

    let seen = Seen {
        before,
        under_load,
        after,
        requests: world.tally.stories() - requests,
        failed: world.tally.failed(),
    };
    seen.print();
    println!("\n{}\n", world.tally.summary());
    for line in seen.verdict() {
        println!("{line}");
    }
    Ok(())
}

/// Requests at a steady rate, unless too many live. What was seen every ten seconds.
async fn load(
    world: &Arc<World>,
    subject: &Subject,
    first: u64,
    lasts: Duration,
    leaving: Duration,
) -> Result<Vec<Sample>> {
    let watch = tokio::spawn(watch(subject.clone(), lasts));
    let mut due = interval(Duration::from_secs_f64(1.0 / PER_SECOND));
    due.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let (start, mut stories) = (Instant::now(), JoinSet::new());
    for number in first.. {
        due.tick().await;
        if start.elapsed() >= lasts {
            break;
        }
        while stories.try_join_next().transpose()?.is_some() {}
        if stories.len() >= MOST {
            stories.join_next().await.transpose()?;
        }
        let leaves = start.elapsed() < leaving;
        stories.spawn(story(world.clone(), number, leaves));
    }
    while stories.join_next().await.transpose()?.is_some() {}
    watch.await?
}

async fn story(world: Arc<World>, number: u64, may_leave: bool) {
    let mut dice = StdRng::seed_from_u64(world.seed.wrapping_add(number));
    let leave = may_leave && dice.random_ratio(1, LEFT_ONE_OF);
    // Some come with a connection of their own, and take it with them.
    let own = match dice.random_ratio(1, 4) {
        true => client(),
        false => Ok(world.client.clone()),
    };
    let lived = async {
        let caller = world.caller(own?);
        story::live(&caller, &world.films, dice, leave).await
    };
    world.tally.ended(lived.await.map(|left| {
        let mut all = world.left.lock().expect("no panic elsewhere");
        all.extend(left);
    }));
}

async fn watch(subject: Subject, lasts: Duration) -> Result<Vec<Sample>> {
    let (start, mut samples) = (Instant::now(), Vec::new());
    let mut pace = interval(EVERY);
    while start.elapsed() + EVERY < lasts {
        pace.tick().await;
        let sample = look(&subject, start).await?;
        let (minutes, mebibytes) = (sample.at.as_secs() / 60, sample.memory >> 20);
        eprintln!("minute {minutes}: {mebibytes} MiB, {} files", sample.files);
        samples.push(sample);
    }
    Ok(samples)
}

async fn look(subject: &Subject, start: Instant) -> Result<Sample> {
    let subject = subject.clone();
    let at = start.elapsed();
    tokio::task::spawn_blocking(move || subject.look(at)).await?
}

/// Waits until those that were left to it have expired, or deletes them where that would take too long.
async fn end(world: &World, expire_in: Duration) -> Result<()> {
    let left = std::mem::take(&mut *world.left.lock().expect("no panic elsewhere"));
    let caller = world.caller(world.client.clone());
    if expire_in > WORTH_WAITING {
        println!(
            "{} requests would expire later, and are deleted",
            left.len()
        );
        for Left { asked, .. } in left {
            caller.delete(&asked).await?;
        }
        return Ok(());
    }
    eprintln!("until the last of {} expires: {expire_in:?}", left.len());
    sleep(expire_in).await;
    for Left { asked, video } in left {
        world.tally.expired();
        if let Err(error) = caller.is_over(&asked, video.as_ref()).await {
            world.tally.ended(Err(error));
        }
    }
    Ok(())
}

/// What the server holds when nobody calls, after the sweeper had its turn.
async fn rest(subject: &Subject, begun: Instant) -> Result<Sample> {
    let start = Instant::now();
    loop {
        sleep(EVERY).await;
        let sample = look(subject, begun).await?;
        let empty = sample.rows_of("takes") == 0 && sample.objects == 0;
        let rested = start.elapsed() >= REST;
        if rested && empty || start.elapsed() >= PATIENCE {
            return Ok(sample);
        }
    }
}

impl World {
    fn caller(&self, client: Client) -> ClientAddr<'_> {
        ClientAddr {
            client,
            base: &self.base,
            tally: &self.tally,
        }
    }
}

fn client() -> Result<Client> {
    // A proxy that the environment names would come in between.
    let client = Client::builder().no_proxy().http1_only();
    // Before the server is looked at at rest, all of them have gone.
    let client = client.pool_idle_timeout(EVERY);
    Ok(client.tls_certs_only([]).build()?)
}
