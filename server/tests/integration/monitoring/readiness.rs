//! `/readyz`.

use std::fs;

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use futures_util::{StreamExt, stream};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::binary::vidence;
use crate::support::certificate::CertificateFiles;
use crate::support::mcp_client::call_expecting_error;
use crate::support::scrape::AdminServer;
use crate::support::sql::Blocker;
use crate::support::{Server, assert_refused, on_each_storage, wait_until};
use test_support::on_postgres_s3;
use test_support::servers::node::free_address;

on_postgres_s3! {
    readyz_names_an_unreachable_database_and_other_metrics_remain
    a_server_whose_connections_are_all_busy_is_ready
    a_database_that_can_only_be_read_is_read_only
}

on_each_storage! {
    readyz_is_200_while_both_stores_answer
    readyz_is_503_as_soon_as_the_server_drains
}

const SECOND: i64 = 1000;

/// At most so many connections to PostgreSQL has a server of a test open.
const OPEN_CONNECTIONS: usize = 16;

async fn assert_readiness(answer: Response, status: StatusCode, body: Value) {
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.status(), status);
    assert_eq!(answer.json::<Value>().await.expect("JSON"), body);
}

async fn readyz_is_200_while_both_stores_answer(server: Server) {
    let ready = || json!({ "status": "ready" });
    assert_readiness(server.get("/readyz").await, StatusCode::OK, ready()).await;
    assert_eq!(
        server.get("/healthz").await.text().await.expect("text"),
        "ok\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ready_command_fails_unless_a_server_is_ready() {
    let files = CertificateFiles::new();
    let certificate = files.certificate().display().to_string();
    let (plain, secure) = (Server::sqlite().await, Server::sqlite().await);
    let secure = secure.with_serving_args(files.serving_args()).await;
    for (server, tls) in [
        (plain, None),
        (secure, Some(("VIDENCE_TLS_CERT", certificate))),
    ] {
        let listen = server.base.replace("http://", "");
        let mut variables = vec![("VIDENCE_LISTEN", listen)];
        variables.extend(tls);
        vidence(&["ready"], &variables).await.success();
        let folder = server.config().store.data_dir.join("blobs");
        fs::rename(&folder, folder.with_extension("away")).expect("a folder");
        server.advance_clock(SECOND);
        let away = vidence(&["ready"], &variables).await.failure(1);
        assert!(away.contains("503"), "{away}");
    }
    let nowhere = [("VIDENCE_LISTEN", free_address().to_string())];
    let gone = vidence(&["ready"], &nowhere).await.failure(1);
    assert!(gone.contains("no server at http://127.0.0.1:"), "{gone}");
}

async fn readyz_is_503_as_soon_as_the_server_drains(server: Server) {
    let admin = AdminServer::start(&server).await;
    server.stop();
    wait_until(async || admin.get("/readyz").await.status() != StatusCode::OK).await;
    let draining = json!({ "status": "draining" });
    let answer = admin.get("/readyz").await;
    assert_readiness(answer, StatusCode::SERVICE_UNAVAILABLE, draining).await;
    assert_eq!(
        admin.scrape().await.value("vidence_draining", &[]),
        Some(1.0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn readyz_names_a_missing_folder_within_a_second_and_recovers() {
    let server = Server::sqlite().await;
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
    let folder = server.config().store.data_dir.join("blobs");
    let other_folder = folder.with_extension("away");
    fs::rename(&folder, &other_folder).expect("a folder");
    // Cached, so that requests can't load the stores.
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
    server.advance_clock(SECOND);
    let renamed = json!({ "status": "unready", "away": ["blobs"] });
    assert_readiness(
        server.get("/readyz").await,
        StatusCode::SERVICE_UNAVAILABLE,
        renamed,
    )
    .await;
    assert_eq!(server.get("/healthz").await.status(), StatusCode::OK);
    let admin = AdminServer::start(&server).await;
    let scrape = admin.scrape().await;
    assert_eq!(
        scrape.value("vidence_ready", &[("part", "blobs")]),
        Some(0.0)
    );
    assert_eq!(
        scrape.value("vidence_ready", &[("part", "database")]),
        Some(1.0)
    );
    fs::rename(&other_folder, &folder).expect("a folder");
    server.advance_clock(SECOND);
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
}

async fn readyz_names_an_unreachable_database_and_other_metrics_remain() {
    let server = Server::postgres_s3().await;
    assert_eq!(server.get("/readyz").await.status(), StatusCode::OK);
    let url = server.database_url().expect("PostgreSQL");
    let (base, name) = url.rsplit_once('/').expect("a URL with a database");
    let mut connection = AsyncPgConnection::establish(&format!("{base}/postgres"))
        .await
        .expect("PostgreSQL");
    let dropped = format!("DROP DATABASE {name} WITH (FORCE)");
    connection.batch_execute(&dropped).await.expect("a drop");
    server.advance_clock(6 * SECOND);
    let unready = json!({ "status": "unready", "away": ["database"] });
    assert_readiness(
        server.get("/readyz").await,
        StatusCode::SERVICE_UNAVAILABLE,
        unready,
    )
    .await;
    let create = async || {
        let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        let create = server.request(Method::POST, "/v1/requests").json(&body);
        create.send().await.expect("an answer")
    };
    let mut refused = create().await;
    // On each connection that was open PostgreSQL first says why it ends, in words that only people understand.
    for _ in 0..OPEN_CONNECTIONS {
        if !refused.headers().contains_key("retry-after") {
            refused = create().await;
        }
    }
    assert_eq!(refused.headers()["retry-after"], "5");
    assert_refused(refused, 500, "internal_error").await;
    let admin = AdminServer::start(&server).await;
    let failures = async || {
        admin
            .scrape()
            .await
            .count("vidence_mcp_failures_total", &[])
    };
    let before = failures().await;
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let failed = call_expecting_error(&server, "request_video_evidence", &body).await;
    assert_eq!(failed["error"]["code"], "internal_error");
    // Its status is 200, so nothing else counts it.
    assert_eq!(failures().await, before + 1.0);
    let scrape = admin.scrape().await;
    assert_eq!(
        scrape.value("vidence_ready", &[("part", "database")]),
        Some(0.0)
    );
    assert_eq!(
        scrape.value("vidence_requests", &[]),
        None,
        "unknown without the database"
    );
    assert!(scrape.count("vidence_upload_memory_limit_bytes", &[]) > 0.0);
}

/// Otherwise a load balancer would take all nodes away at once.
async fn a_server_whose_connections_are_all_busy_is_ready() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let url = server.database_url().expect("PostgreSQL");
    let lock = Blocker::begin(url, "LOCK TABLE requests IN ACCESS EXCLUSIVE MODE").await;
    let polls = (0..2 * OPEN_CONNECTIONS).map(|_| creator.status());
    let polls = stream::iter(polls).buffer_unordered(usize::MAX).count();
    let probe = async {
        let waiting = || {
            server
                .app
                .db
                .pools()
                .iter()
                .map(|it| it.waiting)
                .sum::<usize>()
        };
        wait_until(async || waiting() > 0).await;
        server.advance_clock(SECOND);
        let ready = json!({ "status": "ready" });
        assert_readiness(server.get("/readyz").await, StatusCode::OK, ready).await;
        lock.release().await;
    };
    let (polled, ()) = tokio::join!(polls, probe);
    assert_eq!(polled, 2 * OPEN_CONNECTIONS);
}

/// A standby, or a server that was set to it because its disk is full.
async fn a_database_that_can_only_be_read_is_read_only() {
    let server = Server::postgres_s3().await;
    let url = server.database_url().expect("PostgreSQL");
    let (_, name) = url.rsplit_once('/').expect("a URL with a database");
    server
        .execute_sql(&format!(
            "ALTER DATABASE {name} SET default_transaction_read_only = on; \
             SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ))
        .await;
    // The connections that were ended count as away first.
    wait_until(async || {
        server.advance_clock(SECOND);
        server.get("/readyz").await.status() == StatusCode::OK
    })
    .await;
    let read_only = json!({ "status": "read_only", "read_only": ["database"] });
    assert_readiness(server.get("/readyz").await, StatusCode::OK, read_only).await;
}
