//! The stored objects of a request are removed when it ends, and no others.
//!
//! A little more than 300 lines: all tests compare the same stored objects.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::blobs::ObjectKey;
use server::db::{DbError, SealingState};
use server::id::RequestId;
use server::service::Error;
use server::service::workers::orphan_gc;
use server::service::workers::sweeper::{SweepReport, sweep};

use super::expiry::LARGE_VIDEO_BYTES;
use crate::support::mcp_client::{call_expecting_error, call_expecting_success};
use crate::support::scrape::AdminServer;
use crate::support::sql::Blocker;
use crate::support::{
    CLIP, CLIP_LENGTH, Creator, HOUR, Server, assert_cut_short, assert_refused, body_in_two_pieces,
    clip, clip_with, during, on_each_storage, take_id, wait_until,
};
use test_support::on_postgres_s3;
use test_support::stores::bucket_faults::BucketFault;

on_each_storage! {
    the_sweeper_removes_the_objects_of_expired_requests_only
    an_append_that_outlives_its_request_leaves_no_object
    a_deletion_cancels_an_append_and_leaves_no_object
    a_deletion_resets_a_stream_of_the_video
    stored_bytes_equal_the_manifest
    only_old_orphans_are_collected
}

on_postgres_s3! {
    nothing_is_collected_while_a_commit_is_late
    an_object_missing_from_a_late_list_is_collected_as_an_orphan
}

/// More than the sweeper asks the database for at a time.
const MORE_THAN_A_BATCH: usize = 501;

async fn the_sweeper_removes_the_objects_of_expired_requests_only(server: Server) {
    server.wait_for_first("sweep").await;
    let (submitted, awaiting) = (server.create_request().await, server.create_request().await);
    let video = submitted.submit_video(CLIP).await;
    awaiting.upload(CLIP).await;
    server.advance_clock(HOUR / 2);
    let young = server.create_request().await;
    let bytes = clip_with(b"kept");
    let kept = young.submit_video(&bytes).await;
    server.advance_clock(HOUR / 2);

    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!(
        report,
        SweepReport {
            expired: 2,
            removed: 2,
            ..SweepReport::default()
        }
    );
    assert_eq!(server.objects().len(), 1);
    assert_eq!(
        sweep(&server.app).await.expect("a sweep"),
        SweepReport::default()
    );

    assert_refused(
        submitted.send_authorized(Method::GET, &video).await,
        410,
        "gone",
    )
    .await;
    assert_eq!(awaiting.status().await["status"], "expired");
    assert_eq!(
        young
            .send_authorized(Method::GET, &kept)
            .await
            .bytes()
            .await
            .expect("bytes"),
        bytes
    );
}

