//! What is acknowledged outlives power cuts.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{join, join_all, join3};
use rand::RngExt;
use rand::rngs::StdRng;
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

/// How long any call takes on the machine, which is slow.
/// Each third time it has that, or some would never be answered.
const MAX_CALL: Duration = Duration::from_secs(3);

/// How often one installation loses its power.
/// Each has a report of its own, so a long run that is ended early has shown something too.
const CUTS_OF_ONE: usize = 25;

/// Bytes of a take that is discarded.
const DISCARDED_BYTES: u64 = 100_000;

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
    let (ledger, mut rng) = (Ledger::default(), seeded_rng(UPLOADERS));
    let used = use_and_cut(&mut installation, &ledger, &mut rng, cuts);
    let used = AssertUnwindSafe(used).catch_unwind().await;
    let (lost_blocks, discarded) = match used {
        Ok(used) => used,
        Err(panic) => {
            // What a client waits for in vain may be what a cut has lost, and the check says so.
            installation.cut_power(&mut rng).await;
            installation.check().await;
            resume_unwind(panic)
        }
    };
    let mut audit = installation.audit(&ledger).await;
    let is_back = |key: &&String| discarded.iter().any(|it| key.starts_with(it.as_str()));
    let back: Vec<String> = audit.orphans.iter().filter(is_back).cloned().collect();
    audit.leftovers.extend(back);
    let counts = [
        ("power cuts", cuts as u64 + 2),
        ("blocks that lost writes", lost_blocks as u64),
        ("removed", audit.removed as u64),
        ("discarded", discarded.len() as u64),
    ];
    report("power cuts", stores, &counts, &ledger, &audit);
    assert!(
        audit.takes > 0 && !ledger.appends().is_empty(),
        "nothing was acknowledged"
    );
    audit.assert_sound(usize::MAX);
}

/// Cuts the power so many times while people upload, and once after each way to remove.
/// Returns how many blocks have lost writes, and the prefixes of the keys that takes had whose discards were
/// acknowledged.
async fn use_and_cut(
    installation: &mut Installation,
    ledger: &Ledger,
    rng: &mut StdRng,
    cuts: usize,
) -> (usize, Vec<String>) {
    installation.turn_on().await;
    // Its connections break with the machine; those to the machine itself would wait for it.
    let proxy = Proxy::to(installation.address()).await;
    let client = RetryingClient::patient([format!("http://{}", proxy.address())], RETRY_FOR);
    let key = fetch_receipt_key(&client).await;
    let done = CancellationToken::new();
    let uploaders = (0..UPLOADERS).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, ledger);
        uploader.record_until(&done, 3).await;
    });
    let mut remover = Uploader::new(UPLOADERS + 1, &client, &client, ledger);
    let discards = async {
        let mut discarded = Vec::new();
        while !done.is_cancelled() {
            discarded.extend(discard_take(&mut remover).await);
        }
        discarded
    };
    let mut lost_blocks = 0;
    let cut_loop = async {
        for cut in 1..=cuts {
            let mut on = Duration::from_millis(rng.random_range(100..1500));
            if cut.is_multiple_of(3) {
                on += MAX_CALL;
            }
            join(tokio::time::sleep(on), next_acknowledgement(ledger)).await;
            lost_blocks += turn_off_and_on(installation, &proxy, rng).await;
        }
        next_acknowledgement(ledger).await;
        done.cancel();
    };
    let (_, mut discarded, ()) = join3(join_all(uploaders), discards, cut_loop).await;
    assert_eq!(fetch_receipt_key(&client).await, key, "another key");
    agent::verify_outcomes(&client, ledger).await;
    // Now nothing else is synced, which could make a removal durable.
    let record_id = remover.complete_request().await;
    remover.delete_request(record_id).await;
    lost_blocks += turn_off_and_on(installation, &proxy, rng).await;
    discarded.extend(discard_take(&mut remover).await);
    lost_blocks += installation.cut_power(rng).await;
    (lost_blocks, discarded)
}

/// Cuts the power, and turns the machine on again. Returns how many blocks have lost writes.
async fn turn_off_and_on(
    installation: &mut Installation,
    proxy: &Proxy,
    rng: &mut StdRng,
) -> usize {
    let lost_blocks = installation.cut_power(rng).await;
    // Only now: what was acknowledged until then counts.
    proxy.refuse_connections().await;
    installation.turn_on().await;
    proxy.accept_connections().await;
    lost_blocks
}

/// Uploads a take and discards it. Returns the prefix of its objects' keys if they are gone.
///
/// `None`: an earlier attempt, whose answer was lost, may have deleted the rows alone. Then the objects are orphans.
async fn discard_take(uploader: &mut Uploader<'_>) -> Option<String> {
    let record_id = uploader.start_request().await;
    // Whatever comes of it.
    uploader.append(record_id, 0..DISCARDED_BYTES, false).await;
    let record = uploader.ledger.get(record_id);
    let discard = |http: &Client, url: &str| http.delete(format!("{url}{}", record.take));
    let status = uploader.page.send(discard).await.status();
    let done = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&status);
    assert!(done, "{status}: {record:?}");
    uploader
        .ledger
        .record_outcome(record_id, Outcome::Discarded);
    let (_, take) = record.take.rsplit_once('/').expect("a path");
    (status == StatusCode::NO_CONTENT).then(|| format!("{}/{take}/", record.request))
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
