//! The log of the release binary: no secrets, one line for each request.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::log_scenario::{Scenario, run_scenario};
use test_support::on_postgres_s3;
use test_support::recordings::fixtures::LIVE_WEBM;
use test_support::servers::release_server::ReleaseServer;
use test_support::wait_until;

on_postgres_s3! {
    no_secret_is_logged_at_any_level_on_postgres_and_s3
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_logged_at_any_level_on_sqlite() {
    let server = ReleaseServer::logging("text").await;
    let scenario = run_scenario(&server).await;
    let log = log_so_far(&server).await;
    assert!(log.contains("DEBUG") && log.contains("INFO"), "it logs");
    assert_no_secrets(&log, &scenario);
    // Colours only on a terminal.
    assert!(!log.contains('\u{1b}'));
}

#[tokio::test(flavor = "multi_thread")]
async fn json_logs_hold_no_secret_and_one_line_for_each_request() {
    let server = ReleaseServer::logging("json").await;
    let scenario = run_scenario(&server).await;
    let log = log_so_far(&server).await;
    assert_no_secrets(&log, &scenario);
    assert_one_line_per_request(&log, &scenario);
}

async fn no_secret_is_logged_at_any_level_on_postgres_and_s3() {
    // JSON, as the output is no terminal.
    let server = ReleaseServer::logging_on_postgres_s3("auto").await;
    let scenario = run_scenario(&server).await;
    let log = log_so_far(&server).await;
    assert_no_secrets(&log, &scenario);
    assert_one_line_per_request(&log, &scenario);
}

/// The log, once it has the lines of the transcriber's failure and of one more request: lines are gathered for a moment
/// before they are written.
async fn log_so_far(server: &ReleaseServer) -> String {
    let answer = reqwest::get(server.openapi_url()).await.expect("an answer");
    let id = answer.headers()["x-request-id"]
        .to_str()
        .expect("ASCII")
        .to_owned();
    answer.bytes().await.expect("a document");
    let is_last = |line: &str| line.contains(&id) && line.contains("sent_bytes");
    wait_until(async || server.log().lines().any(is_last)).await;
    wait_until(async || server.log().contains("the transcriber can't be reached")).await;
    server.log()
}

/// Asserts that no secret is in the log, in any common encoding of bytes.
fn assert_no_secrets(log: &str, scenario: &Scenario) {
    for (what, secret) in scenario.secrets() {
        for (how, encoded) in encodings(secret) {
            let line = log.lines().find(|line| line.contains(&encoded));
            assert_eq!(line, None, "{what} is in the log {how}");
        }
    }
    // Base64 encodes groups of three bytes: of three consecutive offsets, one is aligned with any larger text.
    for at in [300, 301, 302] {
        let recording = STANDARD.encode(&LIVE_WEBM[at..at + 90]);
        assert!(!log.contains(&recording), "the recording is in the log");
    }
}

fn encodings(secret: &str) -> [(&'static str, String); 4] {
    let bytes = secret.as_bytes();
    let list = format!("{bytes:?}");
    // Whole groups of three bytes alone: the rest depends on what follows.
    let base64 = STANDARD.encode(&bytes[..bytes.len() / 3 * 3]);
    [
        ("as it is", secret.to_owned()),
        (
            "as a list of bytes",
            list.trim_matches(['[', ']']).to_owned(),
        ),
        (
            "in hexadecimal",
            bytes.iter().map(|it| format!("{it:02x}")).collect(),
        ),
        ("in base64", base64),
    ]
}

fn assert_one_line_per_request(log: &str, scenario: &Scenario) {
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect();
    let mut logged = BTreeSet::new();
    for line in &lines {
        assert!(
            line["level"].is_string() && line["timestamp"].is_string(),
            "{line}"
        );
        let of_a_request = matches!(
            line["message"].as_str(),
            Some("completed" | "aborted" | "client disconnected")
        );
        if of_a_request {
            let http = &line["http"];
            let route = http["route"].as_str().expect("a route");
            assert!(route == "unknown" || route.starts_with('/'), "{line}");
            assert!(
                http["method"].is_string() && line["duration_ms"].is_number(),
                "{line}"
            );
            assert!(line["sent_bytes"].is_number(), "{line}");
            let id = http["request_id"].as_str().expect("a request id");
            assert!(logged.insert(id.to_owned()), "logged twice: {line}");
        }
    }
    for (id, status, sent) in scenario.answers() {
        let line = lines
            .iter()
            .find(|it| it["http"]["request_id"] == **id && !it["sent_bytes"].is_null());
        let line = line.unwrap_or_else(|| panic!("no line of {id}"));
        assert_eq!(line["status"], *status, "{line}");
        assert_eq!(line["sent_bytes"], *sent, "{line}");
        assert_eq!(line["message"], "completed", "{line}");
    }
    let hung_up = |it: &&Value| it["message"] == "client disconnected";
    assert!(
        lines
            .iter()
            .any(|it| hung_up(&it) && it["status"].is_null())
    );
    // A task that a request has spawned logs for that request.
    let interrupted = |it: &&Value| {
        it["message"] == "the client disconnected during an upload"
            && it["http"]["request_id"].is_string()
    };
    assert!(lines.iter().any(|it| interrupted(&it)), "{log}");
}
