//! A disk that goes read-only, as Linux makes it when a file system has failed, and is repaired while the server runs.

use std::time::{Duration, Instant};

use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response, StatusCode};
use rustix::io::Errno;
use serde_json::{Value, json};
use tokio::time::interval;

use crate::environment::Environment;
use crate::environment::failing_disk::FailingDisk;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome};
use test_support::clients::retrying_client::http_client;
use test_support::clients::upload_status::AppendResult;
use test_support::clients::uploader::Uploader;
use test_support::scale::TIMEOUT;

/// Bytes of each append.
const APPEND_BYTES: u64 = 100_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_disk_serves_videos_refuses_writes_and_recovers() {
    let disk = FailingDisk::new();
    let mut environment = Environment::sqlite_on_failing_disk(&disk).await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let url = environment.nodes[0].url();
    let mut uploader = Uploader::new(0, &client, &client, &ledger);
    uploader.profile.slow_one_in = u32::MAX;
    let video = uploader.complete_request().await;
    let take = uploader.start_request().await;
    let append = uploader.append(take, 0..APPEND_BYTES, false).await;
    assert!(
        matches!(append, AppendResult::Acknowledged(_)),
        "{append:?}"
    );

    disk.fail_from(1, Errno::ROFS);
    let parts = ["database", "blobs"];
    wait_until_readiness_is(&url, json!({ "status": "read_only", "read_only": parts })).await;
    agent::verify_video(&client, &ledger.get(video)).await;

    let record = ledger.get(take);
    let refused = uploader
        .append(take, APPEND_BYTES..2 * APPEND_BYTES, true)
        .await;
    let failed = Some(StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        matches!(refused, AppendResult::Unknown(status) if status == failed),
        "{refused:?}"
    );
    let status = uploader.fetch_status_once(take).await;
    assert_eq!(status.expect("an answer").offset, APPEND_BYTES);
    let prompt = json!({ "prompt": "Show the dent.", "expires_in_hours": 24 });
    let create = |http: &Client, url: &str| http.post(format!("{url}/v1/requests")).json(&prompt);
    assert_refused(client.send_once(create).await.expect("an answer")).await;
    let begin = |http: &Client, url: &str| {
        let begin = http.post(format!("{url}/r/{}/takes", record.request));
        begin.header("Upload-Complete", "?0")
    };
    assert_refused(client.send_once(begin).await.expect("an answer")).await;
    let deletion = agent::delete(&client, &record).await;
    assert_refused(deletion.expect("an answer")).await;
    environment.nodes[0].assert_alive();

    disk.heal();
    wait_until_readiness_is(&url, json!({ "status": "ready" })).await;
    // The upload goes on where it stood.
    let append = uploader
        .append(take, APPEND_BYTES..2 * APPEND_BYTES, true)
        .await;
    assert!(
        matches!(append, AppendResult::Acknowledged(it) if it.complete),
        "{append:?}"
    );
    uploader.submit(take).await;
    agent::verify_video(&client, &ledger.get(take)).await;
    uploader.delete_request(video).await;
    assert_eq!(ledger.get(video).outcome, Outcome::Deleted);

    environment.nodes[0].restart().await;
    let audit = environment.audit(&ledger, 1).await;
    let refusals = client.failures().len() as u64;
    let counts = [("refusals", refusals)];
    report(
        "read-only disk",
        environment.name(),
        &counts,
        &ledger,
        &audit,
    );
    audit.assert_sound(1);
}

/// Asserts that an answer tells when to try again.
async fn assert_refused(answer: Response) {
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(answer.headers()[RETRY_AFTER], "60");
    let body: Value = answer.json().await.expect("the envelope");
    assert_eq!(body["error"]["code"], "internal_error");
}

/// Waits until `/readyz` answers 200 with this body. It remembers its answer for a second.
async fn wait_until_readiness_is(url: &str, want: Value) {
    let (http, deadline) = (http_client(), Instant::now() + TIMEOUT);
    let mut ticks = interval(Duration::from_millis(20));
    loop {
        ticks.tick().await;
        let answer = http.get(format!("{url}/readyz")).send().await;
        let answer = answer.expect("an answer");
        let status = answer.status();
        let body: Value = answer.json().await.expect("JSON");
        if body == want {
            assert_eq!(status, StatusCode::OK);
            return;
        }
        assert!(Instant::now() < deadline, "{status} {body}");
    }
}
