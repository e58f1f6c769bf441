//! Long polling with `Prefer: wait`.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use server::service::workers::sweeper::sweep;
use tokio::time::timeout;

use crate::support::{CLIP, Creator, HOUR, Server, assert_refused, on_each_storage, wait_until};

on_each_storage! {
    ; over_http2
    a_long_poll_ends_at_the_submission
    a_long_poll_ends_at_the_deletion
    a_long_poll_ends_at_the_expiry
    a_long_poll_ends_at_a_shutdown
    a_long_poll_ends_after_the_preferred_wait
    a_long_poll_of_a_submitted_request_ends_at_once
    a_fifth_long_poll_of_a_request_is_answered_after_a_second
    a_long_poll_needs_the_requests_token
}

/// Shorter than any wait here.
const TIMEOUT: Duration = Duration::from_secs(40);

async fn long_poll(creator: &Creator<'_>, seconds: u32) -> Response {
    let path = format!("/v1/requests/{}", creator.id());
    let preference = [("prefer", format!("wait={seconds}"))];
    let headers = preference.map(|(name, value)| (name.parse(), value.parse()));
    let headers = headers.map(|(name, value)| (name.expect("a name"), value.expect("a value")));
    creator
        .send_with_headers(Method::GET, &path, headers.into_iter().collect())
        .await
}

/// The response to a wait that has begun before these steps.
async fn long_poll_during(creator: &Creator<'_>, steps: impl Future) -> Response {
    let waiting = async || creator.server.app.coordination.changes.waiting() == 1;
    let steps = async {
        wait_until(waiting).await;
        steps.await;
    };
    // Sooner than it would end by itself.
    let both = async { tokio::join!(long_poll(creator, 50), steps).0 };
    timeout(TIMEOUT, both).await.expect("it ended by itself")
}

async fn status_of(answer: Response) -> Value {
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["preference-applied"], "wait=50");
    let body: Value = answer.json().await.expect("JSON");
    body["status"].clone()
}

async fn a_long_poll_ends_at_the_submission(server: Server) {
    let creator = server.create_request().await;
    // Through another node where possible.
    let other = match server.has_shared_stores() {
        true => Some(server.another_node().await),
        false => None,
    };
    let there = other.as_ref().unwrap_or(&server).creator(&creator.created);
    let answer = long_poll_during(&creator, async { there.submit_video(CLIP).await });
    assert_eq!(status_of(answer.await).await, "submitted");
}

async fn a_long_poll_ends_at_the_deletion(server: Server) {
    let creator = server.create_request().await;
    let answer = long_poll_during(&creator, async { creator.delete().await });
    assert_refused(answer.await, 404, "not_found").await;
}

async fn a_long_poll_ends_at_the_expiry(server: Server) {
    let creator = server.create_request().await;
    let answer = long_poll_during(&creator, async {
        server.advance_clock(HOUR);
        sweep(&server.app).await.expect("a sweep");
    });
    assert_eq!(status_of(answer.await).await, "expired");
}

async fn a_long_poll_ends_at_a_shutdown(server: Server) {
    let creator = server.create_request().await;
    let stop = async { server.stop() };
    let answer = long_poll_during(&creator, stop).await;
    // So that the client pauses before it asks the next node.
    assert!(!answer.headers().contains_key("preference-applied"));
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!(body["status"], "awaiting_submission");
}

async fn a_long_poll_ends_after_the_preferred_wait(server: Server) {
    let creator = server.create_request().await;
    for seconds in [0, 1] {
        let begun = Instant::now();
        let answer = long_poll(&creator, seconds).await;
        assert!(begun.elapsed() >= Duration::from_secs(seconds.into()));
        let applied = format!("wait={seconds}");
        assert_eq!(answer.headers()["preference-applied"], applied);
        let body: Value = answer.json().await.expect("JSON");
        assert_eq!(body["status"], "awaiting_submission");
    }
}

async fn a_long_poll_of_a_submitted_request_ends_at_once(server: Server) {
    let creator = server.create_request().await;
    creator.submit_video(CLIP).await;
    assert_eq!(
        status_of(long_poll(&creator, 4711).await).await,
        "submitted"
    );
}

async fn a_fifth_long_poll_of_a_request_is_answered_after_a_second(server: Server) {
    let (creator, other_request) = (server.create_request().await, server.create_request().await);
    let waited = |answer: &Response| answer.headers().contains_key("preference-applied");
    let waits = join_all((0..4).map(|_| long_poll(&creator, 50)));
    let steps = async {
        wait_until(async || server.app.coordination.changes.waiting() == 4).await;
        let begun = Instant::now();
        let fifth = long_poll(&creator, 50).await;
        assert!(begun.elapsed() >= Duration::from_secs(1));
        assert_eq!(fifth.status(), StatusCode::OK);
        assert!(!waited(&fifth));
        assert!(waited(&long_poll(&other_request, 0).await));
        assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    };
    let all = async { tokio::join!(waits, steps).0 };
    let answers = timeout(TIMEOUT, all)
        .await
        .expect("they ended by themselves");
    assert!(
        answers
            .iter()
            .all(|it| it.status() == StatusCode::NOT_FOUND)
    );
    // Their slots are free again.
    assert_eq!(server.app.coordination.changes.waiting(), 0);
}

async fn a_long_poll_needs_the_requests_token(server: Server) {
    let (mine, other) = (server.create_request().await, server.create_request().await);
    let mut other_creator = server.creator(&other.created);
    other_creator.created.access_token = mine.created.access_token.clone();
    assert_refused(long_poll(&other_creator, 50).await, 403, "forbidden").await;
    other_creator.created.access_token = "vidence_nobodys".to_owned();
    assert_refused(long_poll(&other_creator, 50).await, 401, "unauthorized").await;
}
