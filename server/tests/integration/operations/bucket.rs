//! A bucket that is missing, slow, or closed to what a server has to do there.

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::binary::{stdout_of, vidence};
use crate::support::process::ServerProcess;
use crate::support::{CLIP, LIVE_WEBM, Server, assert_refused, wait_until};
use test_support::on_postgres_s3;
use test_support::stores::bucket::Bucket;
use test_support::stores::bucket_faults::BucketFault;

on_postgres_s3! {
    readyz_is_503_without_the_bucket_and_200_with_it
    a_server_stays_ready_while_all_its_uploads_wait_for_the_bucket
    a_deletion_is_tried_again_when_its_connection_to_the_bucket_breaks
    a_server_does_not_start_on_another_bucket_than_its_database_knows
    a_takedown_ends_the_serving_while_the_bucket_is_away
    a_video_that_the_bucket_refuses_is_no_200
}

const SECOND: i64 = 1000;

/// Requests that a node has with its bucket at a time.
const MAX_REQUESTS: usize = 64;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lacks_a_right_to_its_bucket_says_which_and_does_not_start() {
    for (method, what) in [
        (&Method::GET, "used"),
        (&Method::HEAD, "read"),
        (&Method::POST, "deleted from"),
    ] {
        let bucket = Bucket::start().await;
        bucket.faults().set(Some(BucketFault::Forbidden(method)));
        let flags = ["--listen", "127.0.0.1:0", "--blob-url", Bucket::URL];
        let mut server = ServerProcess::start_with(&flags, &bucket.env());
        let (status, stderr) = server.wait().await;
        assert_eq!(status.code(), Some(1));
        let complaint = format!("the bucket {} can't be {what}", Bucket::URL);
        assert!(stderr.contains(&complaint), "{stderr}");
    }
}

/// It may be full, and only a server makes room in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_starts_on_a_bucket_that_takes_no_objects_and_says_so() {
    let bucket = Bucket::start().await;
    let forbidden = BucketFault::Forbidden(&Method::PUT);
    bucket.faults().set(Some(forbidden));
    let flags = ["--listen", "127.0.0.1:0", "--blob-url", Bucket::URL];
    let mut server = ServerProcess::start_with(&flags, &bucket.env());
    server.wait_for_line("could not write to the bucket").await;
    server.address().await;
}

async fn readyz_is_503_without_the_bucket_and_200_with_it() {
    let server = Server::postgres_s3().await;
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
    server.bucket().faults().set(Some(BucketFault::Missing));
    server.advance_clock(SECOND);
    let unready = server.get("/readyz").await;
    assert_eq!(unready.status(), StatusCode::SERVICE_UNAVAILABLE);
    let body: Value = unready.json().await.expect("JSON");
    assert_eq!(body, json!({ "status": "unready", "away": ["blobs"] }));
    server.bucket().faults().set(None);
    server.advance_clock(SECOND);
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
}

async fn a_server_stays_ready_while_all_its_uploads_wait_for_the_bucket() {
    let server = Server::postgres_s3().await;
    let creators = join_all((0..=MAX_REQUESTS).map(|_| server.create_request())).await;
    let faults = server.bucket().faults();
    faults.set(Some(BucketFault::SlowWrites));
    let uploads = join_all(creators.iter().map(|it| it.upload(CLIP)));
    let probe = async {
        wait_until(async || faults.injected() == MAX_REQUESTS as u64).await;
        server.advance_clock(SECOND);
        assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
        faults.set(None);
    };
    tokio::join!(uploads, probe);
    server.wait_for_objects(MAX_REQUESTS + 1).await;
}

async fn a_deletion_is_tried_again_when_its_connection_to_the_bucket_breaks() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    creator.upload(CLIP).await;
    let faults = server.bucket().faults();
    faults.set(Some(BucketFault::LostDeletion));
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    assert_eq!(faults.injected(), 1);
    server.wait_for_objects(0).await;
}

/// What it stored there would stay when the other nodes delete it.
async fn a_server_does_not_start_on_another_bucket_than_its_database_knows() {
    let server = Server::postgres_s3().await;
    let mut variables = server.environment();
    for (_, value) in variables.iter_mut().filter(|it| it.0 == "VIDENCE_BLOB_URL") {
        *value = "s3://evidence/vidoes".to_owned();
    }
    let mut other = ServerProcess::start_with(&["--listen", "127.0.0.1:0"], &variables);
    let (status, stderr) = other.wait().await;
    assert_eq!(status.code(), Some(1));
    let complaint = "s3://evidence/vidoes isn't the bucket of this database";
    assert!(stderr.contains(complaint), "{stderr}");
    let creator = server.create_request().await;
    let takedown = vidence(&["takedown", creator.id()], &variables).await;
    let refused = takedown.failure(1);
    assert!(refused.contains(complaint), "{refused}");
    assert_eq!(creator.status().await["status"], "awaiting_submission");

    let flags = ["--listen", "127.0.0.1:0"];
    let mut another = ServerProcess::start_with(&flags, &server.environment());
    another.address().await;
}

async fn a_takedown_ends_the_serving_while_the_bucket_is_away() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    let faults = server.bucket().faults();
    faults.set(Some(BucketFault::Forbidden(&Method::GET)));
    let takedown = ["takedown", creator.id()];
    let failed = vidence(&takedown, &server.environment()).await.failure(1);
    assert!(failed.contains("do this once more"), "{failed}");
    let gone = creator.send_authorized(Method::GET, &video).await;
    assert_refused(gone, 404, "not_found").await;
    assert_ne!(server.objects().len(), 0);
    faults.set(None);
    stdout_of(&server, &takedown).await;
    server.wait_for_objects(0).await;
}

async fn a_video_that_the_bucket_refuses_is_no_200() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    let faults = server.bucket().faults();
    faults.set(Some(BucketFault::Forbidden(&Method::GET)));
    let refused = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(refused.status(), StatusCode::INTERNAL_SERVER_ERROR);
    faults.set(None);
    let served = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(served.status(), StatusCode::OK);
}
