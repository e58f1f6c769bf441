//! Concurrent calls on one request, to any node, are answered as if they came one after the other, each between its call
//! and its answer, while nodes are killed.

mod checker;
mod model;
mod subject;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::checker::{Operation, is_linearizable};
use self::model::{Answer, Request, RequestCall};
use self::subject::Subject;
use crate::environment::{Environment, on_each_storage};
use test_support::scale::{scale, seed, seeded_rng};

/// Clients of one request, each of which waits for one answer before its next call.
const CLIENTS: usize = 4;

/// Histories at a time.
const CONCURRENT: u64 = 4;

/// The least number of answers between two kills. Each kill may cost the answer of every client.
const ANSWERED_PER_KILL: usize = 128;

/// Histories of one round.
/// Each has a report of its own, so a long run that is ended early has shown something too.
const ROUND: usize = 1000;

on_each_storage! {
    concurrent_calls_are_linearizable
}

async fn concurrent_calls_are_linearizable(mut environment: Environment) {
    let mut left = scale().histories;
    loop {
        let histories = left.min(ROUND);
        left -= histories;
        // A seed for each client, of which no round has the same.
        one_round(&mut environment, histories, left as u64 * CONCURRENT).await;
        if left == 0 {
            return;
        }
        // The bucket keeps the folders of deleted objects, and each node that starts lists them.
        environment = environment.renewed().await;
    }
}

async fn one_round(environment: &mut Environment, histories: usize, first_client: u64) {
    let nodes: Vec<String> = environment.nodes.iter().map(|it| it.url()).collect();
    let (client, rows) = (environment.client(), environment.rows());
    let left = AtomicUsize::new(histories);
    let (done, counts) = (CancellationToken::new(), Mutex::new(Counts::default()));
    let workers = (first_client..first_client + CONCURRENT).map(async |number| {
        let mut rng = seeded_rng(number);
        let one_fewer = |left: usize| left.checked_sub(1);
        while left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_fewer)
            .is_ok()
        {
            let (subject, first) = Subject::create(&client, &nodes[0]).await;
            let clients = (0..CLIENTS).map(|client| {
                let rng = rand::SeedableRng::from_rng(&mut rng);
                subject.call_as(client, &nodes[client % nodes.len()], &rows, rng)
            });
            let histories = join_all(clients).await;
            assert!(histories.iter().all(|it| !it.is_empty()), "a silent client");
            let mut history = vec![first];
            history.extend(histories.into_iter().flatten());
            counts.lock().expect("not poisoned").add(&history);
            assert!(
                is_linearizable(&Request::default(), &history),
                "no order explains these answers (seed {}):\n{}",
                seed(),
                shown(&history),
            );
            subject.remove(&client).await;
        }
    });
    let workers = async {
        join_all(workers).await;
        done.cancel();
    };
    let kills = async {
        let mut rng = seeded_rng(first_client + CONCURRENT);
        let (mut kills, mut before) = (0, 0);
        let answered = || counts.lock().expect("not poisoned").answered();
        loop {
            let life = Duration::from_millis(rng.random_range(100..1500));
            let mut pause = life;
            while pause == life || answered() < before + ANSWERED_PER_KILL {
                if timeout(pause, done.cancelled()).await.is_ok() {
                    return kills;
                }
                pause = Duration::from_millis(10);
            }
            before = answered();
            let victim = rng.random_range(0..environment.nodes.len());
            environment.nodes[victim].restart().await;
            kills += 1;
        }
    };
    let ((), kills) = join(workers, kills).await;
    let counts = counts.into_inner().expect("not poisoned");
    println!(
        "\nhistories {:>22} {histories} histories {kills} kills {counts:?} (seed {})",
        environment.name(),
        seed()
    );
    let [submitted, videos] = [counts.submitted, counts.videos];
    let over = [counts.deleted, counts.expired];
    let takes = [counts.created, counts.not_created, counts.appended];
    for happened in [kills, submitted, videos]
        .into_iter()
        .chain(takes)
        .chain(over)
    {
        assert!(happened > 0, "{kills} kills, {counts:?}");
    }
    assert!(counts.unanswered * 4 < counts.calls, "{counts:?}");
}

/// What the histories consisted of, so that one sees that they weren't trivial.
#[derive(Debug, Default)]
struct Counts {
    calls: usize,
    created: usize,
    not_created: usize,
    appended: usize,
    conflicts: usize,
    submitted: usize,
    videos: usize,
    deleted: usize,
    expired: usize,
    unanswered: usize,
}

impl Counts {
    fn answered(&self) -> usize {
        self.calls - self.unanswered
    }

    fn add(&mut self, history: &[Operation<RequestCall, Answer>]) {
        for it in history {
            self.calls += 1;
            let counted = match (&it.call, it.answer.as_ref().map(|it| &it.0)) {
                (_, None) => &mut self.unanswered,
                (RequestCall::Create { take: None }, Some(_)) => &mut self.not_created,
                (_, Some(Answer::Conflict(_))) => &mut self.conflicts,
                (RequestCall::Create { .. }, Some(Answer::Done)) => &mut self.created,
                (RequestCall::Append { .. }, Some(Answer::Done)) => &mut self.appended,
                (RequestCall::Submit { .. }, Some(Answer::Done)) => &mut self.submitted,
                (RequestCall::Delete, Some(Answer::Done)) => &mut self.deleted,
                (_, Some(Answer::Expired)) => &mut self.expired,
                (_, Some(Answer::Video(_))) => &mut self.videos,
                _ => continue,
            };
            *counted += 1;
        }
    }
}

/// A line for each call: when it was sent and answered, in microseconds.
fn shown(history: &[Operation<RequestCall, Answer>]) -> String {
    let mut history: Vec<_> = history.iter().collect();
    history.sort_by_key(|it| it.sent);
    let start = history.first().map(|it| it.sent);
    let since = |at: Instant| start.map_or(0, |start| (at - start).as_micros());
    let lines = history.into_iter().map(|it| {
        let (sent, call) = (since(it.sent), &it.call);
        match &it.answer {
            Some((answer, at)) => format!("{sent:>8} {:>8} {call:?}: {answer:?}\n", since(*at)),
            None => format!("{sent:>8}        ? {call:?}\n"),
        }
    });
    lines.collect()
}
