//! What Redocly CLI, Spectral and tdqs say of our descriptions: the first two of the interface, the last one of
//! the agents' tools.
//!
//! None of them reaches the network. `spectral.yaml` says which rule is off, and why.

use std::fs;
use std::path::{Path, PathBuf};

use reqwest::header::ACCEPT;
use serde_json::{Value, json};

use crate::TOOLS;
use test_support::callers::client;
use test_support::shipped::Shipped;
use test_support::tools::run;

/// The description of the interface, as a server serves it: `integration/openapi.rs` compares them.
fn interface() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json")
}

#[tokio::test]
async fn the_description_of_the_interface_breaks_no_rule_of_redocly() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut redocly = TOOLS.node("redocly");
    redocly
        .arg("lint")
        .arg(interface())
        // Its recommended rules; what is a warning by those is an error by these.
        .args(["--extends", "recommended-strict"])
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    run(&mut redocly, folder.path()).await;
}

#[tokio::test]
async fn the_description_of_the_interface_breaks_no_rule_of_spectral() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut spectral = TOOLS.node("spectral");
    spectral
        .arg("lint")
        .arg(interface())
        .arg("--ruleset")
        .arg(TOOLS.file("spectral.yaml"))
        // Else it fails for errors alone, and takes a file that isn't there for a clean one.
        .args(["--fail-severity", "hint", "--fail-on-unmatched-globs"]);
    run(&mut spectral, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_descriptions_of_the_tools_break_no_rule_of_tdqs() {
    let shipped = Shipped::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tools.json");
    fs::write(&file, tools(&shipped).await.to_string()).expect("a file");

    let mut tdqs = TOOLS.python("tdqs");
    tdqs.args(["lint", "--format", "json", "--fail-on", "never"]);
    tdqs.arg("--file").arg(&file);
    let report = run(&mut tdqs, folder.path()).await;
    let report: Value = serde_json::from_str(&report).expect("a report");
    let findings = report["findings"].as_array().expect("findings");
    let found: Value = findings
        .iter()
        .map(|it| json!([it["tool"], it["rule"]]))
        .collect();
    // It answers with text, pictures and the video. Where there is structured content, some clients show models
    // nothing else.
    let standing = json!([["get_video_evidence", "no-output-schema"]]);
    assert_eq!(found, standing, "{report:#}");
}

/// The answer to `tools/list`.
async fn tools(shipped: &Shipped) -> Value {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let ask = client().post(format!("{}/mcp", shipped.url())).json(&list);
    let ask = ask.header(ACCEPT, "application/json, text/event-stream");
    let answer = ask.send().await.expect("an answer");
    let mut answer: Value = answer.json().await.expect("JSON");
    answer["result"].take()
}
