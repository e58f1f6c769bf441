//! Nodes are replaced by those of the next release, one by one while people work, and by those before it again:
//! `migrations/README.md`.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use super::report::report;
use super::stage::Stage;
use test_support::agent;
use test_support::callers::Callers;
use test_support::ledger::{Entry, Fate, Ledger};
use test_support::node::binary;
use test_support::scale::{PATIENCE, scale};
use test_support::uploader::Uploader;

/// People who record at the same time.
const UPLOADERS: usize = 4;

/// Stories, from a request to its video, that are told to the end between two replacements.
const STORIES: usize = 4;

mod laptop {
    use super::{Stage, a_release_is_rolled_out_and_back_while_people_work, last_release};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_release_is_rolled_out_and_back() {
        let stage = Stage::laptop_of(last_release()).await;
        a_release_is_rolled_out_and_back_while_people_work(stage).await;
    }
}

mod cluster {
    use super::{Stage, a_release_is_rolled_out_and_back_while_people_work, last_release};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_release_is_rolled_out_and_back() {
        let stage = Stage::cluster_of(Some(last_release())).await;
        a_release_is_rolled_out_and_back_while_people_work(stage).await;
    }
}

/// The server before the one to try.
fn last_release() -> PathBuf {
    let binary = std::env::var_os("VIDENCE_LAST_RELEASE").map(PathBuf::from);
    binary.expect("VIDENCE_LAST_RELEASE names a server: `cargo xtask test faults` builds it")
}

/// When the node at this door was told to stop, and when the next one answered there.
struct Replacement {
    door: String,
    from: Instant,
    to: Instant,
}

async fn a_release_is_rolled_out_and_back_while_people_work(mut stage: Stage) {
    let ledger = Ledger::default();
    // Each request goes to another node than the one before: what one has written the other reads, and goes on with.
    let callers = Callers::in_turns_at(stage.nodes.iter().map(|it| it.url()));
    let (over, stories) = (CancellationToken::new(), AtomicUsize::new(0));
    let kept = Mutex::new(Vec::new());
    let people = (0..UPLOADERS as u64).map(async |player| {
        let mut uploader = Uploader::new(player, &callers, &callers, &ledger);
        uploader.habits.take = 100_000..=600_000;
        while !over.is_cancelled() {
            let entry = uploader.answer_one().await;
            match uploader.dice.random_ratio(1, 3) {
                true => uploader.delete_request(entry).await,
                false => kept.lock().expect("no panic elsewhere").push(entry),
            }
            stories.fetch_add(1, Ordering::Relaxed);
        }
    });
    let mut replacements = Vec::new();
    let rolling = async {
        let forth = std::iter::repeat_n(binary(), stage.nodes.len());
        let back = std::iter::repeat_n(last_release(), stage.nodes.len());
        let programs: Vec<_> = forth.chain(back).collect();
        for _ in 0..scale().rollouts {
            for (count, program) in programs.iter().enumerate() {
                told(&stories).await;
                let node = count % stage.nodes.len();
                let node = &mut stage.nodes[node];
                node.assert_alive();
                let from = Instant::now();
                node.replace_by(program.clone()).await;
                replacements.push(Replacement {
                    door: node.url(),
                    from,
                    to: Instant::now(),
                });
                // People go on meanwhile: to look for all of it each time would take ever longer.
                every_node_has(2 * STORIES, &stage, &ledger, &kept).await;
            }
        }
        told(&stories).await;
        over.cancel();
    };
    join(join_all(people), rolling).await;
    stage.nodes.iter_mut().for_each(|node| node.assert_alive());

    every_node_has(usize::MAX, &stage, &ledger, &kept).await;
    let failures = callers.failures();
    for failure in &failures {
        let excuses = |it: &Replacement| {
            failure.url.starts_with(&it.door) && failure.from < it.to && it.from < failure.to
        };
        let (url, what) = (&failure.url, &failure.what);
        let is_excused = replacements.iter().any(excuses);
        assert!(is_excused, "nobody replaced this node: {url}: {what}");
    }
    let audit = stage.audit(&ledger, 0).await;
    let counts = [
        ("replacements", replacements.len() as u64),
        ("stories", stories.into_inner() as u64),
        ("failed meanwhile", failures.len() as u64),
        ("removed", audit.removed as u64),
    ];
    report("releases", stage.name(), &counts, &ledger, &audit);
    assert!(audit.removed > 0, "nothing was removed");
    audit.assert_sound(0);
}

/// Waits until some more stories are told to their ends.
async fn told(stories: &AtomicUsize) {
    let enough = stories.load(Ordering::Relaxed) + STORIES;
    let mut pace = interval(Duration::from_millis(5));
    let told = async {
        while stories.load(Ordering::Relaxed) < enough {
            pace.tick().await;
        }
    };
    timeout(PATIENCE, told).await.expect("people who work");
}

/// Watches at each node by itself what its creator keeps, and looks for what was deleted: so many of the last ones.
async fn every_node_has(last: usize, stage: &Stage, ledger: &Ledger, kept: &Mutex<Vec<Entry>>) {
    let kept = kept.lock().expect("no panic elsewhere").clone();
    let mut deleted = ledger.records();
    deleted.retain(|it| it.fate == Fate::Deleted);
    for node in &stage.nodes {
        let callers = Callers::at([node.url()]);
        for entry in kept.iter().rev().take(last) {
            agent::watch(&callers, &ledger.get(*entry)).await;
        }
        for record in deleted.iter().rev().take(last) {
            agent::is_gone(&callers, record).await;
        }
        let failures = callers.failures();
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
