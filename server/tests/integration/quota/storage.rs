//! Stored bytes count against limits from the first one on, even before a row names them.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Response, StatusCode};
use serde_json::json;
use server::config::{LimitArgs, QuotaArgs};
use server::service::workers::sweeper::sweep;

use crate::support::{
    Creator, OBJECT_OVERHEAD, Server, WEBM_HEADER, WEBM_HEADER_DIGEST, WEBM_HEADER_LENGTH,
    assert_refused, body_in_two_pieces, during, generous_limits, noise, on_each_storage,
    unlimited_quotas, wait_until,
};
use test_support::on_postgres_s3;

on_each_storage! {
    bytes_awaiting_their_digest_count_through_a_sweep
    bytes_failing_their_digest_are_released_once
    bytes_awaiting_their_digest_count_against_the_request
    each_object_counts_its_overhead
    the_last_byte_of_a_creators_quota_can_be_used
    space_that_a_deletion_frees_can_be_used_at_once
}

on_postgres_s3! {
    a_sweep_counts_what_other_nodes_have_stored
}

/// Performs steps while 13 bytes of a take are stored and await `rest` and their digest.
/// Returns the answer.
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
        .header("Content-Digest", WEBM_HEADER_DIGEST);
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
    creator
        .append(&take, 0, noise_with_header(length), false)
        .await
}

fn noise_with_header(length: usize) -> Vec<u8> {
    let mut video = [WEBM_HEADER, &noise(length)].concat();
    video.truncate(length);
    video
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

async fn with_creator_bytes(server: Server, max_creator_bytes: u64) -> Server {
    let quotas = QuotaArgs {
        max_creator_bytes,
        ..unlimited_quotas()
    };
    server.with_quotas(quotas).await
}

async fn the_last_byte_of_a_creators_quota_can_be_used(server: Server) {
    let server = with_creator_bytes(server, 100 + OBJECT_OVERHEAD).await;
    let creator = server.create_request().await;
    assert_within_quota(&creator, 99).await;
    // One byte is left, which is enough to begin.
    server.create_request().await.create_take().await;
    let server = with_creator_bytes(server, 99 + OBJECT_OVERHEAD).await;
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let refused = server.post("/v1/requests", &body).await;
    assert_refused(refused, 429, "rate_limited").await;
}

async fn space_that_a_deletion_frees_can_be_used_at_once(server: Server) {
    let server = with_creator_bytes(server, 200 + 2 * OBJECT_OVERHEAD).await;
    let (first, second) = (server.create_request().await, server.create_request().await);
    let take = second.create_take().await;
    for _ in 0..2 {
        assert_within_quota(&first, 100).await;
    }
    let video = noise_with_header(100);
    let refused = second.append(&take, 0, video.clone(), false).await;
    assert_refused(refused, 507, "insufficient_storage").await;
    assert_eq!(first.delete().await, StatusCode::NO_CONTENT);
    let answer = second.append(&take, 0, video, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_sweep_counts_what_other_nodes_have_stored() {
    let server = Server::postgres_s3().await;
    let server = with_creator_bytes(server, 200 + 2 * OBJECT_OVERHEAD).await;
    let other = server.another_node().await;
    let creator = server.create_request().await;
    let last = creator.create_take().await;
    assert_within_quota(&creator, 100).await;
    let there = other.creator(&creator.created);
    assert_within_quota(&there, 100).await;
    // This node has counted the creator before the other one stored anything.
    sweep(&server.app).await.expect("a sweep");
    let answer = creator
        .append(&last, 0, noise_with_header(100), false)
        .await;
    assert_refused(answer, 507, "insufficient_storage").await;
}
