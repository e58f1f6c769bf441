//! Clients of the protocol, of each line that is in use, in each generation of the protocol that it speaks.
//!
//! Each asks, waits while a human records, gets the video and deletes it: `story.js` for those in JavaScript,
//! `story.py` for the one in Python. They check what the tools answer against the tools' own schemas.

use tempfile::TempDir;
use tokio::process::Command;

use crate::TOOLS;
use test_support::shipped::Shipped;
use test_support::tools::ended;

/// What became of the handshake, and what came after it.
const WITH_A_HANDSHAKE: &str = "2025-11-25";
const WITHOUT: &str = "2026-07-28";

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_tells_the_whole_story() {
    told_in_python("auto", WITHOUT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_tells_it_with_a_handshake() {
    told_in_python("legacy", WITH_A_HANDSHAKE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_client_tells_the_whole_story() {
    told_by("with-client.js", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_typescript_client_tells_the_whole_story() {
    told_by("with-sdk.js", &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_tells_the_whole_story() {
    told_by("with-inspector.js", &["modern", WITHOUT]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspector_tells_it_with_a_handshake() {
    told_by("with-inspector.js", &["legacy", WITH_A_HANDSHAKE]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bridge_that_the_guide_names_for_claude_desktop_carries_the_tools() {
    told_by("with-bridge.js", &[]).await;
}

async fn told_in_python(mode: &str, version: &str) {
    let mut story = TOOLS.python("python");
    let node = TOOLS.node("node");
    told(&mut story, "story.py", |story| {
        story.args([mode, version]);
        story.arg(node.as_std().get_program());
    })
    .await;
}

async fn told_by(script: &str, arguments: &[&str]) {
    told(&mut TOOLS.node("node"), script, |story| {
        story.args(arguments);
    })
    .await;
}

/// Tells the story to a server of its own.
async fn told(story: &mut Command, script: &str, arguments: impl FnOnce(&mut Command)) {
    let shipped = Shipped::start().await;
    // Whatever they and the browser leave.
    let scratch: TempDir = tempfile::tempdir().expect("a folder");
    story
        .arg(TOOLS.file(script))
        .arg(format!("{}/mcp", shipped.url()));
    arguments(story);
    story
        .env("HOME", scratch.path())
        .env("TMPDIR", scratch.path())
        .env("NO_PROXY", "127.0.0.1");
    let output = ended(story, scratch.path()).await;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}: {said}");
    // What a client dislikes of our schemas it says here.
    assert_eq!(said, "", "{script}");
}
