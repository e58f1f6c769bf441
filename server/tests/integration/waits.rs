//! `Prefer: wait`: an answer that comes when there is something to say.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use server::service::workers::sweeper::sweep;
use tokio::time::timeout;

use crate::support::{CLIP, Creator, HOUR, Server, assert_refused, journeys, wait_until};

journeys! {
    ; over_http2
    a_wait_ends_when_a_video_is_submitted
    a_wait_ends_when_the_request_is_deleted
    a_wait_ends_when_the_request_expires
    a_wait_ends_when_the_server_stops
    a_wait_ends_by_itself
    what_has_changed_already_is_told_at_once
    so_many_may_wait_for_one_request
    a_wait_opens_nothing_to_others
}

/// Shorter than any wait here.
const PATIENCE: Duration = Duration::from_secs(40);

async fn wait_for(creator: &Creator<'_>, seconds: u32) -> Response {
    let path = format!("/v1/requests/{}", creator.id());
    let preference = [("prefer", format!("wait={seconds}"))];
    let headers = preference.map(|(name, value)| (name.parse(), value.parse()));
    let headers = headers.map(|(name, value)| (name.expect("a name"), value.expect("a value")));
    creator
        .ask_with(Method::GET, &path, headers.into_iter().collect())
        .await
}

/// The answer to a wait that stands when these steps begin.
async fn waited_through(creator: &Creator<'_>, steps: impl Future) -> Response {
    let waiting = async || creator.server.app.coordination.changes.waiting() == 1;
    let steps = async {
        wait_until(waiting).await;
        steps.await;
    };
    // Before it would end by itself.
    let both = async { tokio::join!(wait_for(creator, 50), steps).0 };
    timeout(PATIENCE, both).await.expect("it ended by itself")
}

async fn status_in(answer: Response) -> Value {
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["preference-applied"], "wait=50");
    let body: Value = answer.json().await.expect("JSON");
    body["status"].clone()
}

async fn a_wait_ends_when_a_video_is_submitted(server: Server) {
    let creator = server.create().await;
    // By way of another node, where there may be one.
    let other = match server.is_in_a_cluster() {
        true => Some(server.another_node().await),
        false => None,
    };
    let there = Creator {
        server: other.as_ref().unwrap_or(&server),
        created: creator.created.clone(),
    };
    let answer = waited_through(&creator, async { there.submit_video(CLIP).await });
    assert_eq!(status_in(answer.await).await, "submitted");
}

async fn a_wait_ends_when_the_request_is_deleted(server: Server) {
    let creator = server.create().await;
    let answer = waited_through(&creator, async { creator.delete().await });
    assert_refused(answer.await, 404, "not_found").await;
}

async fn a_wait_ends_when_the_request_expires(server: Server) {
    let creator = server.create().await;
    let answer = waited_through(&creator, async {
        server.later(HOUR);
        sweep(&server.app).await.expect("a sweep");
    });
    assert_eq!(status_in(answer.await).await, "expired");
}

async fn a_wait_ends_when_the_server_stops(server: Server) {
    let creator = server.create().await;
    let answer = waited_through(&creator, async {
        server.stop();
    });
    assert_eq!(status_in(answer.await).await, "awaiting_submission");
}

async fn a_wait_ends_by_itself(server: Server) {
    let creator = server.create().await;
    for seconds in [0, 1] {
        let answer = wait_for(&creator, seconds).await;
        let applied = format!("wait={seconds}");
        assert_eq!(answer.headers()["preference-applied"], applied);
        let body: Value = answer.json().await.expect("JSON");
        assert_eq!(body["status"], "awaiting_submission");
    }
}

async fn what_has_changed_already_is_told_at_once(server: Server) {
    let creator = server.create().await;
    creator.submit_video(CLIP).await;
    assert_eq!(status_in(wait_for(&creator, 4711).await).await, "submitted");
}

async fn so_many_may_wait_for_one_request(server: Server) {
    let (creator, neighbour) = (server.create().await, server.create().await);
    let waited = |answer: &Response| answer.headers().contains_key("preference-applied");
    let waits = join_all((0..4).map(|_| wait_for(&creator, 50)));
    let steps = async {
        wait_until(async || server.app.coordination.changes.waiting() == 4).await;
        let fifth = wait_for(&creator, 50).await;
        assert_eq!(fifth.status(), StatusCode::OK);
        assert!(!waited(&fifth));
        assert!(waited(&wait_for(&neighbour, 0).await));
        assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    };
    let all = async { tokio::join!(waits, steps).0 };
    let answers = timeout(PATIENCE, all)
        .await
        .expect("they ended by themselves");
    assert!(
        answers
            .iter()
            .all(|it| it.status() == StatusCode::NOT_FOUND)
    );
    // Their places are free again.
    assert_eq!(server.app.coordination.changes.waiting(), 0);
}

async fn a_wait_opens_nothing_to_others(server: Server) {
    let (mine, other) = (server.create().await, server.create().await);
    let mut stranger = Creator {
        server: &server,
        created: other.created.clone(),
    };
    stranger.created.access_token = mine.created.access_token.clone();
    assert_refused(wait_for(&stranger, 50).await, 403, "forbidden").await;
    stranger.created.access_token = "vidence_nobodys".to_owned();
    assert_refused(wait_for(&stranger, 50).await, 401, "unauthorized").await;
}
