//! Submissions: of one complete take, exactly once; and takes that are thrown away instead.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{CLIP, CLIP_LENGTH, Server, assert_refused, clip_of, journeys};

journeys! {
    ; over_http2
    a_video_is_submitted_exactly_once
    a_submission_and_a_discard_never_both_win
    a_submission_is_no_place_for_endless_bodies
    only_a_complete_take_can_be_submitted
    a_rejected_take_leaves_no_bytes
    after_a_submission_the_link_tells_only_that_it_was_received
}

async fn a_video_is_submitted_exactly_once(server: Server) {
    let creator = server.create().await;
    let takes = [creator.upload(CLIP).await, creator.upload(CLIP).await];
    let submissions = takes
        .iter()
        .cycle()
        .take(10)
        .map(|take| creator.submit(take));
    let answers = futures_util::future::join_all(submissions).await;
    let good = answers
        .iter()
        .filter(|answer| answer.status() == StatusCode::OK)
        .count();
    assert_eq!(good, 1);
    for answer in answers
        .into_iter()
        .filter(|answer| answer.status() != StatusCode::OK)
    {
        // Who came while the winner's transaction ran may find the other take gone already.
        assert_refused(answer, 409, "already_submitted").await;
    }
    // The other one was rejected.
    server.objects_become(1).await;

    for take in &takes {
        assert_refused(creator.submit(take).await, 409, "already_submitted").await;
        let append = creator.append(take, CLIP_LENGTH, "more", true).await;
        assert_refused(append, 409, "already_submitted").await;
        let discard = server
            .request(Method::DELETE, take)
            .send()
            .await
            .expect("an answer");
        assert_refused(discard, 409, "already_submitted").await;
    }
}

async fn a_submission_and_a_discard_never_both_win(server: Server) {
    for _ in 0..20 {
        let creator = server.create().await;
        let take = creator.upload(CLIP).await;
        let discard = server.request(Method::DELETE, &take).send();
        let (submitted, discarded) = tokio::join!(creator.submit(&take), discard);
        let submitted = submitted.status() == StatusCode::OK;
        let discarded = discarded.expect("an answer").status() == StatusCode::NO_CONTENT;
        assert_ne!(submitted, discarded);
        let status = creator.status().await;
        let Some(url) = status["video"]["url"].as_str() else {
            assert!(discarded);
            continue;
        };
        let path = url.strip_prefix(&server.base).expect("ours");
        let video = creator.ask(Method::GET, path).await;
        assert_eq!(video.bytes().await.expect("bytes"), CLIP);
    }
}

async fn a_submission_is_no_place_for_endless_bodies(server: Server) {
    const MOST: usize = 64 << 10;
    let creator = server.create().await;
    let take = creator.upload(CLIP).await;
    let id = take.rsplit('/').next().expect("an id");
    let submit = async |length: usize| {
        let body = json!({ "take": id }).to_string();
        let request = server.request(Method::POST, &creator.page("/submission"));
        let request = request.header(CONTENT_TYPE, "application/json");
        let padding = " ".repeat(length - body.len());
        let request = request.body(body + &padding);
        request.send().await.expect("an answer")
    };
    assert_refused(submit(MOST + 1).await, 400, "bad_request").await;
    assert_eq!(submit(MOST).await.status(), StatusCode::OK);
}

async fn only_a_complete_take_can_be_submitted(server: Server) {
    let (creator, other) = (server.create().await, server.create().await);
    let open = creator.begin().await;
    creator.append(&open, 0, CLIP, false).await;
    assert_refused(creator.submit(&open).await, 409, "take_incomplete").await;
    let empty = creator.upload(b"").await;
    assert_refused(creator.submit(&empty).await, 422, "take_empty").await;
    let foreign = other.upload(CLIP).await;
    assert_refused(creator.submit(&foreign).await, 404, "not_found").await;
    for body in [
        json!({}),
        json!({ "take": 1 }),
        json!({ "take": "a", "more": 1 }),
        json!([]),
    ] {
        let answer = server.post(&creator.page("/submission"), &body).await;
        assert_refused(answer, 400, "bad_request").await;
    }
    assert_eq!(creator.status().await["status"], "awaiting_submission");
}

async fn a_rejected_take_leaves_no_bytes(server: Server) {
    let creator = server.create().await;
    let bytes = clip_of(b"kept");
    let (rejected, kept) = (creator.upload(CLIP).await, creator.upload(&bytes).await);
    let discard = server
        .request(Method::DELETE, &rejected)
        .send()
        .await
        .expect("an answer");
    assert_eq!(discard.status(), StatusCode::NO_CONTENT);
    assert_eq!(server.objects().len(), 1);
    let append = creator.append(&rejected, CLIP_LENGTH, "more", true).await;
    assert_refused(append, 404, "not_found").await;
    assert_eq!(creator.submit_and_watch(&kept).await, bytes);
}

async fn after_a_submission_the_link_tells_only_that_it_was_received(server: Server) {
    let creator = server.create().await;
    let (take, _other) = (creator.upload(CLIP).await, creator.begin().await);
    let id = take.rsplit('/').next().expect("an id");
    let expires_at = creator.status().await["expires_at"].clone();
    let received = json!({
        "status": "submitted", "expires_at": expires_at, "takes": [], "recorded_elsewhere": false,
    });
    let submitted = creator.submit(&take).await;
    let said: Value = submitted.json().await.expect("JSON");
    assert_eq!(said, received, "to the page that submitted");
    for path in ["/state".to_owned(), format!("/state?take={id}")] {
        let answer = server.get(&creator.page(&path)).await;
        let said: Value = answer.json().await.expect("JSON");
        assert_eq!(said, received, "{path}");
    }
}
