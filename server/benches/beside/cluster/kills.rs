//! Nodes are killed at any moment and started again, while people record, ask, watch and delete through the
//! proxy. Whatever they were told is written down, and must hold in the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use app::api::{RequestStatus, RequestView};
use rand::RngExt;
use reqwest::{Client, StatusCode};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use test_support::agent;
use test_support::callers::Callers;
use test_support::ledger::{Fate, Ledger, Record};
use test_support::node::Node;
use test_support::uploader::Uploader;

/// People who record at a time, and programs that poll.
const PEOPLE: u64 = 6;
const PROGRAMS: usize = 4;

/// How long a node lives, and how long it is away, in milliseconds.
const LIFE: std::ops::Range<u64> = 100..1500;
const AWAY: std::ops::Range<u64> = 0..1000;

/// One request of so many is deleted.
const DELETED_ONE_OF: u32 = 4;

/// Between two polls of one program.
const PACE: Duration = Duration::from_millis(20);

/// What was told and what was lost.
#[derive(Debug, Default)]
pub struct Seen {
    pub kills: usize,
    pub appends: usize,
    pub submitted: usize,
    pub deleted: usize,
    pub polls: u64,
    /// Acknowledged, and not so in the end; or a promise that was broken meanwhile.
    pub lost: usize,
}

/// What all of them share.
struct World {
    ledger: Ledger,
    callers: Callers,
    over: CancellationToken,
    polls: AtomicU64,
}

pub async fn run(url: &str, nodes: &mut [Node], kills: usize) -> Result<Seen> {
    let world = Arc::new(World {
        ledger: Ledger::default(),
        callers: Callers::at([url.to_owned()]),
        over: CancellationToken::new(),
        polls: AtomicU64::new(0),
    });
    let mut people = JoinSet::new();
    for player in 0..PEOPLE {
        people.spawn(record(world.clone(), player));
    }
    for _ in 0..PROGRAMS {
        people.spawn(poll(world.clone()));
    }
    for _ in 0..kills {
        sleep(random(LIFE)).await;
        let victim = rand::random_range(0..nodes.len());
        nodes[victim].assert_alive();
        nodes[victim].kill();
        sleep(random(AWAY)).await;
        nodes[victim].restart().await;
    }
    world.over.cancel();
    let mut seen = Seen {
        kills,
        ..Seen::default()
    };
    // Who sees a promise broken panics, and has said why.
    while let Some(ended) = people.join_next().await {
        seen.lost += usize::from(ended.is_err());
    }
    seen.appends = world.ledger.appends().len();
    seen.polls = world.polls.load(Ordering::Relaxed);
    for record in world.ledger.records() {
        seen.submitted += usize::from(record.fate == Fate::Submitted);
        seen.deleted += usize::from(record.fate == Fate::Deleted);
        let world = world.clone();
        seen.lost += usize::from(tokio::spawn(check(world, record)).await.is_err());
    }
    Ok(seen)
}

fn random(milliseconds: std::ops::Range<u64>) -> Duration {
    Duration::from_millis(rand::random_range(milliseconds))
}

/// Answers one request after the other, and deletes some.
async fn record(world: Arc<World>, player: u64) {
    let mut uploader = Uploader::new(player, &world.callers, &world.callers, &world.ledger);
    while !world.over.is_cancelled() {
        let entry = uploader.answer_one().await;
        if uploader.dice.random_ratio(1, DELETED_ONE_OF) {
            let record = world.ledger.get(entry);
            // Before it is asked for: from here on nobody may count on it.
            world.ledger.ended(entry, Fate::Deleted);
            delete(&world.callers, &record).await;
            agent::is_gone(&world.callers, &world.ledger.get(entry)).await;
        }
    }
}

/// Until it is said to be done: now, or by an answer that was lost.
async fn delete(callers: &Callers, record: &Record) {
    let path = format!("/v1/requests/{}", record.request);
    let delete = |client: &Client, url: &str| {
        let delete = client.delete(format!("{url}{path}"));
        delete.bearer_auth(&record.token)
    };
    let status = callers.ask(delete).await.status();
    let done = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&status);
    assert!(done, "{status}: {record:?}");
}

/// `None`: there is no such request.
async fn status(callers: &Callers, record: &Record) -> Option<RequestStatus> {
    let path = format!("/v1/requests/{}", record.request);
    let poll = |client: &Client, url: &str| {
        let poll = client.get(format!("{url}{path}"));
        poll.bearer_auth(&record.token)
    };
    loop {
        let answer = callers.ask(poll).await;
        if answer.status() == StatusCode::NOT_FOUND {
            return None;
        }
        assert_eq!(answer.status(), StatusCode::OK, "{record:?}");
        // It may break off in the middle.
        if let Ok(view) = answer.json::<RequestView>().await {
            return Some(view.status);
        }
    }
}

/// Asks for what was submitted, again and again: it never is anything else.
async fn poll(world: Arc<World>) {
    while !world.over.is_cancelled() {
        sleep(PACE).await;
        let submitted = |it: &Record| it.fate == Fate::Submitted;
        let records: Vec<_> = world
            .ledger
            .records()
            .into_iter()
            .filter(submitted)
            .collect();
        if records.is_empty() {
            continue;
        }
        let record = &records[rand::random_range(0..records.len())];
        let status = status(&world.callers, record).await;
        let take = |it: &Record| it.take == record.take && submitted(it);
        if world.ledger.records().iter().any(take) {
            assert_eq!(status, Some(RequestStatus::Submitted), "{record:?}");
        }
        world.polls.fetch_add(1, Ordering::Relaxed);
    }
}

/// In the end everything is as it was told.
async fn check(world: Arc<World>, record: Record) {
    match record.fate {
        Fate::Submitted => agent::watch(&world.callers, &record).await,
        Fate::Deleted | Fate::Discarded | Fate::TakenDown => {
            agent::is_gone(&world.callers, &record).await;
        }
        Fate::Open => {
            let path = record.take.clone();
            let head = |client: &Client, url: &str| client.head(format!("{url}{path}"));
            let answer = world.callers.ask(head).await;
            let offset = answer.headers().get("upload-offset");
            let offset: Option<u64> = offset.and_then(|it| it.to_str().ok()?.parse().ok());
            assert!(
                offset >= Some(record.acknowledged),
                "{offset:?}: {record:?}"
            );
        }
    }
}
