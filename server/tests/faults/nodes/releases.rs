//! Rolling upgrades to the release under test and back under load, as in `migrations/README.md`.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::environment::Environment;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome, RecordId};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;
use test_support::scale::{TIMEOUT, scale};
use test_support::servers::node::binary;

/// Concurrent uploaders.
const UPLOADERS: usize = 4;

/// Request lifecycles completed between two replacements.
const LIFECYCLES: usize = 4;

mod sqlite {
    use super::{Environment, last_release, roll_out_and_back};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_rolling_upgrade_and_its_rollback_lose_nothing() {
        let environment = Environment::sqlite_with_program(last_release()).await;
        roll_out_and_back(environment).await;
    }
}

mod postgres_s3 {
    use super::{Environment, last_release, roll_out_and_back};

    #[tokio::test(flavor = "multi_thread")]
    async fn a_rolling_upgrade_and_its_rollback_lose_nothing() {
        let environment = Environment::postgres_s3_with_program(Some(last_release())).await;
        roll_out_and_back(environment).await;
    }
}

/// Path of the previous release's binary.
fn last_release() -> PathBuf {
    let binary = std::env::var_os("VIDENCE_LAST_RELEASE").map(PathBuf::from);
    binary.expect("VIDENCE_LAST_RELEASE names a server: `cargo xtask test faults` builds it")
}

/// When the node at this URL was told to stop, and when its replacement answered.
struct Replacement {
    url: String,
    start: Instant,
    end: Instant,
}

async fn roll_out_and_back(mut environment: Environment) {
    let ledger = Ledger::default();
    // Each request goes to another node than the one before, so each release reads what the other wrote.
    let client = RetryingClient::in_turn(environment.nodes.iter().map(|it| it.url()));
    let (done, lifecycles) = (CancellationToken::new(), AtomicUsize::new(0));
    let kept = Mutex::new(Vec::new());
    let uploaders = (0..UPLOADERS as u64).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, &ledger);
        uploader.profile.take_bytes = 100_000..=600_000;
        for count in 0.. {
            if done.is_cancelled() {
                break;
            }
            let record_id = uploader.complete_request().await;
            match number + count == 0 || uploader.rng.random_ratio(1, 3) {
                true => uploader.delete_request(record_id).await,
                false => kept.lock().expect("not poisoned").push(record_id),
            }
            lifecycles.fetch_add(1, Ordering::Relaxed);
        }
    });
    let mut replacements = Vec::new();
    let rollouts = async {
        let upgrades = std::iter::repeat_n(binary(), environment.nodes.len());
        let rollbacks = std::iter::repeat_n(last_release(), environment.nodes.len());
        let programs: Vec<_> = upgrades.chain(rollbacks).collect();
        for _ in 0..scale().rollouts {
            for (count, program) in programs.iter().enumerate() {
                wait_for_lifecycles(&lifecycles).await;
                let node = count % environment.nodes.len();
                let node = &mut environment.nodes[node];
                node.assert_alive();
                let start = Instant::now();
                node.upgrade_to(program.clone()).await;
                replacements.push(Replacement {
                    url: node.url(),
                    start,
                    end: Instant::now(),
                });
                // Only the last ones: checking everything after each replacement would take ever longer.
                verify_on_every_node(2 * LIFECYCLES, &environment, &ledger, &kept).await;
            }
        }
        wait_for_lifecycles(&lifecycles).await;
        done.cancel();
    };
    join(join_all(uploaders), rollouts).await;
    environment
        .nodes
        .iter_mut()
        .for_each(|node| node.assert_alive());

    verify_on_every_node(usize::MAX, &environment, &ledger, &kept).await;
    let failures = client.failures();
    for failure in &failures {
        let covers = |it: &Replacement| {
            failure.url.starts_with(&it.url) && failure.started < it.end && it.start < failure.ended
        };
        let (url, error) = (&failure.url, &failure.error);
        // A busy machine takes its time to seal.
        let is_covered = failure.asks_for_retry("still_sealing") || replacements.iter().any(covers);
        assert!(
            is_covered,
            "no replacement covers this failure: {url}: {error}"
        );
    }
    let audit = environment.audit(&ledger, 0).await;
    let counts = [
        ("replacements", replacements.len() as u64),
        ("lifecycles", lifecycles.into_inner() as u64),
        ("failed meanwhile", failures.len() as u64),
        ("removed", audit.removed as u64),
    ];
    report("releases", environment.name(), &counts, &ledger, &audit);
    assert!(audit.removed > 0, "nothing was removed");
    audit.assert_sound(0);
}

/// Waits until some more lifecycles are complete.
async fn wait_for_lifecycles(lifecycles: &AtomicUsize) {
    let enough = lifecycles.load(Ordering::Relaxed) + LIFECYCLES;
    let mut ticks = interval(Duration::from_millis(5));
    let wait_for_lifecycles = async {
        while lifecycles.load(Ordering::Relaxed) < enough {
            ticks.tick().await;
        }
    };
    timeout(TIMEOUT, wait_for_lifecycles)
        .await
        .expect("lifecycles go on");
}

/// Verifies at each node the last kept videos, and that the last deleted requests are gone.
async fn verify_on_every_node(
    last: usize,
    environment: &Environment,
    ledger: &Ledger,
    kept: &Mutex<Vec<RecordId>>,
) {
    let kept = kept.lock().expect("not poisoned").clone();
    let mut deleted = ledger.records();
    deleted.retain(|it| it.outcome == Outcome::Deleted);
    for node in &environment.nodes {
        let client = RetryingClient::new([node.url()]);
        for record_id in kept.iter().rev().take(last) {
            agent::verify_video(&client, &ledger.get(*record_id)).await;
        }
        for record in deleted.iter().rev().take(last) {
            agent::assert_gone(&client, record).await;
        }
        let failures = client.failures();
        assert!(failures.is_empty(), "{failures:#?}");
    }
}
