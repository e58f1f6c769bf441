//! Outages of the database or the bucket, for all nodes at once.

use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::acknowledged_since;
use crate::environment::proxy::Proxy;
use crate::environment::{Environment, SharedStores};
use crate::report::report;
use test_support::clients::ledger::{Append, Ledger};
use test_support::clients::uploader::Uploader;
use test_support::on_postgres_s3;
use test_support::scale::{TIMEOUT, scale, seeded_rng};

on_postgres_s3! {
    uploads_survive_a_database_outage
    uploads_survive_a_bucket_outage
}

/// Concurrent uploaders.
const UPLOADERS: usize = 4;

/// An interval in which a store was unreachable.
struct Outage {
    start: Instant,
    end: Instant,
}

async fn uploads_survive_a_database_outage() {
    let mut environment = Environment::postgres_s3().await;
    let ledger = Ledger::default();
    let outages =
        upload_through_outages(&mut environment, &ledger, SharedStores::database_proxy).await;
    // Every acknowledgement needs the database.
    check_outages("database outages", &environment, &ledger, &outages, |_| {
        true
    })
    .await;
}

async fn uploads_survive_a_bucket_outage() {
    let mut environment = Environment::postgres_s3().await;
    let ledger = Ledger::default();
    let outages = upload_through_outages(&mut environment, &ledger, |it| &it.bucket_proxy).await;
    // An append without bytes needs no bucket.
    check_outages("bucket outages", &environment, &ledger, &outages, |it| {
        it.length > 0
    })
    .await;
}

/// Uploads, with repeated outages of the store behind this proxy.
async fn upload_through_outages(
    environment: &mut Environment,
    ledger: &Ledger,
    proxy_of: impl Fn(&SharedStores) -> &Proxy,
) -> Vec<Outage> {
    let client = environment.client();
    let done = CancellationToken::new();
    let uploaders = (0..UPLOADERS as u64).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, ledger);
        while !done.is_cancelled() {
            uploader.complete_request().await;
        }
    });
    let mut outages = Vec::new();
    let outage_loop = async {
        let mut rng = seeded_rng(UPLOADERS as u64);
        let mut millis = |range| Duration::from_millis(rng.random_range(range));
        for _ in 0..scale().outages {
            sleep(millis(100..800)).await;
            let proxy = proxy_of(environment.shared().expect("a cluster"));
            proxy.refuse_connections().await;
            let start = Instant::now();
            sleep(millis(300..2000)).await;
            let end = Instant::now();
            proxy.accept_connections().await;
            outages.push(Outage { start, end });
            timeout(TIMEOUT, acknowledged_since(ledger, end))
                .await
                .expect("uploads go on after an outage");
        }
        done.cancel();
    };
    join(join_all(uploaders), outage_loop).await;
    environment
        .nodes
        .iter_mut()
        .for_each(|node| node.assert_alive());
    outages
}

/// Asserts that nothing was acknowledged in an outage that needs the store, and audits the rest.
async fn check_outages(
    scenario: &str,
    environment: &Environment,
    ledger: &Ledger,
    outages: &[Outage],
    needs_store: impl Fn(&Append) -> bool,
) {
    for append in ledger.appends().iter().filter(|it| needs_store(it)) {
        let overlap = |it: &&Outage| append.sent > it.start && append.answered < it.end;
        let overlap = outages.iter().find(overlap).map(|it| it.end - it.start);
        assert!(overlap.is_none(), "{append:?} in an outage of {overlap:?}");
    }
    // A commit with an unknown outcome leaves its object behind.
    let orphans = outages.len() * UPLOADERS;
    let audit = environment.audit(ledger, orphans).await;
    let counts = [("outages", outages.len() as u64)];
    report(scenario, environment.name(), &counts, ledger, &audit);
    audit.assert_sound(orphans);
}
