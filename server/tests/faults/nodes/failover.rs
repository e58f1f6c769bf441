//! The primary of a replicated database dies, and its standby takes over while clients upload.

use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::acknowledged_since;
use crate::environment::Environment;
use crate::environment::replicated_postgres::ReplicatedPostgres;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::Ledger;
use test_support::clients::uploader::Uploader;
use test_support::on_postgres_s3;
use test_support::scale::{TIMEOUT, scale, seeded_rng};

on_postgres_s3! {
    uploads_and_deletions_survive_a_failover_of_the_database
}

/// Concurrent uploaders.
const UPLOADERS: usize = 4;

async fn uploads_and_deletions_survive_a_failover_of_the_database() {
    let starting = tokio::task::spawn_blocking(ReplicatedPostgres::start);
    let mut postgres = starting.await.expect("a primary with a standby");
    let mut environment = Environment::on_database(postgres.url()).await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let done = CancellationToken::new();
    let uploaders = (0..UPLOADERS as u64).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, &ledger);
        uploader.record_until(&done, 3).await;
    });
    let failovers = scale().failovers;
    let failover_loop = async {
        let mut rng = seeded_rng(UPLOADERS as u64);
        for _ in 0..failovers {
            let before = Duration::from_millis(rng.random_range(500..2000));
            sleep(before).await;
            postgres = blocking(postgres, |it| {
                it.kill_primary();
                it.promote_standby();
            })
            .await;
            let promoted = Instant::now();
            timeout(TIMEOUT, acknowledged_since(&ledger, promoted))
                .await
                .expect("uploads go on after a failover");
            // What is acknowledged meanwhile waits for the new standby.
            postgres = blocking(postgres, ReplicatedPostgres::add_standby).await;
        }
        done.cancel();
        // The clusters run on, for what the uploaders have begun.
        postgres
    };
    let (_, _postgres) = join(join_all(uploaders), failover_loop).await;
    environment
        .nodes
        .iter_mut()
        .for_each(|node| node.assert_alive());

    // A commit with an unknown outcome leaves its object behind.
    let orphans = failovers * UPLOADERS;
    let audit = environment.audit(&ledger, orphans).await;
    agent::verify_outcomes(&client, &ledger).await;
    let counts = [
        ("failovers", failovers as u64),
        ("removed", audit.removed as u64),
    ];
    report("failovers", environment.name(), &counts, &ledger, &audit);
    assert!(audit.removed > 0, "nothing was removed");
    audit.assert_sound(orphans);
}

/// Works with the clusters on a thread of its own, while the clients go on.
async fn blocking(
    mut postgres: ReplicatedPostgres,
    work: impl FnOnce(&mut ReplicatedPostgres) + Send + 'static,
) -> ReplicatedPostgres {
    let working = tokio::task::spawn_blocking(move || {
        work(&mut postgres);
        postgres
    });
    working.await.expect("a working cluster")
}
