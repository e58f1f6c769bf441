//! MCP clients of each SDK in use, in each protocol version that they speak.
//!
//! Each creates a request, waits while a person records, gets the video and deletes it: `lifecycle.js` for JavaScript,
//! `lifecycle.py` for Python. The person records in a browser for one client of each language, and sends a file for the
//! others, which takes less time. Clients validate the results against the tools' own schemas.

use tempfile::TempDir;
use tokio::process::Command;

use crate::TOOLS;
use test_support::servers::release_server::ReleaseServer;
use test_support::tools::output_of;

/// Protocol versions with the initialization handshake and without.
const HANDSHAKE_VERSION: &str = "2025-11-25";
const STATELESS_VERSION: &str = "2026-07-28";

/// A browser's recording of some seconds with sound.
const RECORDING: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/test-support/fixtures/chromium-vp8-opus.webm"
);

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_runs_the_request_lifecycle() {
    run_in_python("auto", STATELESS_VERSION, Person::WithBrowser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_runs_it_with_a_handshake() {
    run_in_python("legacy", HANDSHAKE_VERSION, Person::WithFile).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_client_runs_the_request_lifecycle() {
    run_in_node("with-client.js", &[], Person::WithBrowser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_sdk_v1_client_runs_the_request_lifecycle() {
    run_in_node("with-sdk.js", &[], Person::WithFile).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_runs_the_request_lifecycle() {
    let arguments = ["modern", STATELESS_VERSION];
    run_in_node("with-inspector.js", &arguments, Person::WithFile).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_runs_it_with_a_handshake() {
    let arguments = ["legacy", HANDSHAKE_VERSION];
    run_in_node("with-inspector.js", &arguments, Person::WithFile).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guides_bridge_for_claude_desktop_reaches_the_tools() {
    run_in_node("with-bridge.js", &[], Person::WithFile).await;
}

/// How the person who records sends the video.
#[derive(PartialEq)]
enum Person {
    /// Records it in Chromium.
    WithBrowser,
    /// Has recorded it.
    WithFile,
}

async fn run_in_python(mode: &str, version: &str, person: Person) {
    let mut command = TOOLS.python("python");
    let node = TOOLS.node("node");
    run_lifecycle(&mut command, "lifecycle.py", person, |command| {
        command.args([mode, version]);
        command.arg(node.as_std().get_program());
    })
    .await;
}

async fn run_in_node(script: &str, arguments: &[&str], person: Person) {
    run_lifecycle(&mut TOOLS.node("node"), script, person, |command| {
        command.args(arguments);
    })
    .await;
}

/// Runs the lifecycle against a server of its own.
async fn run_lifecycle(
    command: &mut Command,
    script: &str,
    person: Person,
    arguments: impl FnOnce(&mut Command),
) {
    let server = ReleaseServer::start().await;
    // For files of clients and browser.
    let scratch: TempDir = tempfile::tempdir().expect("a folder");
    command
        .arg(TOOLS.file(script))
        .arg(format!("{}/mcp", server.url()));
    arguments(command);
    command
        .env("HOME", scratch.path())
        .env("TMPDIR", scratch.path())
        .env("NO_PROXY", "127.0.0.1");
    if person == Person::WithFile {
        command.env("RECORDING", RECORDING);
    }
    let output = output_of(command, scratch.path()).await;
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}: {stderr}");
    // Clients print complaints about our schemas here.
    assert_eq!(stderr, "", "{script}");
}
