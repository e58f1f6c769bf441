//! The operator's list of open reports.

use server::clock::Millis;
use server::db::{Reason, Report, Request};
use server::id::{ReportId, RequestId};

use super::reports::report;
use crate::support::binary::{open_reports, stdout_of, vidence};
use crate::support::scrape::AdminServer;
use crate::support::{Server, on_each_storage};

on_each_storage! {
    closed_reports_are_not_listed
    all_reports_are_listed_newest_first
    pages_of_reports_follow_each_other_without_gap_or_overlap
    a_report_is_deleted_as_soon_as_it_is_too_old
}

/// A report of a request at this time, to be stored.
fn report_at(request: &RequestId, at: Millis) -> Report {
    Report {
        id: ReportId::random(),
        request_id: request.clone(),
        reason: Reason::Other,
        text: None,
        prompt: None,
        creator: None,
        reported_at: at,
        done_at: None,
    }
}

async fn closed_reports_are_not_listed(server: Server) {
    // Longer than gauges of queries are cached.
    const MINUTE: Millis = 60 * 1000;
    let creator = server.create_request().await;
    for reason in ["reason=fraud", "reason=danger"] {
        report(&creator, reason).await;
        server.advance_clock(MINUTE);
    }
    let admin = AdminServer::start(&server).await;
    // The number of open reports, and the age of the oldest in seconds.
    let backlog = async || {
        let scrape = admin.scrape().await;
        let gauges = ["vidence_reports_open", "vidence_reports_oldest_seconds"];
        gauges.map(|it| scrape.value(it, &[]))
    };
    assert_eq!(backlog().await, [Some(2.0), Some(120.0)]);
    let listed = open_reports(&server).await;
    let oldest = listed[1]["report"].as_str().expect("a name");
    stdout_of(&server, &["reports", "--done", oldest]).await;
    let left = open_reports(&server).await;
    assert_eq!(left.len(), 1);
    assert_ne!(left[0]["report"], oldest);
    server.advance_clock(MINUTE);
    assert_eq!(backlog().await, [Some(1.0), Some(120.0)]);
    let second = left[0]["report"].as_str().expect("a name");
    for unknown in ["0000000000000000000000", "abc"] {
        let words = ["reports", "--done", unknown, second];
        let output = vidence(&words, &server.environment()).await;
        let complaint = output.failure(1);
        let named = format!("no such report here: {unknown}\n");
        assert!(complaint.contains(&named), "{complaint}");
    }
    assert_eq!(
        open_reports(&server).await.len(),
        0,
        "the known one is done with"
    );
    server.advance_clock(MINUTE);
    assert_eq!(backlog().await, [Some(0.0), Some(0.0)]);
}

async fn all_reports_are_listed_newest_first(server: Server) {
    // More than one batch of rows, many with the same timestamp.
    const REQUESTS: i64 = 26;
    // A sweep may remove older ones.
    let now = server.app.clock.now();
    let mut flags = Vec::new();
    for request in 0..REQUESTS {
        let creator = server.create_request().await;
        let request_id = RequestId::parse(creator.id()).expect("an id");
        for number in 0..20 {
            let mut row = report_at(&request_id, now - (request * 7 + number) % 5);
            // A request takes ten for each reason.
            if number >= 10 {
                row.reason = Reason::Fraud;
            }
            flags.push(row.id.to_string());
            server.app.db.report_insert(row).await.expect("a row");
        }
    }
    let listed = open_reports(&server).await;
    let text = |field: &str| -> Vec<String> {
        let texts = listed.iter().filter_map(|it| it[field].as_str());
        texts.map(str::to_owned).collect()
    };
    let times = text("reported_at");
    assert!(times.is_sorted_by(|one, next| one >= next), "{times:?}");
    let mut found = text("report");
    found.sort_unstable();
    flags.sort_unstable();
    assert_eq!(found, flags);
    let submitted_form = stdout_of(&server, &["reports"]).await;
    assert!(submitted_form.ends_with("\n520 reports.\n"));
}

async fn pages_of_reports_follow_each_other_without_gap_or_overlap(server: Server) {
    let creator = server.create_request().await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let (db, now) = (&server.app.db, server.app.clock.now());
    for age in [1, 2, 0, 1, 1] {
        let row = report_at(&request, now - age);
        db.report_insert(row).await.expect("a row");
    }
    let closed = report_at(&request, now - 1);
    db.report_insert(closed.clone()).await.expect("a row");
    assert!(db.report_close(closed.id, now).await.expect("a row"));
    let page = async |after: Option<&(Report, Request)>, limit| {
        let after = after.map(|(report, _)| (report.reported_at, report.id.clone()));
        db.reports_open(after, limit).await.expect("rows")
    };
    let id = |row: &(Report, Request)| row.0.id.to_string();
    let all = page(None, 100).await;
    let ages = all.iter().map(|(report, _)| now - report.reported_at);
    assert_eq!(ages.collect::<Vec<_>>(), [0, 1, 1, 1, 2]);
    assert!(all.iter().all(|(_, reported)| reported.id == request));
    for limit in [1, 2, 3, 5, 6] {
        let mut last = None;
        for want in all.chunks(usize::try_from(limit).expect("small")) {
            let found = page(last, limit).await;
            assert!(found.iter().map(id).eq(want.iter().map(id)), "{limit}");
            last = want.last();
        }
        assert!(page(last, limit).await.is_empty(), "{limit}");
    }
}

async fn a_report_is_deleted_as_soon_as_it_is_too_old(server: Server) {
    let creator = server.create_request().await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let (db, now) = (&server.app.db, server.app.clock.now());
    db.report_insert(report_at(&request, now))
        .await
        .expect("a row");
    for (before, deleted) in [(now, 0), (now + 1, 1), (now + 1, 0)] {
        assert_eq!(db.reports_delete(before).await.expect("rows"), deleted);
    }
}
