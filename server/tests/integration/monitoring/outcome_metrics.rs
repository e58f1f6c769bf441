//! Metrics of refusals, of background jobs and of stored bytes.

use reqwest::{Method, StatusCode};
use server::config::{LimitArgs, QuotaArgs};
use server::service::workers::sweeper::sweep;

use crate::support::scrape::{AdminServer, assert_grown};
use crate::support::{
    AUDIO_ONLY_WEBM, CLIP, HOUR, LIVE_WEBM, SEEKABLE_WEBM, Server, VP9_WEBM, assert_refused,
    generous_limits, on_each_storage, unlimited_quotas, wait_until,
};

on_each_storage! {
    every_background_job_runs_from_the_start
    stored_bytes_are_counted_without_a_sweep
    refusals_for_lack_of_space_are_counted
    refused_and_delayed_calls_are_counted
    takes_that_make_room_or_were_abandoned_are_counted
    takes_without_a_picture_are_counted
}

async fn every_background_job_runs_from_the_start(server: Server) {
    let admin = AdminServer::start(&server).await;
    for work in ["sweep", "orphans", "changes", "sealing", "stills"] {
        server.wait_for_first(work).await;
        let scrape = admin.scrape().await;
        let age = scrape.value("vidence_job_age_seconds", &[("work", work)]);
        assert!(age.is_some_and(|it| it >= 0.0), "{work}");
    }
    // Which runs every half second.
    let done = [("work", "changes"), ("outcome", "done")];
    let runs = async || admin.scrape().await.count("vidence_job_runs_total", &done);
    let before = runs().await;
    wait_until(async || runs().await > before).await;
}

async fn stored_bytes_are_counted_without_a_sweep(server: Server) {
    // The first sweep counts, the next one comes half a minute later.
    server.wait_for_first("sweep").await;
    let admin = AdminServer::start(&server).await;
    // One recording gets an index, the other one needs none.
    for video in [LIVE_WEBM, SEEKABLE_WEBM] {
        server.create_request().await.submit_video(video).await;
    }
    let db = &server.app.db;
    wait_until(async || db.backlogs().await.expect("rows").is_empty()).await;
    let stored = db.stored_bytes().await.expect("rows");
    let counted = admin.scrape().await.value("vidence_stored_bytes", &[]);
    assert_eq!(counted.map(|it| it.to_string()), Some(stored.to_string()));
}

async fn refusals_for_lack_of_space_are_counted(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: 0,
        ..unlimited_quotas()
    };
    let creator = server.create_request().await.created;
    let server = server.with_quotas(quotas).await;
    let admin = AdminServer::start(&server).await;
    let creator_here = server.creator(&creator);
    let before = admin.scrape().await;
    let begun = creator_here.begin_take().await;
    assert_eq!(begun.status(), StatusCode::INSUFFICIENT_STORAGE);
    let (name, labels) = ("vidence_refusals_total", [("reason", "creator_bytes")]);
    assert_grown(&before, &admin.scrape().await, name, &labels, 1.0);
    drop(admin);

    let limits = LimitArgs {
        max_stored_bytes: Some(0),
        ..generous_limits()
    };
    let server = server.with_quotas(unlimited_quotas()).await;
    let server = server.with_limits(limits).await;
    let admin = AdminServer::start(&server).await;
    let creator = server.creator(&creator);
    let take = creator.create_take().await;
    let before = admin.scrape().await;
    let answer = creator.append(&take, 0, CLIP, false).await;
    assert_refused(answer, 507, "insufficient_storage").await;
    let (name, labels) = ("vidence_refusals_total", [("reason", "store_full")]);
    assert_grown(&before, &admin.scrape().await, name, &labels, 1.0);
}

async fn refused_and_delayed_calls_are_counted(server: Server) {
    let creator = server.create_request().await.created;
    let quotas = QuotaArgs {
        read_limit: "1/hour:1".parse().expect("a rate"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let admin = AdminServer::start(&server).await;
    let creator = server.creator(&creator);
    let path = format!("/v1/requests/{}", creator.id());
    let before = admin.scrape().await;
    // One read is allowed, and ten calls in all.
    for count in 0..11 {
        let answer = creator.send_authorized(Method::GET, &path).await;
        let want = if count == 0 {
            StatusCode::OK
        } else {
            StatusCode::TOO_MANY_REQUESTS
        };
        assert_eq!(answer.status(), want, "{count}");
    }
    let delayed = async { server.get("/robots.txt").await };
    let steps = async {
        wait_until(async || server.app.quotas.throttled() == 1).await;
        let after = admin.scrape().await;
        for (name, labels, by) in [
            (
                "vidence_refusals_total",
                &[("reason", "read_rate")][..],
                9.0,
            ),
            ("vidence_refusals_total", &[("reason", "call_rate")], 1.0),
            ("vidence_throttled_requests_total", &[], 1.0),
        ] {
            assert_grown(&before, &after, name, labels, by);
        }
        server.advance_clock(HOUR);
    };
    assert_eq!(tokio::join!(delayed, steps).0.status(), StatusCode::OK);
}

async fn takes_that_make_room_or_were_abandoned_are_counted(server: Server) {
    let limits = LimitArgs {
        max_takes: 1,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let admin = AdminServer::start(&server).await;
    let body = serde_json::json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    let created = server.post("/v1/requests", &body).await;
    let creator = server.creator(&created.json().await.expect("a created request"));
    creator.create_take().await;
    let before = admin.scrape().await;
    server.advance_clock(HOUR);
    // In the place of the first one.
    creator.create_take().await;
    let ended = "vidence_takes_ended_total";
    assert_grown(&before, &admin.scrape().await, ended, &[], 1.0);
    server.advance_clock(26 * HOUR);
    sweep(&server.app).await.expect("a sweep");
    let abandoned = "vidence_sweeper_abandoned_takes_total";
    wait_until(async || admin.scrape().await.count(abandoned, &[]) > before.count(abandoned, &[]))
        .await;
    assert_grown(&before, &admin.scrape().await, abandoned, &[], 1.0);
}

async fn takes_without_a_picture_are_counted(server: Server) {
    let admin = AdminServer::start(&server).await;
    let before = admin.scrape().await;
    let creator = server.create_request().await;
    let take = creator.upload(AUDIO_ONLY_WEBM).await;
    assert_refused(creator.submit(&take).await, 422, "no_video").await;
    let (refused, why) = ("vidence_sealing_refused_total", [("reason", "no_video")]);
    assert_grown(&before, &admin.scrape().await, refused, &why, 1.0);
    // For which there is no decoder here.
    creator.submit_video(VP9_WEBM).await;
    let without = "vidence_videos_without_stills_total";
    wait_until(async || admin.scrape().await.count(without, &[]) > before.count(without, &[]))
        .await;
    assert_grown(&before, &admin.scrape().await, without, &[], 1.0);
}
