//! Kills and restarts nodes at random while clients record, poll, watch and delete through the proxy, and verifies in
//! the end that everything acknowledged still holds.

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

use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome, Record};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;
use test_support::servers::node::Node;

/// Concurrent uploaders, and concurrent pollers.
const UPLOADERS: u64 = 6;
const POLLERS: usize = 4;

/// Time between two kills and downtime of a node, in milliseconds.
const UPTIME_MS: std::ops::Range<u64> = 100..1500;
const DOWNTIME_MS: std::ops::Range<u64> = 0..1000;

/// One request in so many is deleted.
const DELETED_ONE_IN: u32 = 4;

/// Pause between two polls of one poller.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Counts of acknowledged operations and of losses.
#[derive(Debug, Default)]
pub struct KillResult {
    pub kills: usize,
    pub appends: usize,
    pub submitted: usize,
    pub deleted: usize,
    pub polls: u64,
    /// Acknowledgements that don't hold, in the end or in the meantime.
    pub lost: usize,
}

/// State shared by all clients.
struct Shared {
    ledger: Ledger,
    client: RetryingClient,
    done: CancellationToken,
    polls: AtomicU64,
}

pub async fn run(url: &str, nodes: &mut [Node], kills: usize) -> Result<KillResult> {
    let shared = Arc::new(Shared {
        ledger: Ledger::default(),
        client: RetryingClient::new([url.to_owned()]),
        done: CancellationToken::new(),
        polls: AtomicU64::new(0),
    });
    let mut tasks = JoinSet::new();
    for number in 0..UPLOADERS {
        tasks.spawn(record(shared.clone(), number));
    }
    for _ in 0..POLLERS {
        tasks.spawn(poll(shared.clone()));
    }
    for _ in 0..kills {
        sleep(random(UPTIME_MS)).await;
        let victim = rand::random_range(0..nodes.len());
        nodes[victim].assert_alive();
        nodes[victim].kill();
        sleep(random(DOWNTIME_MS)).await;
        nodes[victim].restart().await;
    }
    shared.done.cancel();
    let mut result = KillResult {
        kills,
        ..KillResult::default()
    };
    // A client that sees a broken promise panics with the reason.
    while let Some(ended) = tasks.join_next().await {
        result.lost += usize::from(ended.is_err());
    }
    result.appends = shared.ledger.appends().len();
    result.polls = shared.polls.load(Ordering::Relaxed);
    for record in shared.ledger.records() {
        result.submitted += usize::from(record.outcome == Outcome::Submitted);
        result.deleted += usize::from(record.outcome == Outcome::Deleted);
        let shared = shared.clone();
        result.lost += usize::from(tokio::spawn(check(shared, record)).await.is_err());
    }
    Ok(result)
}

fn random(milliseconds: std::ops::Range<u64>) -> Duration {
    Duration::from_millis(rand::random_range(milliseconds))
}

/// Completes one request after the other, and deletes some.
async fn record(shared: Arc<Shared>, number: u64) {
    let mut uploader = Uploader::new(number, &shared.client, &shared.client, &shared.ledger);
    while !shared.done.is_cancelled() {
        let record_id = uploader.complete_request().await;
        if uploader.rng.random_ratio(1, DELETED_ONE_IN) {
            let record = shared.ledger.get(record_id);
            // Before the deletion begins: from here on the pollers must not rely on the request.
            shared.ledger.record_outcome(record_id, Outcome::Deleted);
            delete(&shared.client, &record).await;
            agent::assert_gone(&shared.client, &shared.ledger.get(record_id)).await;
        }
    }
}

/// Deletes a request with retries. 404 if only the answer to an earlier attempt was lost.
async fn delete(client: &RetryingClient, record: &Record) {
    let path = format!("/v1/requests/{}", record.request);
    let delete = |http: &Client, url: &str| {
        let delete = http.delete(format!("{url}{path}"));
        delete.bearer_auth(&record.token)
    };
    let status = client.send(delete).await.status();
    let done = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&status);
    assert!(done, "{status}: {record:?}");
}

/// Polls a request. `None` if it doesn't exist.
async fn status(client: &RetryingClient, record: &Record) -> Option<RequestStatus> {
    let path = format!("/v1/requests/{}", record.request);
    let poll = |http: &Client, url: &str| {
        let poll = http.get(format!("{url}{path}"));
        poll.bearer_auth(&record.token)
    };
    loop {
        let answer = client.send(poll).await;
        if answer.status() == StatusCode::NOT_FOUND {
            return None;
        }
        assert_eq!(answer.status(), StatusCode::OK, "{record:?}");
        // The response may break off when its node is killed.
        if let Ok(view) = answer.json::<RequestView>().await {
            return Some(view.status);
        }
    }
}

/// Polls submitted requests at random, which must stay submitted.
async fn poll(shared: Arc<Shared>) {
    while !shared.done.is_cancelled() {
        sleep(POLL_INTERVAL).await;
        let submitted = |it: &Record| it.outcome == Outcome::Submitted;
        let records: Vec<_> = shared
            .ledger
            .records()
            .into_iter()
            .filter(submitted)
            .collect();
        if records.is_empty() {
            continue;
        }
        let record = &records[rand::random_range(0..records.len())];
        let status = status(&shared.client, record).await;
        let take = |it: &Record| it.take == record.take && submitted(it);
        if shared.ledger.records().iter().any(take) {
            assert_eq!(status, Some(RequestStatus::Submitted), "{record:?}");
        }
        shared.polls.fetch_add(1, Ordering::Relaxed);
    }
}

/// Asserts that the last acknowledged state of a take holds.
async fn check(shared: Arc<Shared>, record: Record) {
    match record.outcome {
        Outcome::Submitted => agent::verify_video(&shared.client, &record).await,
        Outcome::Deleted | Outcome::Discarded | Outcome::TakenDown => {
            agent::assert_gone(&shared.client, &record).await;
        }
        Outcome::Open => {
            let path = record.take.clone();
            let head = |http: &Client, url: &str| http.head(format!("{url}{path}"));
            let answer = shared.client.send(head).await;
            let offset = answer.headers().get("upload-offset");
            let offset: Option<u64> = offset.and_then(|it| it.to_str().ok()?.parse().ok());
            assert!(
                offset >= Some(record.acknowledged),
                "{offset:?}: {record:?}"
            );
        }
    }
}
