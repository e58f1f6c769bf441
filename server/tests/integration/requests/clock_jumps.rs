//! A forward jump of the clock ends access at once, but removes data only after a confirmation time.

use bytes::Bytes;
use reqwest::{Method, StatusCode};
use server::blobs::ObjectKey;
use server::clock::Clock;
use server::db::{Reason, Report};
use server::id::{ReportId, RequestId, TakeId};
use server::service::workers::orphan_gc;
use server::service::workers::sweeper::{SweepReport, sweep};

use crate::support::scrape::AdminServer;
use crate::support::{CLIP, CLIP_LENGTH, Creator, HOUR, Server, assert_refused, on_each_storage};

on_each_storage! {
    a_clock_jump_that_is_undone_loses_nothing
    a_clock_jump_is_accepted_after_ten_minutes
    requests_expired_by_both_clocks_are_removed_during_a_jump
    a_start_with_a_wrong_clock_loses_nothing
    requests_that_expired_during_a_long_stop_are_removed_after_ten_minutes
}

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * HOUR;

/// Longer than anything is stored.
const FAR_FUTURE: i64 = 40 * DAY;

async fn report(server: &Server, request_id: RequestId) {
    let report = Report {
        id: ReportId::random(),
        request_id,
        reason: Reason::Fraud,
        text: None,
        prompt: None,
        creator: None,
        reported_at: server.app.clock.now(),
        done_at: None,
    };
    server.app.db.report_insert(report).await.expect("a row");
}

/// Whether the page of an expired link has the script that deletes what the browser has of its recording.
async fn page_deletes_recordings(creator: &Creator<'_>) -> bool {
    let page = creator.server.get(&creator.link_path("")).await;
    assert_eq!(page.status(), StatusCode::GONE);
    let page = page.text().await.expect("a page");
    let mut names = page.split("closed.").map(|it| it.split('"').next());
    names.any(|it| it.is_some_and(|it| it.ends_with(".js")))
}

async fn assert_sweeps(server: &Server, want: SweepReport) {
    assert_eq!(sweep(&server.app).await.expect("a sweep"), want);
}

async fn a_clock_jump_that_is_undone_loses_nothing(server: Server) {
    let admin = AdminServer::start(&server).await;
    let (submitted, awaiting) = (server.create_request().await, server.create_request().await);
    let video = submitted.submit_video(CLIP).await;
    let take = awaiting.create_take().await;
    awaiting.append(&take, 0, CLIP, false).await;
    let request = RequestId::parse(awaiting.id()).expect("an id");
    let take_id = take.rsplit('/').next().and_then(TakeId::parse);
    let orphan = ObjectKey::random(&request, &take_id.expect("an id"));
    let bytes = vec![Bytes::from_static(b"young")];
    server.app.blobs.put(&orphan, bytes).await.expect("a put");
    report(&server, request).await;
    let stored = server.objects().len();

    server.app.clock.jump(FAR_FUTURE);
    for creator in [&submitted, &awaiting] {
        assert_eq!(creator.status().await["status"], "expired");
        assert!(!page_deletes_recordings(creator).await);
    }
    assert_refused(
        submitted.send_authorized(Method::GET, &video).await,
        410,
        "gone",
    )
    .await;
    let append = awaiting.append(&take, CLIP_LENGTH, "more", false).await;
    assert_refused(append, 410, "gone").await;
    for _ in 0..2 {
        assert_sweeps(&server, SweepReport::default()).await;
        assert_eq!(orphan_gc::remove(&server.app).await.expect("a search"), 0);
        server.advance_clock(4 * MINUTE);
    }
    assert_eq!(server.objects().len(), stored);
    let scrape = admin.scrape().await;
    let ahead = scrape.value("vidence_clock_ahead_seconds", &[]);
    assert_eq!(ahead, Some(40.0 * 86_400.0));
    assert_eq!(
        scrape.value("vidence_sweeper_overdue_seconds", &[]),
        Some(0.0)
    );

    server.app.clock.jump(-FAR_FUTURE);
    assert_eq!(submitted.status().await["status"], "submitted");
    let answer = submitted.send_authorized(Method::GET, &video).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = server.get(&awaiting.link_path("")).await;
    assert!(
        page.text()
            .await
            .expect("a page")
            .contains("Show the dent.")
    );
    let append = awaiting.append(&take, CLIP_LENGTH, "", true).await;
    assert_eq!(append.status(), StatusCode::NO_CONTENT);
    assert_eq!(awaiting.submit(&take).await.status(), StatusCode::OK);
    let reports = server.app.db.reports_open(None, 10).await.expect("rows");
    assert_eq!(reports.len(), 1);
    let scrape = admin.scrape().await;
    let ahead = scrape.value("vidence_clock_ahead_seconds", &[]);
    assert_eq!(ahead, Some(0.0));
}

