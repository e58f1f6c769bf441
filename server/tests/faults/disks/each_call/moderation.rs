//! The story of an abuse: half an upload, a report of it by a person, and its takedown by the operator.

use std::path::PathBuf;
use std::time::Instant;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::fixture::Fixture;
use super::{FAILURES_BEFORE_ROOM, VIDEO_BYTES};
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
    // One whose answer failed may have been stored, and was sent again.
    let open = open_reports(fixture, &request).await;
    assert!(
        (1..=FAILURES_BEFORE_ROOM + 1).contains(&open),
        "{open} reports"
    );
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

/// Verifies that nothing of the request is left, nor a report that the operator would still have to look at.
pub async fn verify(fixture: &Fixture, take: RecordId) {
    let record = fixture.ledger.get(take);
    agent::assert_gone(&fixture.client, &record).await;
    let objects = fixture.environment.objects();
    let is_its = |it: &&PathBuf| it.to_string_lossy().contains(&record.request);
    assert_eq!(objects.iter().find(is_its), None, "bytes are left");
    assert_eq!(
        open_reports(fixture, &record.request).await,
        0,
        "it stays open"
    );
}

/// How many reports of a request the operator sees.
async fn open_reports(fixture: &Fixture, request: &str) -> usize {
    let operator = fixture.environment.operator();
    let listed = operator.run(&["reports", "--json"]).await;
    assert!(listed.status.success(), "{listed:?}");
    let reports: Vec<Value> = serde_json::from_slice(&listed.stdout).expect("a list");
    let of_it = reports.iter().filter(|it| it["request"] == request);
    of_it.count()
}