async fn an_append_that_outlives_its_request_leaves_no_object(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let answer = during(creator.append(&take, 0, body, true), async {
        wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
        server.advance_clock(HOUR);
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_refused(answer, 410, "gone").await;
    sweep(&server.app).await.expect("a sweep");
    server.wait_for_objects(0).await;
}

async fn a_deletion_cancels_an_append_and_leaves_no_object(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let deletion = async {
        wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
        assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
        assert!(server.objects().is_empty());
    };
    // The append is cancelled and answered before its body ends.
    let (answer, ()) = tokio::join!(creator.append(&take, 0, body, true), deletion);
    drop(end);
    assert_refused(answer, 404, "not_found").await;
    server.wait_for_objects(0).await;
}

async fn a_deletion_resets_a_stream_of_the_video(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(&clip(LARGE_VIDEO_BYTES)).await;
    let mut answer = creator.send_authorized(Method::GET, &video).await;
    let received = answer.chunk().await.expect("bytes").expect("some").len();

    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    assert_cut_short(answer, received, LARGE_VIDEO_BYTES).await;
}

async fn stored_bytes_equal_the_manifest(server: Server) {
    let creator = server.create_request().await;
    let lengths = [100, 9_000_000, 20_000_000];
    for length in lengths {
        creator.upload(&clip(length)).await;
    }
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let take = creator.create_take().await;
    let rejected = creator.create_take().await;
    creator.append(&rejected, 0, clip(5000), false).await;
    let discard = server.request(Method::DELETE, &rejected).send().await;
    assert_eq!(discard.expect("an answer").status(), StatusCode::NO_CONTENT);
    let answer = creator.append(&take, 0, body, false);
    let answer = during(answer, async { end.send(()) }).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);

    let stored = server
        .objects()
        .iter()
        .map(|it| it.metadata().expect("a file").len())
        .sum::<u64>();
    let manifest = creator
        .page_state()
        .await
        .takes
        .iter()
        .map(|it| it.offset)
        .sum::<u64>();
    assert_eq!(stored, manifest);
    assert_eq!(
        stored,
        lengths.iter().sum::<usize>() as u64 + CLIP_LENGTH + 6
    );
}

async fn only_old_orphans_are_collected(server: Server) {
    const MINUTE: i64 = 60 * 1000;
    server.wait_for_first("orphans").await;
    let creator = server.create_request().await;
    let take = creator.upload(CLIP).await;
    put_orphan(&server, &creator, &take).await;
    server.age_objects(14 * MINUTE);
    assert_eq!(orphan_gc::remove(&server.app).await.expect("a search"), 0);
    assert_eq!(server.objects().len(), 2);
    server.age_objects(2 * MINUTE);
    assert_eq!(orphan_gc::remove(&server.app).await.expect("a search"), 1);
    assert_eq!(server.objects().len(), 1);
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
}

/// With synchronous replication a commit waits for its standby, and no query sees its rows until then.
async fn nothing_is_collected_while_a_commit_is_late() {
    const LATE: Duration = Duration::from_secs(1);
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let take = creator.upload(CLIP).await;
    put_orphan(&server, &creator, &take).await;
    // Without the search of the start.
    let server = server.into_passive().await;
    server.age_objects(HOUR);

    let url = server.database_url().expect("PostgreSQL");
    let commit = Blocker::begin(url, "SELECT 1").await;
    let is_late = async || server.app.db.has_transaction_older_than(LATE).await;
    wait_until(async || is_late().await.expect("an answer")).await;
    let search = async || orphan_gc::remove_unless_late(&server.app, LATE).await;
    let postponed = search().await;
    assert!(
        matches!(postponed, Err(Error::Db(DbError::LateTransaction))),
        "{postponed:?}"
    );
    assert_eq!(server.objects().len(), 2);
    commit.release().await;
    assert_eq!(search().await.expect("a search"), 1);
    assert_eq!(server.objects().len(), 1);
}

/// A deletion removes what the bucket lists.
/// S3 lists an object at once; others that speak its protocol may not.
async fn an_object_missing_from_a_late_list_is_collected_as_an_orphan() {
    const MINUTE: i64 = 60 * 1000;
    let server = Server::postgres_s3().await;
    server.wait_for_first("orphans").await;
    let creator = server.create_request().await;
    server.bucket().faults().set(Some(BucketFault::LateLists));
    let take = creator.upload(CLIP).await;
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
    // A job that finds its take gone would remove the objects that the list lacked.
    wait_until(async || {
        let sealing = server.app.db.sealing_get(&take_id(&take)).await;
        let is_done = sealing
            .expect("rows")
            .is_some_and(|it| it.state == SealingState::Done);
        is_done && server.app.tasks.is_empty()
    })
    .await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let left = server.objects().len();
    assert!(left > 0, "the list wasn't late");
    server.bucket().faults().set(None);
    server.age_objects(16 * MINUTE);
    let removed = orphan_gc::remove(&server.app).await;
    assert_eq!(removed.expect("a search"), left);
    assert!(server.objects().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_sweep_removes_all_expired_requests() {
    let server = Server::sqlite().await;
    let creations = stream::iter(0..MORE_THAN_A_BATCH).map(|_| server.create_request());
    let created = creations.buffer_unordered(50).count().await;
    let server = server.into_passive().await;
    server.advance_clock(HOUR);
    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!((report.expired, report.removed), (created, created));
    assert_eq!(server.live_requests().await, 0);
}

/// Stores an object of the take that no row names.
async fn put_orphan(server: &Server, creator: &Creator<'_>, take: &str) {
    let request = RequestId::parse(creator.id()).expect("an id");
    let orphan = ObjectKey::random(&request, &take_id(take));
    let bytes = vec![Bytes::from_static(b"orphan")];
    server.app.blobs.put(&orphan, bytes).await.expect("a put");
}

/// Puts a file where the folder of a request would be, which keeps its removal from succeeding.
fn block_removal(server: &Server, request: &str) -> PathBuf {
    let file = server.config().store.data_dir.join("blobs").join(request);
    std::fs::write(&file, "in the way").expect("a file");
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removal_that_fails_is_counted_and_stops_no_other() {
    let server = Server::sqlite().await;
    let blocked = server.create_request().await.created.id;
    server.create_request().await.upload(CLIP).await;
    // Without background jobs.
    let server = server.into_passive().await;
    let admin = AdminServer::start(&server).await;
    let file = block_removal(&server, &blocked);
    server.advance_clock(HOUR);
    let before = admin.scrape().await;
    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!((report.removed, report.failed), (1, 1));
    let after = admin.scrape().await;
    let failures = "vidence_sweeper_failures_total";
    assert!(after.count(failures, &[]) > before.count(failures, &[]));
    std::fs::remove_file(file).expect("a file");
    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!((report.removed, report.failed), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_removals_do_not_stop_the_others() {
    let server = Server::sqlite().await;
    let creations = stream::iter(0..MORE_THAN_A_BATCH).map(|_| server.create_request());
    let blocked: Vec<_> = creations.buffer_unordered(50).collect().await;
    for creator in &blocked {
        block_removal(&server, creator.id());
    }
    let blocked = blocked.len();
    server.advance_clock(1);
    server.create_request().await.upload(CLIP).await;
    let server = server.into_passive().await;
    server.advance_clock(HOUR);
    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!((report.removed, report.failed), (1, blocked));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_is_answered_with_404_only_once_the_bytes_are_gone() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let file = block_removal(&server, creator.id());
    let request = format!("/v1/requests/{}", creator.id());
    for _ in 0..2 {
        let refused = creator.send_authorized(Method::DELETE, &request).await;
        assert_refused(refused, 500, "internal_error").await;
    }
    std::fs::remove_file(&file).expect("a file");
    std::fs::create_dir(&file).expect("what it stands for");
    let deleted = creator.send_authorized(Method::DELETE, &request).await;
    assert_refused(deleted, 404, "not_found").await;
    assert!(!file.exists());
}

/// As over MCP, where a repeated deletion succeeds.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_deletion_removes_what_the_first_one_could_not() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let file = block_removal(&server, creator.id());
    let credentials = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
    });
    for _ in 0..2 {
        call_expecting_error(&server, "delete_video_request", &credentials).await;
    }
    std::fs::remove_file(file).expect("a file");
    call_expecting_success(&server, "delete_video_request", &credentials).await;
}
