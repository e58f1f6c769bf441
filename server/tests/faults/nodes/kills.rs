//! SIGKILL at random moments, as a power failure or an out-of-memory killer would.

use std::time::Duration;

use futures_util::future::{join, join_all};
use rand::RngExt;
use rand::seq::IndexedRandom;
use tokio_util::sync::CancellationToken;

use crate::environment::{Environment, on_each_storage};
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome};
use test_support::clients::uploader::Uploader;
use test_support::scale::{scale, seeded_rng};

/// How a request is removed before it expires.
#[derive(Clone, Copy)]
enum Removal {
    Deletion,
    Takedown,
}

/// Concurrent uploaders.
const UPLOADERS: usize = 4;

on_each_storage! {
    acknowledged_uploads_and_deletions_survive_sigkill
}

async fn acknowledged_uploads_and_deletions_survive_sigkill(mut environment: Environment) {
    let (ledger, client, operator) = (
        Ledger::default(),
        environment.client(),
        environment.operator(),
    );
    let done = CancellationToken::new();
    let uploaders = (0..UPLOADERS).map(async |number| {
        let mut uploader = Uploader::new(number as u64, &client, &client, &ledger);
        let removals = [Removal::Deletion, Removal::Takedown];
        // The first one for certain: a short run may end with it.
        let mut removal = Some(removals[number % removals.len()]);
        loop {
            let record_id = uploader.complete_request().await;
            match removal {
                Some(Removal::Deletion) => uploader.delete_request(record_id).await,
                Some(Removal::Takedown) => {
                    let kill_after = uploader.rng.random_range(1..200);
                    let record = ledger.get(record_id);
                    let kill_after = Duration::from_millis(kill_after);
                    operator.take_down(&record.request, kill_after).await;
                    ledger.record_outcome(record_id, Outcome::TakenDown);
                    agent::assert_gone(&client, &ledger.get(record_id)).await;
                }
                None => {}
            }
            if done.is_cancelled() {
                break;
            }
            let remove = uploader.rng.random();
            removal = removals
                .choose(&mut uploader.rng)
                .copied()
                .filter(|_| remove);
        }
    });
    let kills = match environment.nodes.len() {
        1 => scale().sqlite_kills,
        _ => scale().postgres_s3_kills,
    };
    let kill_loop = async {
        let mut rng = seeded_rng(UPLOADERS as u64);
        for _ in 0..kills {
            // Some lives are long enough for slow bodies to be stored by timeout.
            let kill_after = match rng.random_ratio(1, 5) {
                true => 2000..3000,
                false => 20..500,
            };
            tokio::time::sleep(Duration::from_millis(rng.random_range(kill_after))).await;
            let victim = rng.random_range(0..environment.nodes.len());
            environment.nodes[victim].assert_alive();
            environment.nodes[victim].restart().await;
        }
        done.cancel();
    };
    join(join_all(uploaders), kill_loop).await;

    // Each kill may leave one object of each uploader without its row.
    let orphans = kills * UPLOADERS;
    let audit = environment.audit(&ledger, orphans).await;
    agent::verify_outcomes(&client, &ledger).await;
    let counts = [
        ("kills", kills as u64),
        ("deleted", ledger.count(Outcome::Deleted)),
        ("taken down", ledger.count(Outcome::TakenDown)),
    ];
    report("kills", environment.name(), &counts, &ledger, &audit);
    assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
    audit.assert_sound(orphans);
}
