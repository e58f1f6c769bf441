//! Stored bytes count against limits from the first one on, even before a row names them.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Response, StatusCode};
use server::config::{LimitArgs, QuotaArgs};
use server::service::workers::sweeper::sweep;

use crate::support::{
    Creator, OBJECT_OVERHEAD, Server, WEBM_HEADER, WEBM_HEADER_LENGTH, assert_refused,
    body_in_two_pieces, during, generous_limits, noise, on_each_storage, unlimited_quotas,
    wait_until,
};

on_each_storage! {
    bytes_awaiting_their_digest_count_through_a_sweep
    bytes_failing_their_digest_are_released_once
    bytes_awaiting_their_digest_count_against_the_request
    each_object_counts_its_overhead
}

/// SHA-256 of [`WEBM_HEADER`].
const DIGEST: &str = "sha-256=:fBTP0vbRevKjfhmngtv32tr3AvJoXci4pJMhRZvpclg=:";

/// Performs steps while 13 bytes of a take are stored and await `rest` and their digest. Returns the answer.
async fn append_with_trailing_digest(
    creator: &Creator<'_>,
    rest: &'static [u8],
    steps: impl Future,
) -> Response {
    let server = creator.server;
    let take = creator.create_take().await;
    let objects = server.objects().len();
    let (body, end) = body_in_two_pieces(&WEBM_HEADER[..13], rest);
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

/// Appends this many bytes to a new take.
async fn append(creator: &Creator<'_>, length: u64) -> Response {
    let take = creator.create_take().await;
    let length = usize::try_from(length).expect("a length");
    let mut video = [WEBM_HEADER, &noise(length)].concat();
    video.truncate(length);
    creator.append(&take, 0, video, false).await
}

async fn assert_quota_exceeded(creator: &Creator<'_>, length: u64) {
    assert_refused(append(creator, length).await, 507, "insufficient_storage").await;
}

async fn assert_within_quota(creator: &Creator<'_>, length: u64) {
    let answer = append(creator, length).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn bytes_awaiting_their_digest_count_through_a_sweep(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: 13 + 12 + 2 + 3 * OBJECT_OVERHEAD,
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let (first, second) = (server.create_request().await, server.create_request().await);
    let last = second.create_take().await;
    let answer = append_with_trailing_digest(&first, &WEBM_HEADER[13..], async {
        sweep(&server.app).await.expect("a sweep");
        assert_quota_exceeded(&second, 12 + 2 + OBJECT_OVERHEAD + 1).await;
        assert_within_quota(&second, 12).await;
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let answer = second.append(&last, 0, &WEBM_HEADER[..1], false).await;
    assert_refused(answer, 507, "insufficient_storage").await;
}

async fn bytes_failing_their_digest_are_released_once(server: Server) {
    let limits = LimitArgs {
        max_stored_bytes: Some(WEBM_HEADER_LENGTH + 15 + 2 * OBJECT_OVERHEAD),
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let answer = creator.append(&take, 0, WEBM_HEADER, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let answer = append_with_trailing_digest(&creator, b"", async {
        sweep(&server.app).await.expect("a sweep");
        assert_quota_exceeded(&creator, 1).await;
    })
    .await;
    assert_refused(answer, 400, "digest_mismatch").await;
    assert_quota_exceeded(&creator, 16).await;
    assert_within_quota(&creator, 15).await;
}

async fn bytes_awaiting_their_digest_count_against_the_request(server: Server) {
    let limits = LimitArgs {
        max_request_bytes: 13 + 10 + 2,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    let answer = append_with_trailing_digest(&creator, &WEBM_HEADER[13..], async {
        assert_refused(append(&creator, 13).await, 413, "too_large").await;
        assert_within_quota(&creator, 10).await;
    })
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn each_object_counts_its_overhead(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: 3 * OBJECT_OVERHEAD + 100,
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    for at in 0..3 {
        let piece = &WEBM_HEADER[at..=at];
        let answer = creator.append(&take, at as u64, piece, false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    }
    for _ in 0..2 {
        let answer = creator.append(&take, 3, &WEBM_HEADER[3..4], false).await;
        assert_refused(answer, 507, "insufficient_storage").await;
        // The sweep replaces the counts by the database's, which must agree.
        sweep(&server.app).await.expect("a sweep");
    }
    assert_eq!(server.objects().len(), 3);
}
