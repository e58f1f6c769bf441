//! What is acknowledged outlives power cuts.

use std::time::Duration;

use futures_util::future::{join, join_all};
use rand::RngExt;
use reqwest::{Client, StatusCode};
use tokio_util::sync::CancellationToken;

use super::installation::Installation;
use super::machine::FileSystem;
use crate::environment::proxy::Proxy;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;
use test_support::scale::{scale, seeded_rng};
use test_support::{on_postgres_s3, wait_until};

/// Concurrent uploaders.
const UPLOADERS: u64 = 4;

/// How long any call takes on the machine, which is slow. Each third time it has that, or some would never be answered.
const MAX_CALL: Duration = Duration::from_secs(3);

/// How often one installation loses its power. Each has a report of its own, so a long run that is ended early has shown
/// something too.
const CUTS_OF_ONE: usize = 25;

/// For one call: on a busy machine a boot takes many times longer than a life, and some calls need a long one.
const RETRY_FOR: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_data_survives_power_cuts_on_ext4() {
    let install = async || Installation::sqlite(FileSystem("ext4")).await;
    survive_power_cuts("ext4", install, scale().power_cuts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_data_survives_power_cuts_on_xfs() {
    let install = async || Installation::sqlite(FileSystem("xfs")).await;
    survive_power_cuts("xfs", install, scale().power_cuts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_data_survives_power_cuts_on_btrfs() {
    let install = async || Installation::sqlite(FileSystem("btrfs")).await;
    survive_power_cuts("btrfs", install, scale().power_cuts).await;
}

on_postgres_s3! {
    acknowledged_data_survives_power_cuts_of_postgresql
}

async fn acknowledged_data_survives_power_cuts_of_postgresql() {
    let install = async || Installation::postgres_s3(FileSystem("ext4")).await;
    survive_power_cuts("PostgreSQL, S3", install, scale().postgres_power_cuts).await;
}

/// Cuts the power so many times in all, of one installation after the other.
async fn survive_power_cuts(stores: &str, install: impl AsyncFn() -> Installation, cuts: usize) {
    let mut left = cuts;
    while left > 0 {
        let cuts = left.min(CUTS_OF_ONE);
        survives_power_cuts(stores, install().await, cuts).await;
        left -= cuts;
    }
}

async fn survives_power_cuts(stores: &str, mut installation: Installation, cuts: usize) {
    installation.turn_on().await;
    // Its connections break with the machine; those to the machine itself would wait for it.
    let proxy = Proxy::to(installation.address()).await;
    let client = RetryingClient::patient([format!("http://{}", proxy.address())], RETRY_FOR);
    let key = fetch_receipt_key(&client).await;
    let (ledger, done) = (Ledger::default(), CancellationToken::new());
    let uploaders = (0..UPLOADERS).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, &ledger);
        uploader.record_until(&done, 3).await;
    });
    let mut rng = seeded_rng(UPLOADERS);
    let mut lost_blocks = 0;
    let cut_loop = async {
        for cut in 1..=cuts {
            let mut on = Duration::from_millis(rng.random_range(100..1500));
            if cut.is_multiple_of(3) {
                on += MAX_CALL;
            }
            join(tokio::time::sleep(on), next_acknowledgement(&ledger)).await;
            lost_blocks += installation.cut_power(&mut rng).await;
            // Only now: what was acknowledged until then counts.
            proxy.refuse_connections().await;
            installation.turn_on().await;
            proxy.accept_connections().await;
        }
        next_acknowledgement(&ledger).await;
        done.cancel();
    };
    join(join_all(uploaders), cut_loop).await;
    assert_eq!(fetch_receipt_key(&client).await, key, "another key");
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
    lost_blocks += installation.cut_power(&mut rng).await;
    let mut audit = installation.audit(&ledger).await;
    // The last cut came while the server removed objects; it goes on with that when it starts. Rows must be gone.
    audit.leftovers.retain(|it| !it.starts_with("0 chunks"));
    let counts = [
        ("power cuts", cuts as u64 + 1),
        ("blocks that lost writes", lost_blocks as u64),
        ("removed", removed.len() as u64),
    ];
    report("power cuts", stores, &counts, &ledger, &audit);
    assert!(
        audit.takes > 0 && !ledger.appends().is_empty(),
        "nothing was acknowledged"
    );
    audit.assert_sound(usize::MAX);
}

/// Fetches the public half of the key of receipts, which the first start makes.
async fn fetch_receipt_key(client: &RetryingClient) -> String {
    let fetch = |http: &Client, url: &str| http.get(format!("{url}/.well-known/jwks.json"));
    let answer = client.send(fetch).await;
    assert_eq!(answer.status(), StatusCode::OK);
    answer.text().await.expect("a body")
}

/// Waits until a further append is acknowledged: a machine that is too slow to do anything between two cuts proves
/// nothing.
async fn next_acknowledgement(ledger: &Ledger) {
    let before = ledger.appends().len();
    wait_until(async || ledger.appends().len() > before).await;
}