async fn a_clock_jump_is_accepted_after_ten_minutes(server: Server) {
    let (submitted, awaiting) = (server.create_request().await, server.create_request().await);
    let video = submitted.submit_video(CLIP).await;
    awaiting.upload(CLIP).await;
    server.app.clock.jump(DAY);
    assert_sweeps(&server, SweepReport::default()).await;
    server.advance_clock(9 * MINUTE);
    assert_sweeps(&server, SweepReport::default()).await;
    assert_eq!(server.objects().len(), 2);

    server.advance_clock(MINUTE);
    sweep(&server.app).await.expect("a sweep");
    server.wait_for_objects(0).await;
    assert!(page_deletes_recordings(&submitted).await);
    // The expiry is latched from here on.
    server.app.clock.jump(-DAY);
    for creator in [&submitted, &awaiting] {
        assert_eq!(creator.status().await["status"], "expired");
    }
    assert_refused(
        submitted.send_authorized(Method::GET, &video).await,
        410,
        "gone",
    )
    .await;
}

async fn requests_expired_by_both_clocks_are_removed_during_a_jump(server: Server) {
    let old_report = server.create_request().await;
    let video = old_report.submit_video(CLIP).await;
    server.advance_clock(HOUR - 5 * MINUTE);
    let young_report = server.create_request().await;
    let kept = young_report.submit_video(CLIP).await;
    server.app.clock.jump(DAY);
    assert_sweeps(&server, SweepReport::default()).await;
    server.advance_clock(5 * MINUTE);
    sweep(&server.app).await.expect("a sweep");
    server.wait_for_objects(1).await;
    server.app.clock.jump(-DAY);
    assert_refused(
        old_report.send_authorized(Method::GET, &video).await,
        410,
        "gone",
    )
    .await;
    assert_eq!(
        young_report
            .send_authorized(Method::GET, &kept)
            .await
            .status(),
        StatusCode::OK
    );
}

/// Restarts the server, with a clock that begins this much later.
async fn restart_later(mut server: Server, by: i64) -> Server {
    sweep(&server.app).await.expect("a sweep");
    let later = Clock::manual_at(server.app.clock.now() + by);
    server.app.clock = later;
    server.restart().await
}

async fn a_start_with_a_wrong_clock_loses_nothing(server: Server) {
    let (submitted, awaiting) = (server.create_request().await, server.create_request().await);
    let video = submitted.submit_video(CLIP).await;
    let take = awaiting.create_take().await;
    awaiting.append(&take, 0, CLIP, false).await;
    report(&server, RequestId::parse(awaiting.id()).expect("an id")).await;
    let stored = server.objects().len();
    let (submitted, awaiting) = (submitted.created, awaiting.created);

    let server = restart_later(server, FAR_FUTURE).await;
    let (submitted, awaiting) = (server.creator(&submitted), server.creator(&awaiting));
    for creator in [&submitted, &awaiting] {
        assert_eq!(creator.status().await["status"], "expired");
    }
    assert_sweeps(&server, SweepReport::default()).await;
    server.advance_clock(9 * MINUTE);
    assert_sweeps(&server, SweepReport::default()).await;
    let reports = server.app.db.reports_open(None, 10).await.expect("rows");
    assert_eq!(reports.len(), 1);
    assert_eq!(server.objects().len(), stored);

    server.app.clock.jump(-FAR_FUTURE);
    assert_sweeps(&server, SweepReport::default()).await;
    let answer = submitted.send_authorized(Method::GET, &video).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let append = awaiting.append(&take, CLIP_LENGTH, "", true).await;
    assert_eq!(append.status(), StatusCode::NO_CONTENT);
}

async fn requests_that_expired_during_a_long_stop_are_removed_after_ten_minutes(server: Server) {
    let created = server.create_request().await;
    created.submit_video(CLIP).await;
    let created = created.created;
    let server = restart_later(server, DAY).await;
    assert_sweeps(&server, SweepReport::default()).await;
    server.advance_clock(5 * MINUTE);
    // Another start goes on with the wait, also if it is after a while.
    let server = restart_later(server, HOUR).await;
    server.advance_clock(4 * MINUTE);
    assert_sweeps(&server, SweepReport::default()).await;
    assert!(!server.objects().is_empty(), "removed too early");
    server.advance_clock(MINUTE);
    sweep(&server.app).await.expect("a sweep");
    server.wait_for_objects(0).await;
    let creator = server.creator(&created);
    assert_eq!(creator.status().await["status"], "expired");
    // From here on a short stop is like none.
    let server = restart_later(server, MINUTE).await;
    assert_eq!(server.app.clock.unconfirmed(), 0);
}
