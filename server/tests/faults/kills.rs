//! Power goes, memory runs out, somebody pulls the plug: SIGKILL at any moment.

use std::time::Duration;

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio_util::sync::CancellationToken;

use super::report::report;
use super::stage::{Stage, on_both_stages};
use test_support::agent;
use test_support::ledger::{Fate, Ledger};
use test_support::scale::{dice, scale};
use test_support::uploader::Uploader;

/// People who record at the same time.
const UPLOADERS: usize = 4;

on_both_stages! {
    what_was_acknowledged_outlives_kills_and_what_was_removed_does_not
}

async fn what_was_acknowledged_outlives_kills_and_what_was_removed_does_not(mut stage: Stage) {
    let (ledger, callers, operator) = (Ledger::default(), stage.callers(), stage.operator());
    let over = CancellationToken::new();
    let people = (0..UPLOADERS as u64).map(async |player| {
        let mut uploader = Uploader::new(player, &callers, &callers, &ledger);
        while !over.is_cancelled() {
            let entry = uploader.answer_one().await;
            match uploader.dice.random_range(0..6) {
                0 | 1 => uploader.delete_request(entry).await,
                2 => {
                    let life = uploader.dice.random_range(1..200);
                    let record = ledger.get(entry);
                    let life = Duration::from_millis(life);
                    operator.take_down(&record.request, life).await;
                    ledger.ended(entry, Fate::TakenDown);
                    agent::is_gone(&callers, &ledger.get(entry)).await;
                }
                _ => {}
            }
        }
    });
    let kills = match stage.nodes.len() {
        1 => scale().laptop_kills,
        _ => scale().cluster_kills,
    };
    let killing = async {
        let mut dice = dice(UPLOADERS as u64);
        for _ in 0..kills {
            // Some lives are so long that slow bodies become durable by time.
            let life = match dice.random_ratio(1, 5) {
                true => 2000..3000,
                false => 20..500,
            };
            tokio::time::sleep(Duration::from_millis(dice.random_range(life))).await;
            let victim = dice.random_range(0..stage.nodes.len());
            stage.nodes[victim].assert_alive();
            stage.nodes[victim].restart().await;
        }
        over.cancel();
    };
    join(join_all(people), killing).await;

    // Each kill may catch each of them between the bytes and their row.
    let orphans = kills * UPLOADERS;
    let audit = stage.audit(&ledger, orphans).await;
    for record in ledger.records() {
        if [Fate::Deleted, Fate::TakenDown].contains(&record.fate) {
            agent::is_gone(&callers, &record).await;
        }
    }
    let counts = [("kills", kills as u64), ("removed", audit.removed as u64)];
    assert!(audit.removed > 0, "nothing was removed");
    report("kills", stage.name(), &counts, &ledger, &audit);
    audit.assert_sound(orphans);
}
