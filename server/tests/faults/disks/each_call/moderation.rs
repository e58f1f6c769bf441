//! The story of an abuse: half an upload, a report of it by a person, and its takedown by the operator.

use std::path::PathBuf;
use std::time::Instant;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::VIDEO_BYTES;
use super::fixture::Fixture;
use test_support::clients::agent;
use test_support::clients::ledger::{Outcome, RecordId};
use test_support::scale::TIMEOUT;

/// Reports a request, and takes it down. Returns its take.
pub async fn tell(fixture: &Fixture, number: u64) -> RecordId {
    let mut uploader = fixture.uploader(number);
    let take = uploader.start_request().await;
    uploader.append(take, 0..VIDEO_BYTES / 2, false).await;
    let request = fixture.ledger.get(take).request;
    let report = |http: &Client, url: &str| {
        let report = http.post(format!("{url}/r/{request}/report"));
        let report = report.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        report.body("reason=fraud&text=It+asks+for+my+card.")
    };
    let reported = fixture.client.send(report).await;
    assert_eq!(reported.status(), StatusCode::OK);
    take_down(fixture, &request).await;
    fixture.ledger.record_outcome(take, Outcome::TakenDown);
    take
}

/// Takes a request down. As the error says, the command is run again until it succeeds.
async fn take_down(fixture: &Fixture, request: &str) {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let ended = fixture.operator.run(&["takedown", request]).await;
        if ended.status.success() {
            return;
        }
        assert_eq!(ended.status.code(), Some(1), "{ended:?}");
        assert!(Instant::now() < deadline, "{ended:?}");
        let printed = String::from_utf8_lossy(&ended.stderr).into_owned();
        let mut failed = fixture.failed_commands.lock().expect("not poisoned");
        failed.push(printed);
    }
}

/// Verifies that nothing of the request is left, and that the operator still has the report.
pub async fn verify(fixture: &Fixture, take: RecordId) {
    let record = fixture.ledger.get(take);
    agent::assert_gone(&fixture.client, &record).await;
    let objects = fixture.environment.objects();
    let is_its = |it: &&PathBuf| it.to_string_lossy().contains(&record.request);
    assert_eq!(objects.iter().find(is_its), None, "bytes are left");
    let operator = fixture.environment.operator();
    let listed = operator.run(&["reports", "--json"]).await;
    assert!(listed.status.success(), "{listed:?}");
    let reports: Vec<Value> = serde_json::from_slice(&listed.stdout).expect("a list");
    let mut reports = reports.iter().filter(|it| it["request"] == record.request);
    let report = reports.next().expect("the report that was acknowledged");
    assert_eq!(report["text"], "It asks for my card.");
    assert_eq!(report["request_status"], "taken_down");
    // One whose answer failed may have been stored, and was sent again.
    assert!(reports.count() <= 1, "more than two reports");
}
