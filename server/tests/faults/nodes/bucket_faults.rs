//! A bucket that refuses everything for a while, executes calls and answers with an error, or lists its objects late.

use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::acknowledged_since;
use crate::audit::Audit;
use crate::environment::Environment;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::Ledger;
use test_support::clients::uploader::Uploader;
use test_support::scale::{TIMEOUT, scale, seeded_rng};
use test_support::stores::bucket::make_older;
use test_support::stores::bucket_faults::BucketFault;
use test_support::{on_postgres_s3, wait_until};

on_postgres_s3! {
    uploads_and_deletions_survive_a_bucket_that_asks_to_slow_down
    uploads_and_deletions_survive_a_bucket_that_stores_without_an_answer
    uploads_and_deletions_survive_a_bucket_that_stores_and_never_answers
    uploads_and_deletions_survive_a_bucket_that_deletes_and_reports_a_failure
    uploads_and_deletions_survive_a_bucket_that_lists_late
}

/// Concurrent uploaders.
const UPLOADERS: usize = 4;

async fn uploads_and_deletions_survive_a_bucket_that_asks_to_slow_down() {
    survive(BucketFault::SlowDown, "bucket slows down").await;
}

async fn uploads_and_deletions_survive_a_bucket_that_stores_without_an_answer() {
    survive(BucketFault::LostAnswers, "bucket loses answers").await;
}

/// The node's own timeout ends a call.
async fn uploads_and_deletions_survive_a_bucket_that_stores_and_never_answers() {
    survive(BucketFault::WithheldAnswers, "bucket falls silent").await;
}

async fn uploads_and_deletions_survive_a_bucket_that_deletes_and_reports_a_failure() {
    survive(BucketFault::FailedDeletions, "bucket fails deletions").await;
}

/// A deletion removes what the bucket lists; the collection of orphans has to find the rest.
async fn uploads_and_deletions_survive_a_bucket_that_lists_late() {
    survive(BucketFault::LateLists, "bucket lists late").await;
}

/// Uploads and deletes while the bucket misbehaves now and then.
async fn survive(fault: BucketFault, scenario: &str) {
    let mut environment = Environment::postgres_s3().await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let operator = environment.operator();
    let done = CancellationToken::new();
    let uploaders = (0..UPLOADERS as u64).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, &ledger);
        uploader.record_until(&done, 2).await;
    });
    let faults = environment.shared().expect("a cluster").bucket_faults();
    let fault_loop = async {
        let mut rng = seeded_rng(UPLOADERS as u64);
        let mut millis = |range| Duration::from_millis(rng.random_range(range));
        for _ in 0..scale().bucket_faults {
            sleep(millis(100..800)).await;
            let before = faults.injected();
            faults.set(Some(fault));
            sleep(millis(500..2000)).await;
            // Until it has hit something.
            let hit = async {
                let mut ticks = tokio::time::interval(Duration::from_millis(5));
                while faults.injected() == before {
                    ticks.tick().await;
                }
            };
            timeout(TIMEOUT, hit).await.expect("a call of the bucket");
            faults.set(None);
            let healed = Instant::now();
            timeout(TIMEOUT, acknowledged_since(&ledger, healed))
                .await
                .expect("uploads go on");
        }
        done.cancel();
    };
    join(join_all(uploaders), fault_loop).await;

    let orphans = match fault {
        BucketFault::LateLists => {
            collect_what_lists_lacked(&mut environment, &ledger).await;
            0
        }
        // A call that the node has given up may leave an object without a row.
        _ => scale().bucket_faults * UPLOADERS,
    };
    let audit = environment.audit(&ledger, orphans).await;
    agent::verify_outcomes(&client, &ledger).await;
    let (is_clean, printed) = operator.check_deep().await;
    assert!(is_clean, "{printed}");
    let counts = [
        (
            "faults",
            environment
                .shared()
                .expect("a cluster")
                .bucket_faults()
                .injected(),
        ),
        ("removed", audit.removed as u64),
    ];
    report(scenario, environment.name(), &counts, &ledger, &audit);
    assert!(audit.removed > 0, "nothing was removed");
    audit.assert_sound(orphans);
    let nodes = environment.nodes.iter_mut();
    nodes.for_each(|node| node.assert_alive());
}

/// Deletes a request while lists are late, and has a node that starts collect what this and earlier deletions left.
async fn collect_what_lists_lacked(environment: &mut Environment, ledger: &Ledger) {
    let (client, db) = (environment.client(), environment.db().await);
    let mut uploader = Uploader::new(UPLOADERS as u64, &client, &client, ledger);
    let record_id = uploader.complete_request().await;
    // A job that finds its take gone would remove the objects that a list lacked.
    wait_until(async || db.backlogs().await.expect("rows").is_empty()).await;
    let faults = environment.shared().expect("a cluster").bucket_faults();
    faults.set(Some(BucketFault::LateLists));
    uploader.delete_request(record_id).await;
    faults.set(None);
    let before = Audit::run(&db, environment.objects(), ledger).await;
    assert!(!before.leftovers.is_empty(), "no list was late");
    make_older(&environment.objects(), Duration::from_hours(1));
    environment.nodes[0].restart().await;
}
