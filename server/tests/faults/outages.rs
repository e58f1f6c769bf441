//! The database or the bucket is gone for a while, from one moment to the next, for all nodes.

use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::proxy::Proxy;
use super::report::report;
use super::stage::{Shared, Stage};
use test_support::ledger::{Append, Ledger};
use test_support::on_a_cluster;
use test_support::scale::{PATIENCE, dice, scale};
use test_support::uploader::Uploader;

on_a_cluster! {
    uploads_outlast_an_outage_of_the_database
    uploads_outlast_an_outage_of_the_bucket
}

/// People who record at the same time.
const UPLOADERS: usize = 4;

/// From when to when something was gone.
struct Outage {
    from: Instant,
    to: Instant,
}

async fn uploads_outlast_an_outage_of_the_database() {
    let mut stage = Stage::cluster().await;
    let ledger = Ledger::default();
    let outages = upload_through_outages(&mut stage, &ledger, |it| &it.to_database).await;
    // Without it nobody knows anything.
    conclude("database outages", &stage, &ledger, &outages, |_| true).await;
}

async fn uploads_outlast_an_outage_of_the_bucket() {
    let mut stage = Stage::cluster().await;
    let ledger = Ledger::default();
    let outages = upload_through_outages(&mut stage, &ledger, |it| &it.to_bucket).await;
    // What brings no bytes needs no bucket.
    conclude("bucket outages", &stage, &ledger, &outages, |it| {
        it.length > 0
    })
    .await;
}

/// People upload; again and again what lies behind this proxy goes, and comes back.
async fn upload_through_outages(
    stage: &mut Stage,
    ledger: &Ledger,
    way: impl Fn(&Shared) -> &Proxy,
) -> Vec<Outage> {
    let callers = stage.callers();
    let over = CancellationToken::new();
    let people = (0..UPLOADERS as u64).map(async |player| {
        let mut uploader = Uploader::new(player, &callers, &callers, ledger);
        while !over.is_cancelled() {
            uploader.answer_one().await;
        }
    });
    let mut outages = Vec::new();
    let breaking = async {
        let mut dice = dice(UPLOADERS as u64);
        let mut millis = |range| Duration::from_millis(dice.random_range(range));
        for _ in 0..scale().outages {
            sleep(millis(100..800)).await;
            let proxy = way(stage.shared().expect("a cluster"));
            proxy.refuse().await;
            let from = Instant::now();
            sleep(millis(300..2000)).await;
            let to = Instant::now();
            proxy.admit().await;
            outages.push(Outage { from, to });
            timeout(PATIENCE, acknowledged_since(ledger, to))
                .await
                .expect("uploads go on after an outage");
        }
        over.cancel();
    };
    join(join_all(people), breaking).await;
    stage.nodes.iter_mut().for_each(|node| node.assert_alive());
    outages
}

/// Waits until bytes are acknowledged that were sent after this.
async fn acknowledged_since(ledger: &Ledger, since: Instant) {
    let mut pace = tokio::time::interval(Duration::from_millis(5));
    while !ledger
        .appends()
        .iter()
        .any(|it| it.sent > since && it.length > 0)
    {
        pace.tick().await;
    }
}

/// Nothing that needs what was gone may have been acknowledged meanwhile.
async fn conclude(
    scenario: &str,
    stage: &Stage,
    ledger: &Ledger,
    outages: &[Outage],
    needs_it: impl Fn(&Append) -> bool,
) {
    for append in ledger.appends().iter().filter(|it| needs_it(it)) {
        let lie = |it: &&Outage| append.sent > it.from && append.answered < it.to;
        let lie = outages.iter().find(lie).map(|it| it.to - it.from);
        assert!(lie.is_none(), "{append:?} in an outage of {lie:?}");
    }
    // A commit of which nobody knows whether it happened leaves its object behind.
    let orphans = outages.len() * UPLOADERS;
    let audit = stage.audit(ledger, orphans).await;
    let counts = [("outages", outages.len() as u64)];
    report(scenario, stage.name(), &counts, ledger, &audit);
    audit.assert_sound(orphans);
}
