//! Lint of our descriptions: Redocly CLI and Spectral for the OpenAPI document, tdqs for the MCP tools.
//!
//! None of them uses the network. `spectral.yaml` says which rule is off, and why.

use std::fs;
use std::path::{Path, PathBuf};

use reqwest::header::ACCEPT;
use serde_json::{Value, json};

use crate::TOOLS;
use test_support::clients::retrying_client::http_client;
use test_support::servers::release_server::ReleaseServer;
use test_support::tools::run;

/// The OpenAPI document in the repository, which `integration/pages/openapi.rs` compares with the served one.
fn openapi_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json")
}

#[tokio::test]
async fn the_openapi_document_passes_redocly() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut redocly = TOOLS.node("redocly");
    redocly
        .arg("lint")
        .arg(openapi_file())
        // The recommended rules, with warnings as errors.
        .args(["--extends", "recommended-strict"])
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    run(&mut redocly, folder.path()).await;
}

#[tokio::test]
async fn the_openapi_document_passes_spectral() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut spectral = TOOLS.node("spectral");
    spectral
        .arg("lint")
        .arg(openapi_file())
        .arg("--ruleset")
        .arg(TOOLS.file("openapi/spectral.yaml"))
        // By default it fails for errors alone, and accepts a missing file.
        .args(["--fail-severity", "hint", "--fail-on-unmatched-globs"]);
    run(&mut spectral, folder.path()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mcp_tool_descriptions_pass_tdqs() {
    let server = ReleaseServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tools.json");
    fs::write(&file, tools(&server).await.to_string()).expect("a file");

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
    // The tool answers with text, pictures and the video. Some clients show models nothing but structured content,
    // where there is any.
    let accepted = json!([["get_video_evidence", "no-output-schema"]]);
    assert_eq!(found, accepted, "{report:#}");
}

/// The result of `tools/list`.
async fn tools(server: &ReleaseServer) -> Value {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let call = http_client()
        .post(format!("{}/mcp", server.url()))
        .json(&list);
    let call = call.header(ACCEPT, "application/json, text/event-stream");
    let answer = call.send().await.expect("an answer");
    let mut answer: Value = answer.json().await.expect("JSON");
    answer["result"].take()
}
