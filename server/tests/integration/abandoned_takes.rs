//! A link whose takes were begun and left can still be used.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Method, Response, StatusCode};
use server::config::LimitArgs;
use server::id::RequestId;

use crate::support::{
    BEGINNING, BEGINNING_LENGTH, CLIP, Creator, Server, assert_refused, body_in_two_pieces, during,
    generous, journeys, wait_until,
};
use test_support::on_a_cluster;

on_a_cluster! {
    a_writer_on_another_node_can_add_nothing_to_a_take_that_was_ended
    a_take_that_grows_on_another_node_and_awaits_its_digest_is_not_ended
}

journeys! {
    the_oldest_abandoned_take_makes_room_for_a_new_one
    a_growing_take_is_not_ended_for_a_new_one
    a_take_that_is_being_written_is_not_ended_for_a_new_one
    a_complete_take_is_not_ended_for_a_new_one
}

const SECOND: i64 = 1000;

/// SHA-256 of [`BEGINNING`].
const DIGEST: &str = "sha-256=:fBTP0vbRevKjfhmngtv32tr3AvJoXci4pJMhRZvpclg=:";

async fn with_so_many_takes(server: Server, max_takes: u32) -> Server {
    let limits = LimitArgs {
        max_takes,
        ..generous()
    };
    server.limited(limits).await
}

async fn begin(creator: &Creator<'_>) -> Response {
    let begin = creator
        .server
        .request(Method::POST, &creator.page("/takes"));
    let begin = begin.header("Upload-Complete", "?0");
    begin.send().await.expect("an answer")
}

async fn assert_full(creator: &Creator<'_>) {
    assert_refused(begin(creator).await, 413, "too_many_takes").await;
}

async fn status(server: &Server, take: &str) -> StatusCode {
    let asked = server.request(Method::HEAD, take).send().await;
    asked.expect("an answer").status()
}

async fn the_oldest_abandoned_take_makes_room_for_a_new_one(server: Server) {
    let server = with_so_many_takes(server, 10).await;
    let creator = server.create().await;
    let mut takes = Vec::new();
    for _ in 0..10 {
        let take = creator.begin().await;
        let answer = creator.append(&take, 0, BEGINNING, false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        takes.push(take);
        server.later(SECOND);
    }
    assert_full(&creator).await;
    // A minute after the oldest one grew, but not quite.
    server.later(49 * SECOND);
    assert_full(&creator).await;
    server.later(SECOND);
    assert_eq!(begin(&creator).await.status(), StatusCode::CREATED);
    assert_eq!(status(&server, &takes[0]).await, StatusCode::NOT_FOUND);
    let answer = creator
        .append(&takes[0], BEGINNING_LENGTH, "more", false)
        .await;
    assert_refused(answer, 404, "not_found").await;
    for take in &takes[1..] {
        assert_eq!(status(&server, take).await, StatusCode::NO_CONTENT);
    }
    assert_eq!(server.objects().len(), 9, "its bytes are gone");
    assert_full(&creator).await;
}

async fn a_growing_take_is_not_ended_for_a_new_one(server: Server) {
    let server = with_so_many_takes(server, 1).await;
    let creator = server.create().await;
    let take = creator.begin().await;
    server.later(59 * SECOND);
    let answer = creator.append(&take, 0, BEGINNING, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    server.later(59 * SECOND);
    assert_full(&creator).await;
    let answer = creator.append(&take, BEGINNING_LENGTH, "more", false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    server.later(60 * SECOND);
    assert_eq!(begin(&creator).await.status(), StatusCode::CREATED);
}

async fn a_take_that_is_being_written_is_not_ended_for_a_new_one(server: Server) {
    let server = with_so_many_takes(server, 1).await;
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(BEGINNING, b"more");
    let appending = creator.append(&take, 0, body, false);
    let answer = during(appending, async {
        wait_until(async || server.objects().len() == 1).await;
        server.later(600 * SECOND);
        assert_full(&creator).await;
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_complete_take_is_not_ended_for_a_new_one(server: Server) {
    let server = with_so_many_takes(server, 2).await;
    let creator = server.create().await;
    let complete = creator.upload(CLIP).await;
    let open = creator.begin().await;
    server.later(600 * SECOND);
    assert_eq!(begin(&creator).await.status(), StatusCode::CREATED);
    assert_eq!(status(&server, &open).await, StatusCode::NOT_FOUND);
    assert_eq!(status(&server, &complete).await, StatusCode::NO_CONTENT);
    assert_full(&creator).await;
}

async fn a_writer_on_another_node_can_add_nothing_to_a_take_that_was_ended() {
    let server = with_so_many_takes(Server::in_a_cluster().await, 1).await;
    let other = server.another_node().await;
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(BEGINNING, b"more");
    let request = server.request(Method::PATCH, &take).body(body);
    let request = request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?0");
    let appending = async { request.send().await.expect("an answer") };
    let answer = during(appending, async {
        wait_until(async || creator.state().await.takes[0].offset == BEGINNING_LENGTH).await;
        server.later(60 * SECOND);
        let begin = other.request(Method::POST, &creator.page("/takes"));
        let begun = begin.header("Upload-Complete", "?0").send().await;
        assert_eq!(begun.expect("an answer").status(), StatusCode::CREATED);
        assert!(server.objects().is_empty());
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_refused(answer, 404, "not_found").await;
    server.objects_become(0).await;
}

async fn a_take_that_grows_on_another_node_and_awaits_its_digest_is_not_ended() {
    let server = with_so_many_takes(Server::in_a_cluster().await, 1).await;
    let other = server.another_node().await;
    let creator = server.create().await;
    let take = creator.begin().await;
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
        .header("Content-Digest", DIGEST);
    let appending = async { request.send().await.expect("an answer") };
    let answer = during(appending, async {
        pieces
            .send(Bytes::from_static(&BEGINNING[..5]))
            .await
            .expect("an upload");
        wait_until(async || server.objects().len() == 1).await;
        server.later(40 * SECOND);
        pieces
            .send(Bytes::from_static(&BEGINNING[5..13]))
            .await
            .expect("an upload");
        wait_until(async || row().await.grown_at == server.app.clock.now()).await;
        server.later(40 * SECOND);
        let begin = other.request(Method::POST, &creator.page("/takes"));
        let begun = begin.header("Upload-Complete", "?0").send().await;
        assert_refused(begun.expect("an answer"), 413, "too_many_takes").await;
        pieces
            .send(Bytes::from_static(&BEGINNING[13..]))
            .await
            .expect("an upload");
        drop(pieces);
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(row().await.committed, 15);
}
