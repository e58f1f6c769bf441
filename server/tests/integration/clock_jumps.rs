//! A clock that jumps forward ends access at once, and removes nothing until the jump is confirmed.

use bytes::Bytes;
use reqwest::{Method, StatusCode};
use server::blobs::ObjectKey;
use server::db::{Reason, Report};
use server::id::{ReportId, RequestId, TakeId};
use server::service::workers::orphan_gc;
use server::service::workers::sweeper::{SweepReport, sweep};

use crate::scrape::Admin;
use crate::support::{CLIP, CLIP_LENGTH, HOUR, Server, assert_refused, journeys};

journeys! {
    a_jump_that_is_taken_back_has_lost_nothing
    a_jump_that_stays_for_ten_minutes_counts
    what_is_over_by_both_clocks_is_removed_during_a_jump
}

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * HOUR;

/// Longer than anything is kept.
const FAR: i64 = 40 * DAY;

async fn assert_sweeps(server: &Server, want: SweepReport) {
    assert_eq!(sweep(&server.app).await.expect("a sweep"), want);
}

async fn a_jump_that_is_taken_back_has_lost_nothing(server: Server) {
    let admin = Admin::of(&server).await;
    let (submitted, awaiting) = (server.create().await, server.create().await);
    let video = submitted.submit_video(CLIP).await;
    let take = awaiting.begin().await;
    awaiting.append(&take, 0, CLIP, false).await;
    let request = RequestId::parse(awaiting.id()).expect("an id");
    let take_id = take.rsplit('/').next().and_then(TakeId::parse);
    let orphan = ObjectKey::random(&request, &take_id.expect("an id"));
    let bytes = vec![Bytes::from_static(b"young")];
    server.app.blobs.put(&orphan, bytes).await.expect("a put");
    let report = Report {
        id: ReportId::random(),
        request_id: request,
        reason: Reason::Fraud,
        text: None,
        prompt: None,
        creator: None,
        reported_at: server.app.clock.now(),
        done_at: None,
    };
    server.app.db.report_insert(report).await.expect("a row");
    let stored = server.objects().len();

    server.app.clock.jump(FAR);
    for creator in [&submitted, &awaiting] {
        assert_eq!(creator.status().await["status"], "expired");
        assert_eq!(
            server.get(&creator.page("")).await.status(),
            StatusCode::GONE
        );
    }
    assert_refused(submitted.ask(Method::GET, &video).await, 410, "gone").await;
    let append = awaiting.append(&take, CLIP_LENGTH, "more", false).await;
    assert_refused(append, 410, "gone").await;
    for _ in 0..2 {
        assert_sweeps(&server, SweepReport::default()).await;
        assert_eq!(orphan_gc::remove(&server.app).await.expect("a search"), 0);
        server.later(4 * MINUTE);
    }
    assert_eq!(server.objects().len(), stored);
    let scrape = admin.scrape().await;
    let ahead = scrape.value("vidence_clock_ahead_seconds", &[]);
    assert_eq!(ahead, Some(40.0 * 86_400.0));
    assert_eq!(
        scrape.value("vidence_sweeper_overdue_seconds", &[]),
        Some(0.0)
    );

    server.app.clock.jump(-FAR);
    assert_eq!(submitted.status().await["status"], "submitted");
    let answer = submitted.ask(Method::GET, &video).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = server.get(&awaiting.page("")).await;
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

async fn a_jump_that_stays_for_ten_minutes_counts(server: Server) {
    let (submitted, awaiting) = (server.create().await, server.create().await);
    let video = submitted.submit_video(CLIP).await;
    awaiting.upload(CLIP).await;
    server.app.clock.jump(DAY);
    assert_sweeps(&server, SweepReport::default()).await;
    server.later(9 * MINUTE);
    assert_sweeps(&server, SweepReport::default()).await;
    assert_eq!(server.objects().len(), 2);

    server.later(MINUTE);
    sweep(&server.app).await.expect("a sweep");
    server.objects_become(0).await;
    // From here on it is latched, as ever.
    server.app.clock.jump(-DAY);
    for creator in [&submitted, &awaiting] {
        assert_eq!(creator.status().await["status"], "expired");
    }
    assert_refused(submitted.ask(Method::GET, &video).await, 410, "gone").await;
}

async fn what_is_over_by_both_clocks_is_removed_during_a_jump(server: Server) {
    let old = server.create().await;
    let video = old.submit_video(CLIP).await;
    server.later(HOUR - 5 * MINUTE);
    let young = server.create().await;
    let kept = young.submit_video(CLIP).await;
    server.app.clock.jump(DAY);
    assert_sweeps(&server, SweepReport::default()).await;
    server.later(5 * MINUTE);
    sweep(&server.app).await.expect("a sweep");
    server.objects_become(1).await;
    server.app.clock.jump(-DAY);
    assert_refused(old.ask(Method::GET, &video).await, 410, "gone").await;
    assert_eq!(young.ask(Method::GET, &kept).await.status(), StatusCode::OK);
}
