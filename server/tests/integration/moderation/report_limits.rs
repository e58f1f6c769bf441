//! Limits of abuse reports, by request and by address.

use reqwest::StatusCode;
use server::config::QuotaArgs;

use super::reports::report;
use crate::support::binary::{open_reports, stdout_of};
use crate::support::scrape::{AdminServer, assert_grown};
use crate::support::{Server, on_each_storage, unlimited_quotas};

on_each_storage! {
    reports_of_one_request_are_limited
    closed_reports_do_not_count_against_the_limit
    reports_from_one_address_are_rate_limited
}

async fn reports_of_one_request_are_limited(server: Server) {
    let admin = AdminServer::start(&server).await;
    let (creator, other) = (server.create_request().await, server.create_request().await);
    let before = admin.scrape().await;
    for _ in 0..10 {
        let answer = report(&creator, "reason=fraud").await;
        assert_eq!(answer.status(), StatusCode::OK);
    }
    let answer = report(&creator, "reason=fraud").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let html = answer.text().await.expect("HTML");
    assert!(html.contains("reported often enough"), "{html}");
    assert_eq!(open_reports(&server).await.len(), 10);
    let (refused, after) = ("vidence_refusals_total", admin.scrape().await);
    assert_grown(&before, &after, refused, &[("reason", "report_rate")], 1.0);
    // Many for one reason silence no other.
    let answer = report(&creator, "reason=danger").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let answer = report(&other, "reason=fraud").await;
    assert_eq!(answer.status(), StatusCode::OK);
}

async fn closed_reports_do_not_count_against_the_limit(server: Server) {
    let creator = server.create_request().await;
    for _ in 0..10 {
        report(&creator, "reason=fraud").await;
    }
    let listed = open_reports(&server).await;
    let flags = listed.iter().filter_map(|it| it["report"].as_str());
    let words: Vec<&str> = ["reports", "--done"].into_iter().chain(flags).collect();
    stdout_of(&server, &words).await;
    assert_eq!(open_reports(&server).await.len(), 0);
    let answer = report(&creator, "reason=danger").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(open_reports(&server).await[0]["reason"], "danger");
}

async fn reports_from_one_address_are_rate_limited(server: Server) {
    let quotas = QuotaArgs {
        report_limit: "1/hour:2".parse().expect("an allowance"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let admin = AdminServer::start(&server).await;
    let creator = server.create_request().await;
    let before = admin.scrape().await;
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(report(&creator, "reason=fraud").await);
    }
    let statuses: Vec<_> = answers.iter().map(|it| it.status().as_u16()).collect();
    assert_eq!(statuses, [200, 200, 429]);
    assert_eq!(answers[2].headers()["retry-after"], "3600");
    let html = answers.remove(2).text().await.expect("HTML");
    assert!(html.contains("Too many reports at once"), "{html}");
    assert_eq!(open_reports(&server).await.len(), 2);
    let (refused, after) = ("vidence_refusals_total", admin.scrape().await);
    assert_grown(&before, &after, refused, &[("reason", "report_rate")], 1.0);
}
