//! What is acknowledged outlives power cuts.

use std::time::Duration;

use futures_util::future::{join, join_all};
use rand::RngExt;
use server::db::Db;
use tokio_util::sync::CancellationToken;

use super::machine::{FileSystem, Machine};
use crate::audit::Audit;
use crate::environment::proxy::Proxy;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;
use test_support::scale::{scale, seeded_rng};
use test_support::stores::bucket::files;

/// Concurrent uploaders.
const UPLOADERS: u64 = 4;

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_data_survives_power_cuts_on_ext4() {
    survives_power_cuts(FileSystem("ext4")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_data_survives_power_cuts_on_xfs() {
    survives_power_cuts(FileSystem("xfs")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_data_survives_power_cuts_on_btrfs() {
    survives_power_cuts(FileSystem("btrfs")).await;
}

async fn survives_power_cuts(file_system: FileSystem) {
    let mut machine = Machine::new(file_system);
    machine.turn_on().await;
    // Its connections break with the machine; those to the machine itself would wait for it.
    let proxy = Proxy::to(machine.address()).await;
    let client = RetryingClient::new([format!("http://{}", proxy.address())]);
    let (ledger, done) = (Ledger::default(), CancellationToken::new());
    let uploaders = (0..UPLOADERS).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, &ledger);
        while !done.is_cancelled() {
            let record_id = uploader.complete_request().await;
            if uploader.rng.random_ratio(1, 3) {
                uploader.delete_request(record_id).await;
            }
        }
    });
    let cuts = scale().power_cuts;
    let cut_loop = async {
        let mut rng = seeded_rng(UPLOADERS);
        for _ in 0..cuts {
            let on = Duration::from_millis(rng.random_range(100..1500));
            tokio::time::sleep(on).await;
            machine.cut_power();
            // Only now: what was acknowledged until then counts.
            proxy.refuse_connections().await;
            machine.turn_on().await;
            proxy.accept_connections().await;
        }
        done.cancel();
    };
    join(join_all(uploaders), cut_loop).await;
    // Again, after the cuts: its uploader saw each of them only before the next one.
    for record in ledger.records() {
        if record.outcome == Outcome::Submitted {
            agent::verify_video(&client, &record).await;
        }
    }
    let removed = |outcome| [Outcome::Deleted, Outcome::TakenDown].contains(&outcome);
    let removed: Vec<_> = ledger
        .records()
        .into_iter()
        .filter(|it| removed(it.outcome))
        .collect();
    for record in &removed {
        agent::assert_gone(&client, record).await;
    }
    machine.cut_power();

    let data = machine.copy_checked_data().await;
    let db = Db::open_sqlite(&data.join("vidence.db"))
        .await
        .expect("a database");
    let mut audit = Audit::run(&db, files(&data.join("blobs")), &ledger).await;
    // The last cut came while the server removed them; it goes on with that when it starts.
    audit.leftovers.clear();
    let counts = [
        ("power cuts", cuts as u64),
        ("removed", removed.len() as u64),
    ];
    report("power cuts", file_system.0, &counts, &ledger, &audit);
    assert!(
        audit.takes > 0 && !ledger.appends().is_empty(),
        "nothing was acknowledged"
    );
    audit.assert_sound(usize::MAX);
}
