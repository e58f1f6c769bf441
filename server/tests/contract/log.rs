//! What the shipped binary writes down while it works.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::log_story::{Story, tell};
use test_support::fixtures::LIVE_WEBM;
use test_support::on_a_cluster;
use test_support::shipped::Shipped;

on_a_cluster! {
    no_secret_is_in_the_log_of_a_cluster_at_any_level
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_the_log_of_a_laptop_at_any_level() {
    let shipped = Shipped::logging("text").await;
    let story = tell(&shipped).await;
    let log = shipped.log();
    assert!(log.contains("DEBUG") && log.contains("INFO"), "it logs");
    assert_keeps_secrets(&log, &story);
    // To what isn't a terminal colours are noise.
    assert!(!log.contains('\u{1b}'));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_the_lines_for_programs_either_and_each_request_has_one() {
    let shipped = Shipped::logging("json").await;
    let story = tell(&shipped).await;
    let log = shipped.log();
    assert_keeps_secrets(&log, &story);
    assert_has_a_line_for_each_request(&log, &story);
}

async fn no_secret_is_in_the_log_of_a_cluster_at_any_level() {
    // What it is where nobody says: a file is no terminal.
    let shipped = Shipped::logging_in_a_cluster("auto").await;
    let story = tell(&shipped).await;
    let log = shipped.log();
    assert_keeps_secrets(&log, &story);
    assert_has_a_line_for_each_request(&log, &story);
}

/// Not as they are, nor in any way in which bytes are printed.
fn assert_keeps_secrets(log: &str, story: &Story) {
    for (what, secret) in story.secrets() {
        for (how, printed) in printed(secret) {
            let line = log.lines().find(|line| line.contains(&printed));
            assert_eq!(line, None, "{what} is in the log {how}");
        }
    }
    // Wherever the recording stands in something larger, one of three begins where a group of three does.
    for at in [300, 301, 302] {
        let recording = STANDARD.encode(&LIVE_WEBM[at..at + 90]);
        assert!(!log.contains(&recording), "the recording is in the log");
    }
}

fn printed(secret: &str) -> [(&'static str, String); 4] {
    let bytes = secret.as_bytes();
    let list = format!("{bytes:?}");
    // Without what pads it: it may stand in the middle of something longer.
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

fn assert_has_a_line_for_each_request(log: &str, story: &Story) {
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect();
    let mut told = BTreeSet::new();
    for line in &lines {
        assert!(
            line["level"].is_string() && line["timestamp"].is_string(),
            "{line}"
        );
        let of_a_request = matches!(
            line["message"].as_str(),
            Some("answered" | "cut short" | "hung up before the answer")
        );
        if of_a_request {
            let span = &line["span"];
            let route = span["route"].as_str().expect("a route");
            assert!(route == "unknown" || route.starts_with('/'), "{line}");
            assert!(
                span["method"].is_string() && line["seconds"].is_number(),
                "{line}"
            );
            assert!(line["sent"].is_number(), "{line}");
            let id = span["request_id"].as_str().expect("a request id");
            assert!(told.insert(id.to_owned()), "told twice: {line}");
        }
    }
    for (id, status, sent) in story.answers() {
        let line = lines
            .iter()
            .find(|it| it["span"]["request_id"] == **id && !it["sent"].is_null());
        let line = line.unwrap_or_else(|| panic!("no line of {id}"));
        assert_eq!(line["status"], *status, "{line}");
        assert_eq!(line["sent"], *sent, "{line}");
        assert_eq!(line["message"], "answered", "{line}");
    }
    let hung_up = |it: &&Value| it["message"] == "hung up before the answer";
    assert!(
        lines
            .iter()
            .any(|it| hung_up(&it) && it["status"].is_null())
    );
    // What is done for a request in a task of its own is said under its name, too.
    let interrupted = |it: &&Value| {
        it["message"] == "an upload broke off" && it["span"]["request_id"].is_string()
    };
    assert!(lines.iter().any(|it| interrupted(&it)), "{log}");
}
