//! The MCP endpoint: calls that wait for a submission or its stills.

use std::time::{Duration, Instant};

use futures_util::future::join;

use super::tools::{blocks, creator, get_evidence};
use crate::support::mcp_client::{
    call_expecting_success, call_tool, create_request, credentials, success_json, with_argument,
};
use crate::support::{LIVE_WEBM, Server, VP9_WEBM, on_each_storage, wait_until};

/// Shorter than the longest wait.
const TIMEOUT: Duration = Duration::from_secs(40);

on_each_storage! {
    a_waiting_call_is_answered_at_the_submission
    a_disconnected_call_stops_waiting
    a_waiting_call_includes_the_stills_of_a_fresh_submission
    missing_stills_come_with_a_reason
}

async fn a_waiting_call_is_answered_at_the_submission(server: Server) {
    let created = create_request(&server).await;
    let human = creator(&server, &created);
    let arguments = with_argument(credentials(&created), "wait_seconds", 45);
    let waiting = call_tool(&server, "get_video_evidence", &arguments);
    let submitting = async {
        wait_until(async || server.app.coordination.changes.waiting() == 1).await;
        human.submit_video(LIVE_WEBM).await
    };
    let waited = tokio::time::timeout(TIMEOUT, join(waiting, submitting));
    let (result, _) = waited.await.expect("at once");
    assert_eq!(success_json(&result)["status"], "submitted");
    assert_eq!(blocks(&result, "resource").len(), 1);
}

async fn a_disconnected_call_stops_waiting(server: Server) {
    let created = create_request(&server).await;
    let arguments = with_argument(credentials(&created), "wait_seconds", 45);
    let waiting = call_tool(&server, "get_video_evidence", &arguments);
    tokio::select! {
        early = waiting => panic!("answered too early: {early}"),
        () = wait_until(async || server.app.coordination.changes.waiting() == 1) => {}
    }
    wait_until(async || server.app.coordination.changes.waiting() == 0).await;
}

async fn missing_stills_come_with_a_reason(server: Server) {
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(VP9_WEBM).await;
    let result = get_evidence(&server, &credentials(&created)).await;
    let metadata = success_json(&result);
    let pictures = &metadata["stills"];
    assert_eq!(pictures["status"], "unavailable");
    assert!(
        pictures["reason"]
            .as_str()
            .is_some_and(|it| it.contains("VP9"))
    );
    assert!(blocks(&result, "image").is_empty());
    assert_eq!(blocks(&result, "resource").len(), 1);
    let next = metadata["next_step"].as_str().expect("a text");
    assert!(next.contains("no pictures"), "{next}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_a_wait_is_spent_on_stills() {
    let server = Server::without_decoders().await;
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    for (wait, minimum) in [(0, 700), (2, 2000)] {
        let arguments = with_argument(credentials(&created), "wait_seconds", wait);
        let start = Instant::now();
        let get = call_expecting_success(&server, "get_video_evidence", &arguments);
        let metadata = tokio::time::timeout(TIMEOUT, get).await;
        let metadata = metadata.expect("when the wait is over");
        assert!(start.elapsed() >= Duration::from_millis(minimum));
        assert_eq!(metadata["stills"]["status"], "pending");
        assert_eq!(metadata["poll_after_seconds"], 2);
        let next = metadata["next_step"].as_str().expect("a text");
        assert!(next.contains("call again"), "{next}");
    }
}

async fn a_waiting_call_includes_the_stills_of_a_fresh_submission(server: Server) {
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    let arguments = with_argument(credentials(&created), "wait_seconds", 45);
    let result = call_tool(&server, "get_video_evidence", &arguments).await;
    assert_eq!(success_json(&result)["stills"]["status"], "ready");
    assert!(!blocks(&result, "image").is_empty());
}
