//! A new take replaces an abandoned one when the request has no take left.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Method, StatusCode};
use server::config::LimitArgs;
use server::id::RequestId;

use crate::support::{
    CLIP, Creator, Server, WEBM_HEADER, WEBM_HEADER_DIGEST, WEBM_HEADER_LENGTH, assert_refused,
    body_in_two_pieces, during, generous_limits, on_each_storage, wait_until,
};
use test_support::on_postgres_s3;

on_postgres_s3! {
    an_append_on_another_node_to_a_replaced_take_is_404
    a_take_awaiting_its_digest_on_another_node_is_not_replaced
}

on_each_storage! {
    a_new_take_replaces_the_oldest_abandoned_one
    a_growing_take_is_not_replaced
    a_take_with_an_append_in_progress_is_not_replaced
    a_complete_take_is_not_replaced
}

const SECOND: i64 = 1000;

async fn with_max_takes(server: Server, max_takes: u32) -> Server {
    let limits = LimitArgs {
        max_takes,
        ..generous_limits()
    };
    server.with_limits(limits).await
}

async fn assert_too_many_takes(creator: &Creator<'_>) {
    assert_refused(creator.begin_take().await, 413, "too_many_takes").await;
}

async fn status(server: &Server, take: &str) -> StatusCode {
    let head = server.request(Method::HEAD, take).send().await;
    head.expect("an answer").status()
}

async fn a_new_take_replaces_the_oldest_abandoned_one(server: Server) {
    let server = with_max_takes(server, 10).await;
    let creator = server.create_request().await;
    let mut takes = Vec::new();
    for _ in 0..10 {
        let take = creator.create_take().await;
        let answer = creator.append(&take, 0, WEBM_HEADER, false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        takes.push(take);
        server.advance_clock(SECOND);
    }
    assert_too_many_takes(&creator).await;
    // Just under a minute after the oldest one grew.
    server.advance_clock(49 * SECOND);
    assert_too_many_takes(&creator).await;
    server.advance_clock(SECOND);
    assert_eq!(creator.begin_take().await.status(), StatusCode::CREATED);
    assert_eq!(status(&server, &takes[0]).await, StatusCode::NOT_FOUND);
    let answer = creator
        .append(&takes[0], WEBM_HEADER_LENGTH, "more", false)
        .await;
    assert_refused(answer, 404, "not_found").await;
    for take in &takes[1..] {
        assert_eq!(status(&server, take).await, StatusCode::NO_CONTENT);
    }
    assert_eq!(server.objects().len(), 9, "its bytes are gone");
    assert_too_many_takes(&creator).await;
}

async fn a_growing_take_is_not_replaced(server: Server) {
    let server = with_max_takes(server, 1).await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    server.advance_clock(59 * SECOND);
    let answer = creator.append(&take, 0, WEBM_HEADER, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    server.advance_clock(59 * SECOND);
    assert_too_many_takes(&creator).await;
    let answer = creator
        .append(&take, WEBM_HEADER_LENGTH, "more", false)
        .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    server.advance_clock(60 * SECOND);
    assert_eq!(creator.begin_take().await.status(), StatusCode::CREATED);
}

async fn a_take_with_an_append_in_progress_is_not_replaced(server: Server) {
    let server = with_max_takes(server, 1).await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, end) = body_in_two_pieces(WEBM_HEADER, b"more");
    let appending = creator.append(&take, 0, body, false);
    let answer = during(appending, async {
        wait_until(async || server.objects().len() == 1).await;
        server.advance_clock(600 * SECOND);
        assert_too_many_takes(&creator).await;
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_complete_take_is_not_replaced(server: Server) {
    let server = with_max_takes(server, 2).await;
    let creator = server.create_request().await;
    let complete = creator.upload(CLIP).await;
    let open = creator.create_take().await;
    server.advance_clock(600 * SECOND);
    assert_eq!(creator.begin_take().await.status(), StatusCode::CREATED);
    assert_eq!(status(&server, &open).await, StatusCode::NOT_FOUND);
    assert_eq!(status(&server, &complete).await, StatusCode::NO_CONTENT);
    assert_too_many_takes(&creator).await;
}

async fn an_append_on_another_node_to_a_replaced_take_is_404() {
    let server = with_max_takes(Server::postgres_s3().await, 1).await;
    let other = server.another_node().await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, end) = body_in_two_pieces(WEBM_HEADER, b"more");
    let request = server.request(Method::PATCH, &take).body(body);
    let request = request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?0");
    let appending = async { request.send().await.expect("an answer") };
    let answer = during(appending, async {
        wait_until(async || creator.page_state().await.takes[0].offset == WEBM_HEADER_LENGTH).await;
        server.advance_clock(60 * SECOND);
        let created = other.creator(&creator.created).begin_take().await;
        assert_eq!(created.status(), StatusCode::CREATED);
        assert!(server.objects().is_empty());
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_refused(answer, 404, "not_found").await;
    server.wait_for_objects(0).await;
}

async fn a_take_awaiting_its_digest_on_another_node_is_not_replaced() {
    let server = with_max_takes(Server::postgres_s3().await, 1).await;
    let other = server.another_node().await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let id = RequestId::parse(creator.id()).expect("an id");
    let row = async || {
        let takes = server.app.db.takes_of(&id).await;
        takes.expect("rows").remove(0)
    };
    let (pieces, body) = tokio::sync::mpsc::channel::<Bytes>(1);
    let body = stream::unfold(body, async |mut body| {
        Some((Ok::<_, Infallible>(body.recv().await?), body))
    });
    let request = server
        .request(Method::PATCH, &take)
        .body(Body::wrap_stream(body));
    let request = request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?0")
        .header("Content-Digest", WEBM_HEADER_DIGEST);
    let appending = async { request.send().await.expect("an answer") };
    let answer = during(appending, async {
        pieces
            .send(Bytes::from_static(&WEBM_HEADER[..5]))
            .await
            .expect("an upload");
        wait_until(async || server.objects().len() == 1).await;
        server.advance_clock(40 * SECOND);
        pieces
            .send(Bytes::from_static(&WEBM_HEADER[5..13]))
            .await
            .expect("an upload");
        wait_until(async || row().await.grown_at == server.app.clock.now()).await;
        server.advance_clock(40 * SECOND);
        let created = other.creator(&creator.created).begin_take().await;
        assert_refused(created, 413, "too_many_takes").await;
        pieces
            .send(Bytes::from_static(&WEBM_HEADER[13..]))
            .await
            .expect("an upload");
        drop(pieces);
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(row().await.committed, 15);
}
