//! Persistence over a restart, and exclusive ownership of the data folder.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::time::Duration;

use app::api::CreatedRequest;
use reqwest::{Method, StatusCode};
use server::clock::Clock;
use server::config::public_url::PublicUrl;
use server::db::{Db, SweepPlace};
use server::{StartError, StorageError, open};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::support::binary::vidence;
use crate::support::sql::Blocker;
use crate::support::{CLIP, CLIP_LENGTH, Server, clip, on_each_storage, wait_until};
use test_support::on_postgres_s3;
use test_support::scale::TIMEOUT;
use test_support::stores::database::fresh_database;

on_postgres_s3! {
    concurrently_started_nodes_migrate_in_turn
    a_migration_does_not_block_its_task
    postgres_provides_the_server_time
    a_transaction_of_postgres_that_does_not_end_is_seen
}

on_each_storage! {
    acknowledged_data_survives_a_restart
}

async fn acknowledged_data_survives_a_restart(server: Server) {
    let bytes = clip(300_000);
    let (video, submitted, take, awaiting): (String, CreatedRequest, String, CreatedRequest) = {
        let (submitted, awaiting) = (server.create_request().await, server.create_request().await);
        let video = submitted.submit_video(&bytes).await;
        let take = awaiting.create_take().await;
        awaiting.append(&take, 0, CLIP, false).await;
        (video, submitted.created, take, awaiting.created)
    };
    let server = server.restart().await;

    let request = server
        .request(Method::GET, &video)
        .bearer_auth(&submitted.access_token);
    let answer = request.send().await.expect("an answer");
    assert!(answer.bytes().await.expect("bytes") == bytes);
    let answer = server
        .request(Method::HEAD, &take)
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
    let page = server.get(&format!("/r/{}", awaiting.id)).await;
    assert_eq!(page.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_is_locked_and_private() {
    let server = Server::sqlite().await;
    let second = open(
        server.config(),
        Clock::System,
        PublicUrl::new("http://localhost"),
    )
    .await;
    assert!(matches!(
        second.map(drop),
        Err(StartError::Storage(StorageError::Locked(_)))
    ));
    let metadata = std::fs::metadata(&server.config().store.data_dir).expect("a folder");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o700);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blob_folder_that_is_not_mounted_is_not_begun_anew() {
    let server = Server::sqlite().await;
    server.create_request().await;
    let (config, _data) = server.close().await;
    let folder = |name| config.store.data_dir.join(name);
    let (blobs, away) = (folder("blobs"), folder("away"));
    std::fs::rename(&blobs, &away).expect("a folder");
    let open = async || open(&config, Clock::manual(), PublicUrl::new("http://localhost")).await;
    let assert_refused = async || {
        let error = open().await.map(drop).expect_err("a refusal");
        let StartError::Storage(StorageError::OtherFolder { folder, id }) = error else {
            panic!("{error}");
        };
        assert_eq!(folder, blobs);
        id
    };
    assert_refused().await;
    assert!(!blobs.exists(), "nothing was begun");
    // As a mount point would be, and as one that was taken for the folder before.
    let private = DirBuilder::new().mode(0o700).create(&blobs);
    private.expect("a folder");
    let id = assert_refused().await;
    std::fs::write(blobs.join("id"), "another").expect("a file");
    assert_refused().await;
    let data_dir = config.store.data_dir.display().to_string();
    let check = vidence(&["check"], &[("VIDENCE_DATA_DIR", data_dir)]).await;
    let complaint = check.failure(2);
    assert!(complaint.contains("is its disk mounted?"), "{complaint}");

    std::fs::write(blobs.join("id"), format!("{id}\n")).expect("a file");
    open().await.map(drop).expect("a new beginning");
    std::fs::remove_dir_all(&blobs).expect("a folder");
    std::fs::rename(&away, &blobs).expect("a folder");
    open().await.map(drop).expect("the folder");
}

/// As after the upgrade from a release whose folders had no ids.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_with_recordings_refuses_a_new_blob_folder() {
    let server = Server::sqlite().await;
    server.create_request().await.submit_video(CLIP).await;
    server.execute_sql("DELETE FROM blob_folder").await;
    let (config, _data) = server.close().await;
    let folder = |name| config.store.data_dir.join(name);
    let (blobs, away) = (folder("blobs"), folder("away"));
    std::fs::remove_file(blobs.join("id")).expect("a file");
    std::fs::rename(&blobs, &away).expect("a folder");
    let open = async || open(&config, Clock::manual(), PublicUrl::new("http://localhost")).await;
    let refused = open().await.map(drop);
    let error = refused.expect_err("a refusal");
    assert!(
        matches!(&error, StartError::Storage(StorageError::NewFolder(it)) if *it == blobs),
        "{error}"
    );
    assert!(!blobs.exists(), "nothing was begun");
    std::fs::rename(&away, &blobs).expect("a folder");
    open().await.map(drop).expect("the folder");
    assert!(blobs.join("id").is_file());
}

async fn concurrently_started_nodes_migrate_in_turn() {
    let database = fresh_database().await.parse().expect("an address");
    let nodes = (0..8).map(|_| Db::open_postgres(&database, 1));
    for node in futures_util::future::join_all(nodes).await {
        let node = node.expect("a migrated database");
        let due = node.requests_due(0, &SweepPlace::default(), 1).await;
        assert!(due.expect("tables").is_empty());
    }
}

/// Where it did, futures of the same task missed what woke them during the migration.
async fn a_migration_does_not_block_its_task() {
    let url = fresh_database().await;
    // The migration waits until it is certain that this table won't be there.
    let table = "CREATE TABLE __diesel_schema_migrations (version TEXT)";
    let blocker = Blocker::begin(&url, table).await;
    let (ask, asked) = oneshot::channel();
    let (answer, answered) = oneshot::channel();
    let database = url.parse().expect("an address");
    let migrating = tokio::spawn(async move {
        let answering = async { answer.send(asked.await) };
        tokio::join!(Db::open_postgres(&database, 1), answering).0
    });
    blocker.wait_for_blocked(1, "CREATE TABLE").await;
    ask.send(()).expect("a task");
    let answered = timeout(TIMEOUT, answered).await;
    blocker.release().await;
    assert!(migrating.await.expect("no panic").is_ok());
    assert!(answered.is_ok(), "no answer in time");
}

async fn postgres_provides_the_server_time() {
    let database = fresh_database().await.parse().expect("an address");
    let db = Db::open_postgres(&database, 1).await.expect("a database");
    let before = Clock::System.now();
    let server_time = db.server_time().await.expect("an answer").expect("a time");
    let after = Clock::System.now();
    // The database runs on this machine; rounding may cost a millisecond, and half of a round trip is added.
    let latest = after + (after - before) / 2 + 1;
    assert!(
        (before - 1..=latest).contains(&server_time),
        "{before} {server_time} {after}"
    );
}

/// What it commits late may name an object without a visible row.
async fn a_transaction_of_postgres_that_does_not_end_is_seen() {
    let url = fresh_database().await;
    let db = Db::open_postgres(&url.parse().expect("an address"), 1).await;
    let db = db.expect("a database");
    let is_seen = async |age| {
        let seen = db.has_transaction_older_than(Duration::from_secs(age));
        seen.await.expect("an answer")
    };
    // The migration's own may not have ended yet.
    wait_until(async || !is_seen(0).await).await;
    let blocker = Blocker::begin(&url, "SELECT 1").await;
    assert!(is_seen(0).await);
    assert!(!is_seen(60).await);
    blocker.release().await;
    assert!(!is_seen(0).await);
}
