//! What is stored counts from its first byte on, whether a row names it yet or not.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Response, StatusCode};
use server::config::{LimitArgs, QuotaArgs};
use server::service::workers::sweeper::sweep;

use crate::support::{
    BEGINNING, BEGINNING_LENGTH, Creator, OBJECT_COST, Server, assert_refused, body_in_two_pieces,
    during, generous, journeys, noise, unlimited, wait_until,
};

journeys! {
    bytes_that_await_their_digest_count_through_a_sweep
    bytes_that_fail_their_digest_are_given_back_once
    bytes_of_another_take_that_await_their_digest_count_for_the_request
    a_piece_of_a_byte_counts_as_the_file_that_it_is
}

/// SHA-256 of [`BEGINNING`].
const DIGEST: &str = "sha-256=:fBTP0vbRevKjfhmngtv32tr3AvJoXci4pJMhRZvpclg=:";

/// Does these steps while 13 bytes of a take are stored and wait for `rest` and their digest; its answer.
async fn while_bytes_await_their_digest(
    creator: &Creator<'_>,
    rest: &'static [u8],
    steps: impl Future,
) -> Response {
    let server = creator.server;
    let take = creator.begin().await;
    let objects = server.objects().len();
    let (body, end) = body_in_two_pieces(&BEGINNING[..13], rest);
    let request = server.request(Method::PATCH, &take).body(body);
    let request = request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?0")
        .header("Content-Digest", DIGEST);
    let sending = async { request.send().await.expect("an answer") };
    during(sending, async {
        wait_until(async || server.objects().len() == objects + 1).await;
        steps.await;
        end.send(()).expect("an upload under way");
    })
    .await
}

/// Appends so many bytes to a take of its own.
async fn append(creator: &Creator<'_>, length: u64) -> Response {
    let take = creator.begin().await;
    let length = usize::try_from(length).expect("a length");
    let mut video = [BEGINNING, &noise(length)].concat();
    video.truncate(length);
    creator.append(&take, 0, video, false).await
}

async fn assert_no_room(creator: &Creator<'_>, length: u64) {
    assert_refused(append(creator, length).await, 507, "insufficient_storage").await;
}

async fn assert_room(creator: &Creator<'_>, length: u64) {
    let answer = append(creator, length).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn bytes_that_await_their_digest_count_through_a_sweep(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: 13 + 12 + 2 + 3 * OBJECT_COST,
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    let (first, second) = (server.create().await, server.create().await);
    let last = second.begin().await;
    let answer = while_bytes_await_their_digest(&first, &BEGINNING[13..], async {
        sweep(&server.app).await.expect("a sweep");
        assert_no_room(&second, 12 + 2 + OBJECT_COST + 1).await;
        assert_room(&second, 12).await;
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let answer = second.append(&last, 0, &BEGINNING[..1], false).await;
    assert_refused(answer, 507, "insufficient_storage").await;
}

async fn bytes_that_fail_their_digest_are_given_back_once(server: Server) {
    let limits = LimitArgs {
        max_stored_bytes: Some(BEGINNING_LENGTH + 15 + 2 * OBJECT_COST),
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    let take = creator.begin().await;
    let answer = creator.append(&take, 0, BEGINNING, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let answer = while_bytes_await_their_digest(&creator, b"", async {
        sweep(&server.app).await.expect("a sweep");
        assert_no_room(&creator, 1).await;
    })
    .await;
    assert_refused(answer, 400, "digest_mismatch").await;
    assert_no_room(&creator, 16).await;
    assert_room(&creator, 15).await;
}

async fn bytes_of_another_take_that_await_their_digest_count_for_the_request(server: Server) {
    let limits = LimitArgs {
        max_request_bytes: 13 + 10 + 2,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    let answer = while_bytes_await_their_digest(&creator, &BEGINNING[13..], async {
        assert_refused(append(&creator, 13).await, 413, "too_large").await;
        assert_room(&creator, 10).await;
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_piece_of_a_byte_counts_as_the_file_that_it_is(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: 3 * OBJECT_COST + 100,
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    let creator = server.create().await;
    let take = creator.begin().await;
    for at in 0..3 {
        let piece = &BEGINNING[at..=at];
        let answer = creator.append(&take, at as u64, piece, false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    }
    for _ in 0..2 {
        let answer = creator.append(&take, 3, &BEGINNING[3..4], false).await;
        assert_refused(answer, 507, "insufficient_storage").await;
        // The database counts as the server does.
        sweep(&server.app).await.expect("a sweep");
    }
    assert_eq!(server.objects().len(), 3);
}
