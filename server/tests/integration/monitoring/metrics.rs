//! The Prometheus metrics after a request lifecycle.

use std::collections::BTreeSet;

use reqwest::header::{HeaderMap, HeaderValue, RANGE};
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::blobs::ObjectKey;
use server::config::QuotaArgs;
use server::id::{RequestId, TakeId};
use server::release::REVISION;
use server::service::workers::orphan_gc;
use server::telemetry::names::ALL;
use server::{Tls, serve_admin, telemetry};
use tokio::net::TcpListener;

use crate::monitoring::dashboards;
use crate::support::certificate::CertificateFiles;
use crate::support::scrape::{AdminServer, Scrape, assert_grown, http};
use crate::support::{HOUR, LIVE_WEBM, Server, on_each_storage, unlimited_quotas, wait_until};

on_each_storage! {
    a_request_lifecycle_is_counted_and_no_label_identifies_it
    metrics_are_recorded_from_the_start_of_the_admin_listener
    sweeper_and_orphan_collection_are_counted
    metrics_are_served_on_the_admin_listener_only
}

/// Longer than gauges of database queries are cached.
const AFTER_SWEEP: i64 = 6000;

const FOLDER_STORE_ONLY: [&str; 5] = [
    "vidence_disk_free_bytes",
    "vidence_disk_size_bytes",
    "vidence_disk_floor_bytes",
    "vidence_disk_free_files",
    "vidence_disk_floor_files",
];

