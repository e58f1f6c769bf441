//! Whether callers should be sent here.

use std::fs;

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use crate::scrape::Admin;
use crate::support::{Server, journeys, wait_until};
use test_support::on_a_cluster;

on_a_cluster! {
    a_database_that_went_away_is_told_and_the_other_numbers_stay
}

journeys! {
    who_has_both_stores_is_ready
    who_was_told_to_stop_is_not_ready_before_anything_else_happens
}

const SECOND: i64 = 1000;

async fn assert_says(answer: Response, status: StatusCode, body: Value) {
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.status(), status);
    assert_eq!(answer.json::<Value>().await.expect("JSON"), body);
}

async fn who_has_both_stores_is_ready(server: Server) {
    let ready = || json!({ "status": "ready" });
    assert_says(server.get("/readyz").await, StatusCode::OK, ready()).await;
    assert_eq!(
        server.get("/healthz").await.text().await.expect("text"),
        "ok\n"
    );
}

async fn who_was_told_to_stop_is_not_ready_before_anything_else_happens(server: Server) {
    let admin = Admin::of(&server).await;
    server.stop();
    wait_until(async || admin.get("/readyz").await.status() != StatusCode::OK).await;
    let draining = json!({ "status": "draining" });
    let answer = admin.get("/readyz").await;
    assert_says(answer, StatusCode::SERVICE_UNAVAILABLE, draining).await;
    assert_eq!(
        admin.scrape().await.value("vidence_draining", &[]),
        Some(1.0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_went_away_is_told_within_a_second_and_when_it_is_back_too() {
    let server = Server::on_a_laptop().await;
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
    let folder = server.config().store.data_dir.join("blobs");
    let elsewhere = folder.with_extension("away");
    fs::rename(&folder, &elsewhere).expect("a folder of ours");
    // Remembered: nobody can load the stores by asking.
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
    server.later(SECOND);
    let away = json!({ "status": "unready", "away": ["blobs"] });
    assert_says(
        server.get("/readyz").await,
        StatusCode::SERVICE_UNAVAILABLE,
        away,
    )
    .await;
    assert_eq!(server.get("/healthz").await.status(), StatusCode::OK);
    let admin = Admin::of(&server).await;
    let scrape = admin.scrape().await;
    assert_eq!(
        scrape.value("vidence_ready", &[("part", "blobs")]),
        Some(0.0)
    );
    assert_eq!(
        scrape.value("vidence_ready", &[("part", "database")]),
        Some(1.0)
    );
    fs::rename(&elsewhere, &folder).expect("a folder of ours");
    server.later(SECOND);
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
}

async fn a_database_that_went_away_is_told_and_the_other_numbers_stay() {
    let server = Server::in_a_cluster().await;
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
    let url = server.database_url().expect("PostgreSQL");
    let (place, name) = url.rsplit_once('/').expect("a URL with a database");
    let mut connection = AsyncPgConnection::establish(&format!("{place}/postgres"))
        .await
        .expect("PostgreSQL");
    let dropped = format!("DROP DATABASE {name} WITH (FORCE)");
    connection.batch_execute(&dropped).await.expect("a drop");
    server.later(6 * SECOND);
    let away = json!({ "status": "unready", "away": ["database"] });
    assert_says(
        server.get("/readyz").await,
        StatusCode::SERVICE_UNAVAILABLE,
        away,
    )
    .await;
    let scrape = Admin::of(&server).await.scrape().await;
    assert_eq!(
        scrape.value("vidence_ready", &[("part", "database")]),
        Some(0.0)
    );
    assert_eq!(scrape.value("vidence_requests", &[]), None, "nobody knows");
    assert!(scrape.count("vidence_upload_memory_limit_bytes", &[]) > 0.0);
}
