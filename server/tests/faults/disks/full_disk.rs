//! A full disk: a small one of its own, with all storage limits off.

use rand::RngExt;
use reqwest::StatusCode;

use crate::environment::Environment;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome, RecordId};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::upload_status::AppendResult;
use test_support::clients::uploader::Uploader;
use test_support::scale::scale;

/// Size of the disk, which also holds the database.
const DISK_SIZE: &str = "24m";

/// Bytes of the first video, which fits.
const FIRST_VIDEO_BYTES: u64 = 8_000_000;

/// Refusals in a row before space is freed.
const REFUSALS_IN_A_ROW: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_507_and_loses_nothing() {
    let mut environment = Environment::sqlite_on_small_disk(DISK_SIZE).await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let mut uploader = Uploader::new(0, &client, &client, &ledger);
    uploader.profile.slow_one_in = u32::MAX;

    let mut older = uploader.start_request().await;
    append(&mut uploader, older, FIRST_VIDEO_BYTES).await;
    uploader.complete(older).await;
    uploader.submit(older).await;

    let mut refusals = 0;
    while refusals < scale().full_disk_refusals {
        let take = uploader.start_request().await;
        let until = refusals + REFUSALS_IN_A_ROW;
        while refusals < until {
            let length = uploader.rng.random_range(50_000..800_000);
            refusals += usize::from(!append(&mut uploader, take, length).await);
        }
        free_space(&client, &ledger, older).await;
        let stored = append(&mut uploader, take, 1_000_000).await;
        assert!(stored, "refused after space was freed");
        uploader.complete(take).await;
        uploader.submit(take).await;
        agent::verify_video(&client, &ledger.get(take)).await;
        older = take;
    }
    environment.nodes[0].assert_alive();

    // An object may fit when its row doesn't.
    let orphans = refusals;
    environment.copy_data_out();
    let audit = environment.audit(&ledger, orphans).await;
    let counts = [("refusals", refusals as u64)];
    report("full disk", environment.name(), &counts, &ledger, &audit);
    audit.assert_sound(orphans);
}

/// On a disk without free inodes there is room for bytes, but not for the take's folder.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_without_inodes_is_507_for_a_new_take() {
    let environment = Environment::sqlite_on_small_disk("24m,nr_inodes=60").await;
    let client = environment.client();
    let request = agent::create(&client).await;
    let path = format!("/r/{}/takes", request.id);
    for _ in 0..100 {
        let create = client.send_once(|http, url| {
            let create = http.post(format!("{url}{path}"));
            create.header("Upload-Complete", "?0")
        });
        match create.await.expect("an answer").status() {
            StatusCode::CREATED => {}
            StatusCode::INSUFFICIENT_STORAGE => return,
            status => panic!("not the answer to a full disk: {status}"),
        }
    }
    panic!("the disk was never full");
}

/// Appends this many bytes. `false` if the server refused it with nothing changed.
async fn append(uploader: &mut Uploader<'_>, take: RecordId, length: u64) -> bool {
    let before = uploader.ledger.get(take).acknowledged;
    match uploader.append(take, before..before + length, false).await {
        AppendResult::Acknowledged(_) => true,
        AppendResult::Unknown(Some(StatusCode::INSUFFICIENT_STORAGE)) => {
            let status = uploader.fetch_status_once(take).await.expect("an answer");
            assert_eq!((status.offset, status.complete), (before, false));
            false
        }
        sent => panic!("not the answer to a full disk: {sent:?}"),
    }
}

/// Deletes an older video after verifying it. Works without a single free page, too.
async fn free_space(client: &RetryingClient, ledger: &Ledger, older: RecordId) {
    let record = ledger.get(older);
    agent::verify_video(client, &record).await;
    let answer = agent::delete(client, &record).await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    ledger.record_outcome(older, Outcome::Deleted);
}
