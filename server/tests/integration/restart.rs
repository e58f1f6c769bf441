//! What was acknowledged is there after a restart; the data folder has one owner.

use std::os::unix::fs::PermissionsExt;

use app::api::CreatedRequest;
use reqwest::{Method, StatusCode};
use server::clock::Clock;
use server::db::Db;
use server::service::PublicUrl;
use server::{StartError, StorageError, open};

use crate::support::{CLIP, CLIP_LENGTH, Server, clip, journeys};
use test_support::database::fresh_database;
use test_support::on_a_cluster;

on_a_cluster! {
    nodes_that_start_together_migrate_one_after_the_other
    on_postgres_the_clock_of_the_database_decides
}

journeys! {
    everything_acknowledged_survives_a_restart
}

async fn everything_acknowledged_survives_a_restart(server: Server) {
    let bytes = clip(300_000);
    let (video, submitted, take, awaiting): (String, CreatedRequest, String, CreatedRequest) = {
        let (submitted, awaiting) = (server.create().await, server.create().await);
        let video = submitted.submit_video(&bytes).await;
        let take = awaiting.begin().await;
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
async fn a_data_folder_serves_one_server_and_one_user() {
    let server = Server::on_a_laptop().await;
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

async fn nodes_that_start_together_migrate_one_after_the_other() {
    let database = fresh_database().await.parse().expect("an address");
    let nodes = (0..8).map(|_| Db::open_postgres(&database, 1));
    for node in futures_util::future::join_all(nodes).await {
        let due = node.expect("a migrated database").requests_due(0, 1).await;
        assert!(due.expect("tables").is_empty());
    }
}

async fn on_postgres_the_clock_of_the_database_decides() {
    let database = fresh_database().await.parse().expect("an address");
    let db = Db::open_postgres(&database, 1).await.expect("a database");
    let before = Clock::System.now();
    let told = db.server_time().await.expect("an answer").expect("a time");
    let after = Clock::System.now();
    // It runs on this very machine; rounding may cost it a millisecond.
    assert!(
        (before - 1..=after + 1).contains(&told),
        "{before} {told} {after}"
    );
}
