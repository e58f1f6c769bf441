//! Submissions of one complete take, exactly once, and discarded takes.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{
    CLIP, CLIP_LENGTH, Server, assert_refused, body_in_two_pieces, clip_with, on_each_storage,
    wait_until,
};

on_each_storage! {
    ; over_http2
    a_video_is_submitted_exactly_once
    a_submission_and_a_discard_never_both_succeed
    the_body_of_a_submission_is_limited
    only_a_complete_take_can_be_submitted
    a_submission_ends_uploads_of_other_takes
    a_discarded_take_leaves_no_bytes
    a_used_link_reveals_only_that_the_video_was_received
}

async fn a_video_is_submitted_exactly_once(server: Server) {
    let creator = server.create_request().await;
    let takes = [creator.upload(CLIP).await, creator.upload(CLIP).await];
    let submissions = takes
        .iter()
        .cycle()
        .take(10)
        .map(|take| creator.submit(take));
    let answers = futures_util::future::join_all(submissions).await;
    let accepted = answers
        .iter()
        .filter(|answer| answer.status() == StatusCode::OK)
        .count();
    assert_eq!(accepted, 1);
    for answer in answers
        .into_iter()
        .filter(|answer| answer.status() != StatusCode::OK)
    {
        // A concurrent submission may find its take removed by the winner.
        assert_refused(answer, 409, "already_submitted").await;
    }
    // The other take is removed.
    server.wait_for_objects(1).await;

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

async fn a_submission_and_a_discard_never_both_succeed(server: Server) {
    for _ in 0..20 {
        let creator = server.create_request().await;
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
        let path = url
            .strip_prefix(&server.base)
            .expect("a path of this server");
        let video = creator.send_authorized(Method::GET, path).await;
        assert_eq!(video.bytes().await.expect("bytes"), CLIP);
    }
}

async fn the_body_of_a_submission_is_limited(server: Server) {
    const MAX_TAKES: usize = 64 << 10;
    let creator = server.create_request().await;
    let take = creator.upload(CLIP).await;
    let id = take.rsplit('/').next().expect("an id");
    let submit = async |length: usize| {
        let body = json!({ "take": id }).to_string();
        let request = server.request(Method::POST, &creator.link_path("/submission"));
        let request = request.header(CONTENT_TYPE, "application/json");
        let padding = " ".repeat(length - body.len());
        let request = request.body(body + &padding);
        request.send().await.expect("an answer")
    };
    assert_refused(submit(MAX_TAKES + 1).await, 400, "bad_request").await;
    assert_eq!(submit(MAX_TAKES).await.status(), StatusCode::OK);
}

async fn only_a_complete_take_can_be_submitted(server: Server) {
    let (creator, other) = (server.create_request().await, server.create_request().await);
    let open = creator.create_take().await;
    creator.append(&open, 0, CLIP, false).await;
    assert_refused(creator.submit(&open).await, 409, "take_incomplete").await;
    let empty = creator.upload(b"").await;
    assert_refused(creator.submit(&empty).await, 422, "take_empty").await;
    let of_other_request = other.upload(CLIP).await;
    assert_refused(creator.submit(&of_other_request).await, 404, "not_found").await;
    for body in [
        json!({}),
        json!({ "take": 1 }),
        json!({ "take": "a", "more": 1 }),
        json!([]),
    ] {
        let answer = server.post(&creator.link_path("/submission"), &body).await;
        assert_refused(answer, 400, "bad_request").await;
    }
    assert_eq!(creator.status().await["status"], "awaiting_submission");
}

async fn a_submission_ends_uploads_of_other_takes(server: Server) {
    let creator = server.create_request().await;
    let (take, other) = (creator.upload(CLIP).await, creator.create_take().await);
    let (body, completion) = body_in_two_pieces(CLIP, b"more");
    // With a checksum, all of it is committed at its end only.
    let digest = BASE64_STANDARD.encode([0; 32]);
    let sending = server
        .request(Method::PATCH, &other)
        .header(CONTENT_TYPE, "application/offset+octet-stream")
        .header("Tus-Resumable", "1.0.0")
        .header("Upload-Offset", 0)
        .header("Upload-Checksum", format!("sha256 {digest}"))
        .body(body)
        .send();
    let submitting = async {
        wait_until(async || server.app.coordination.upload_memory.used() > 0).await;
        assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
    };
    let (answer, ()) = tokio::join!(sending, submitting);
    drop(completion);
    assert_refused(answer.expect("an answer"), 409, "already_submitted").await;
    assert_eq!(server.objects().len(), 1, "the video's");
}

async fn a_discarded_take_leaves_no_bytes(server: Server) {
    let creator = server.create_request().await;
    let bytes = clip_with(b"kept");
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
    assert_eq!(creator.submit_and_download(&kept).await, bytes);
}

async fn a_used_link_reveals_only_that_the_video_was_received(server: Server) {
    let creator = server.create_request().await;
    let (take, _other) = (creator.upload(CLIP).await, creator.create_take().await);
    let id = take.rsplit('/').next().expect("an id");
    let expires_at = creator.status().await["expires_at"].clone();
    let received = json!({
        "status": "submitted", "expires_at": expires_at, "takes": [], "recorded_elsewhere": false,
    });
    let submitted = creator.submit(&take).await;
    let state: Value = submitted.json().await.expect("JSON");
    assert_eq!(state, received, "to the page that submitted");
    for path in ["/state".to_owned(), format!("/state?take={id}")] {
        let answer = server.get(&creator.link_path(&path)).await;
        let state: Value = answer.json().await.expect("JSON");
        assert_eq!(state, received, "{path}");
    }
}
