//! Power goes, memory runs out, somebody pulls the plug: SIGKILL at any moment.

use std::time::Duration;

use futures_util::future::{join, join_all};
use rand::RngExt;
use tokio_util::sync::CancellationToken;

use super::ledger::Ledger;
use super::report::report;
use super::scale::{dice, scale};
use super::stage::{Stage, on_both_stages};
use super::uploader::Uploader;

/// People who record at the same time.
const UPLOADERS: usize = 4;

on_both_stages! {
    nothing_acknowledged_is_lost_when_a_server_is_killed
}

async fn nothing_acknowledged_is_lost_when_a_server_is_killed(mut stage: Stage) {
    let (ledger, callers) = (Ledger::default(), stage.callers());
    let over = CancellationToken::new();
    let people = (0..UPLOADERS as u64).map(async |player| {
        let mut uploader = Uploader::new(player, &callers, &callers, &ledger);
        while !over.is_cancelled() {
            uploader.answer_one().await;
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
    let counts = [("kills", kills as u64)];
    report("kills", stage.name(), &counts, &ledger, &audit);
    audit.assert_sound(orphans);
}