async fn a_request_lifecycle_is_counted_and_no_label_identifies_it(server: Server) {
    let quotas = QuotaArgs {
        create_limit: "1/hour:1".parse().expect("an allowance"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let files = CertificateFiles::new();
    let tls = Tls::open(&files.certificate(), &files.key()).expect("a certificate");
    let admin = AdminServer::start_with(&server, Some(tls)).await;
    wait_until(async || {
        let swept = [("work", "sweep")];
        let last = admin.scrape().await;
        last.value("vidence_job_last_success_timestamp_seconds", &swept)
            .is_some()
    })
    .await;
    let before = admin.scrape().await;

    let creator = server.create_request().await;
    let body = json!({ "prompt": "Once more.", "expires_in_hours": 1 });
    let refused = server.post("/v1/requests", &body).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    let video = creator.submit_video(LIVE_WEBM).await;
    let metadata = video.replace("/v1/videos/", "/videos/") + "/metadata";
    wait_until(async || {
        let metadata = creator.send_authorized(Method::GET, &metadata).await;
        let metadata: serde_json::Value = metadata.json().await.expect("metadata");
        metadata["stills"]["status"] == "ready"
    })
    .await;
    let whole = creator.send_authorized(Method::GET, &video).await;
    let length = whole.bytes().await.expect("bytes").len() as f64;
    let range = HeaderMap::from_iter([(RANGE, HeaderValue::from_static("bytes=5-14"))]);
    let range = creator.send_with_headers(Method::GET, &video, range).await;
    assert_eq!(range.bytes().await.expect("bytes").len(), 10);
    assert_eq!(server.get(&video).await.status(), StatusCode::UNAUTHORIZED);
    server.advance_clock(AFTER_SWEEP);
    let submitted = admin.scrape().await;
    let take = server
        .app
        .db
        .takes_of(&RequestId::parse(creator.id()).expect("an id"))
        .await;
    let take = take.expect("rows").remove(0).id;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    server.advance_clock(AFTER_SWEEP);
    let deleted = http("DELETE", "/v1/requests/{id}", "204");
    let total = "vidence_http_requests_total";
    admin
        .wait_for_growth(&submitted, total, &deleted, 1.0)
        .await;
    let text = admin.text().await;
    let after = Scrape::parse(&text);

    let recorded = LIVE_WEBM.len() as f64;
    for (method, route, status) in [
        ("POST", "/v1/requests", "201"),
        ("POST", "/v1/requests", "429"),
        ("POST", "/r/{id}/takes", "201"),
        ("PATCH", "/r/{id}/takes/{take}", "204"),
        ("GET", "/v1/videos/{id}", "200"),
        ("GET", "/v1/videos/{id}", "206"),
        ("GET", "/v1/videos/{id}", "401"),
        ("DELETE", "/v1/requests/{id}", "204"),
    ] {
        let labels = http(method, route, status);
        assert_grown(&before, &after, "vidence_http_requests_total", &labels, 1.0);
    }
    for (state, by) in [
        ("awaiting_submission", 1.0),
        ("submitted", 1.0),
        ("deleted", 1.0),
        ("expired", 0.0),
    ] {
        let labels = [("to", state)];
        assert_grown(
            &before,
            &after,
            "vidence_request_transitions_total",
            &labels,
            by,
        );
    }
    for (name, labels, by) in [
        (
            "vidence_http_request_duration_seconds_count",
            &http("GET", "/v1/videos/{id}", "")[..2],
            3.0,
        ),
        ("vidence_takes_begun_total", &[], 1.0),
        ("vidence_takes_completed_total", &[], 1.0),
        ("vidence_upload_received_bytes_total", &[], recorded),
        ("vidence_upload_committed_bytes_total", &[], recorded),
        ("vidence_commit_duration_seconds_count", &[], 1.0),
        ("vidence_commit_object_duration_seconds_count", &[], 1.0),
        ("vidence_commit_rows_duration_seconds_count", &[], 1.0),
        ("vidence_commit_lag_seconds_count", &[], 1.0),
        (
            "vidence_sealing_duration_seconds_count",
            &[("work", "seal")],
            1.0,
        ),
        (
            "vidence_sealing_duration_seconds_count",
            &[("work", "stills")],
            1.0,
        ),
        ("vidence_sealing_failures_total", &[], 0.0),
        ("vidence_streamed_bytes_total", &[], length + 10.0),
        ("vidence_refusals_total", &[("reason", "create_rate")], 1.0),
        ("vidence_refusals_total", &[("reason", "read_rate")], 0.0),
    ] {
        assert_grown(&before, &after, name, labels, by);
    }
    assert!(after.count("vidence_stills_total", &[]) >= 1.0);
    let state = |scrape: &Scrape, state| scrape.value("vidence_requests", &[("state", state)]);
    assert_eq!(state(&submitted, "submitted"), Some(1.0));
    assert_eq!(state(&after, "submitted"), Some(0.0));
    assert_eq!(
        state(&after, "deleted"),
        Some(0.0),
        "nothing is left to sweep"
    );
    assert!(submitted.count("vidence_stored_bytes", &[]) >= recorded);
    for (name, labels, want) in [
        ("vidence_ready", [("part", "database")], 1.0),
        ("vidence_ready", [("part", "blobs")], 1.0),
        ("vidence_sealing_queue", [("work", "seal")], 0.0),
        (
            "vidence_sealing_queue_oldest_seconds",
            [("work", "stills")],
            0.0,
        ),
        (
            "vidence_build_info",
            [("version", env!("CARGO_PKG_VERSION"))],
            1.0,
        ),
        ("vidence_build_info", [("revision", REVISION)], 1.0),
    ] {
        assert_eq!(after.value(name, &labels), Some(want), "{name}");
    }
    for (name, want) in [
        ("vidence_draining", 0.0),
        ("vidence_upload_memory_used_bytes", 0.0),
        ("vidence_upload_memory_limit_bytes", f64::from(256 << 20)),
        ("vidence_waits_in_flight", 0.0),
        ("vidence_sweeper_overdue_seconds", 0.0),
    ] {
        assert_eq!(after.value(name, &[]), Some(want), "{name}");
    }

    // Exactly the declared metrics are exported.
    let missing = |name: &&str| server.has_shared_stores() && FOLDER_STORE_ONLY.contains(name);
    let all: BTreeSet<&str> = ALL.iter().map(|it| it.name).collect();
    let expected: BTreeSet<&str> = all.into_iter().filter(|it| !missing(it)).collect();
    assert_eq!(after.names(), expected);
    if !server.has_shared_stores() {
        dashboards::assert_queries_match(&after);
    }

    let name = |path: &str| path.rsplit('/').next().expect("a name").to_owned();
    for (what, secret) in [
        ("the request", creator.id().to_owned()),
        ("the token", creator.created.access_token.clone()),
        ("the take", take.as_str().to_owned()),
        ("the video", name(&video)),
        ("the prompt", "Show the dent".to_owned()),
        ("an address", "127.0.0".to_owned()),
        ("a host", "localhost".to_owned()),
    ] {
        assert!(!text.contains(&secret), "{what} is in the numbers");
    }
}

async fn metrics_are_recorded_from_the_start_of_the_admin_listener(server: Server) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let _not_yet_polled = serve_admin(server.app.clone(), listener, None);
    assert!(telemetry::is_on());
}

async fn sweeper_and_orphan_collection_are_counted(server: Server) {
    for work in ["sweep", "orphans"] {
        server.wait_for_first(work).await;
    }
    let admin = AdminServer::start(&server).await;
    let creator = server.create_request().await;
    creator.upload(LIVE_WEBM).await;
    // An object whose row isn't written yet would count as an orphan.
    let db = &server.app.db;
    wait_until(async || db.backlogs().await.expect("rows").is_empty()).await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let take = TakeId::random();
    let blobs = &server.app.blobs;
    blobs.prepare_take(&request, &take).await.expect("a folder");
    let key = ObjectKey::random(&request, &take);
    blobs
        .put(&key, vec!["nobody's".into()])
        .await
        .expect("a put");
    let before = admin.scrape().await;
    server.age_objects(HOUR);
    orphan_gc::remove(&server.app).await.expect("a search");
    server.advance_clock(HOUR);
    server.app.sweeper.notify_one();
    wait_until(async || server.objects().is_empty()).await;
    let swept = |scrape: &Scrape| scrape.count("vidence_sweeper_removed_requests_total", &[]);
    wait_until(async || swept(&admin.scrape().await) > swept(&before)).await;
    let after = admin.scrape().await;
    for (name, labels, by) in [
        ("vidence_orphans_found_total", &[][..], 1.0),
        ("vidence_orphans_removed_total", &[], 1.0),
        ("vidence_sweeper_removed_requests_total", &[], 1.0),
        ("vidence_sweeper_failures_total", &[], 0.0),
        (
            "vidence_request_transitions_total",
            &[("to", "expired")],
            1.0,
        ),
    ] {
        assert_grown(&before, &after, name, labels, by);
    }
}

async fn metrics_are_served_on_the_admin_listener_only(server: Server) {
    let admin = AdminServer::start(&server).await;
    assert_eq!(server.get("/metrics").await.status(), StatusCode::NOT_FOUND);
    for path in ["/metrics", "/healthz", "/readyz"] {
        assert_eq!(admin.get(path).await.status(), StatusCode::OK, "{path}");
    }
    for path in ["/", "/v1/openapi.json", "/docs", "/metrics/"] {
        assert_eq!(
            admin.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}
