//! The operator's list of open reports.

use server::db::{Reason, Report};
use server::id::{ReportId, RequestId};

use super::reports::report;
use crate::support::binary::{open_reports, stdout_of, vidence};
use crate::support::{Server, on_each_storage};

on_each_storage! {
    closed_reports_are_not_listed
    all_reports_are_listed_newest_first
}

async fn closed_reports_are_not_listed(server: Server) {
    let creator = server.create_request().await;
    for reason in ["reason=fraud", "reason=danger"] {
        report(&creator, reason).await;
    }
    let listed = open_reports(&server).await;
    let first = listed[0]["report"].as_str().expect("a name");
    stdout_of(&server, &["reports", "--done", first]).await;
    let left = open_reports(&server).await;
    assert_eq!(left.len(), 1);
    assert_ne!(left[0]["report"], first);
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
            let row = Report {
                id: ReportId::random(),
                request_id: request_id.clone(),
                reason: Reason::Other,
                text: None,
                prompt: None,
                creator: None,
                reported_at: now - (request * 7 + number) % 5,
                done_at: None,
            };
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
