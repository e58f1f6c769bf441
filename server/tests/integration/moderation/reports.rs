//! Abuse reports reach the operator alone.

use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::json;
use server::config::QuotaArgs;
use server::db::{Reason, Report};
use server::id::{ReportId, RequestId};
use server::service::workers::sweeper::sweep;

use crate::support::binary::{open_reports, stdout_of, vidence};
use crate::support::{CLIP, Creator, HOUR, Server, on_each_storage, unlimited_quotas};

on_each_storage! {
    every_page_of_a_request_links_to_its_report_form
    a_report_holds_the_request_and_nothing_about_the_reporter
    a_report_outlives_its_request_for_thirty_days
    a_link_can_be_reported_for_a_day_after_its_expiry
    a_deleted_request_can_be_reported
    an_unknown_link_cannot_be_reported
    cross_site_report_forms_are_refused
    an_invalid_report_is_refused
    reports_of_one_request_are_limited
    closed_reports_do_not_count_against_the_limit
    reports_from_one_address_are_rate_limited
    closed_reports_are_not_listed
    all_reports_are_listed_newest_first
}

const DAY: i64 = 24 * HOUR;

fn report_path(creator: &Creator<'_>) -> String {
    creator.link_path("/report")
}

fn report_request(server: &Server, path: &str, body: &str) -> RequestBuilder {
    let report_path = "application/x-www-form-urlencoded";
    let request = server.request(Method::POST, path);
    request
        .header("Content-Type", report_path)
        .header("Sec-Fetch-Site", "same-origin")
        .body(body.to_owned())
}

async fn send(report_request: RequestBuilder) -> Response {
    report_request.send().await.expect("an answer")
}

async fn every_page_of_a_request_links_to_its_report_form(server: Server) {
    let (open, used_up, over) = (
        server.create_request().await,
        server.create_request().await,
        server.create_request().await,
    );
    used_up.submit_video(CLIP).await;
    for (creator, status) in [(&open, 200), (&used_up, 200)] {
        for language in ["en", "de", "ar", "zh"] {
            let page = creator.link_path(&format!("?lang={language}"));
            let page = server.get(&page).await;
            assert_eq!(page.status(), status);
            let html = page.text().await.expect("HTML");
            let link = format!("href=\"{}?lang={language}\"", report_path(creator));
            assert!(html.contains(&link), "{html}");
        }
    }
    server.advance_clock(HOUR);
    let page = server.get(&over.link_path("")).await;
    assert_eq!(page.status(), StatusCode::GONE);
    assert!(
        page.text()
            .await
            .expect("HTML")
            .contains(&report_path(&over))
    );
    for path in ["/", "/docs", "/r/0000000000000000000000"] {
        let html = server.get(path).await.text().await.expect("HTML");
        assert!(!html.contains("/report"), "{path}: {html}");
    }
}

async fn a_report_holds_the_request_and_nothing_about_the_reporter(server: Server) {
    let creator = server.create_request().await;
    let page = server.get(&report_path(&creator)).await;
    assert_eq!(page.status(), StatusCode::OK);
    assert_eq!(page.headers()["x-robots-tag"], "noindex");
    let html = page.text().await.expect("HTML");
    assert_eq!(html.matches("type=\"radio\"").count(), 4, "{html}");
    let letter = "href=\"mailto:abuse@example.org?subject=Vidence%20";
    assert!(html.contains(letter), "{html}");

    let submitted_form = "reason=harassment&text=It+asks+for%0D%0Atoo+much%21";
    let answer = send(report_request(
        &server,
        &report_path(&creator),
        submitted_form,
    ))
    .await;
    assert_eq!(answer.status(), StatusCode::OK);
    let html = answer.text().await.expect("HTML");
    assert!(html.contains("Thank you for your report"), "{html}");

    let listed = open_reports(&server).await;
    let mut listed = listed.into_iter();
    let mut one = listed.next().expect("a report");
    assert_eq!(listed.next(), None);
    for (field, length) in [("report", 22), ("reported_at", 24)] {
        let text = one[field].take();
        assert!(text.as_str().is_some_and(|it| it.len() <= length), "{text}");
    }
    let want = json!({
        "report": null,
        "reported_at": null,
        "reason": "harassment",
        "text": "It asks for\ntoo much!",
        "request": creator.id(),
        "request_status": "awaiting_submission",
        "prompt": "Show the dent.",
        "creator": "127.0.0.1",
    });
    assert_eq!(one, want);
    let listed = stdout_of(&server, &["reports"]).await;
    for text in ["harassment", creator.id(), "Show the dent.", "too much!"] {
        assert!(listed.contains(text), "{listed}");
    }
}

async fn a_report_outlives_its_request_for_thirty_days(server: Server) {
    let creator = server.create_request().await;
    let answer = send(report_request(
        &server,
        &report_path(&creator),
        "reason=danger",
    ))
    .await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let listed = open_reports(&server).await;
    assert_eq!(listed[0]["request_status"], "deleted");
    assert_eq!(listed[0]["prompt"], "Show the dent.");
    assert!(listed[0]["text"].is_null());

    server.advance_clock(30 * DAY - HOUR);
    sweep(&server.app).await.expect("a sweep");
    assert_eq!(open_reports(&server).await.len(), 1);
    server.advance_clock(HOUR + 1);
    sweep(&server.app).await.expect("a sweep");
    assert_eq!(open_reports(&server).await.len(), 0);
}

async fn a_link_can_be_reported_for_a_day_after_its_expiry(server: Server) {
    let creator = server.create_request().await;
    server.advance_clock(HOUR + DAY - 1);
    let answer = send(report_request(
        &server,
        &report_path(&creator),
        "reason=other",
    ))
    .await;
    assert_eq!(answer.status(), StatusCode::OK);
    let listed = open_reports(&server).await;
    assert_eq!(listed[0]["request_status"], "expired");
    assert!(listed[0]["prompt"].is_null(), "wiped before");
    server.advance_clock(1);
    for answer in [
        server.get(&report_path(&creator)).await,
        send(report_request(
            &server,
            &report_path(&creator),
            "reason=other",
        ))
        .await,
    ] {
        assert_eq!(answer.status(), StatusCode::GONE);
        let html = answer.text().await.expect("HTML");
        assert!(html.contains("This link has expired"), "{html}");
    }
    let page = server.get(&creator.link_path("")).await;
    let html = page.text().await.expect("HTML");
    assert!(!html.contains("/report"), "{html}");
}

async fn a_deleted_request_can_be_reported(server: Server) {
    let creator = server.create_request().await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let page = server.get(&creator.link_path("")).await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    server.advance_clock(HOUR + DAY - 1);
    let page = server.get(&report_path(&creator)).await;
    assert_eq!(page.status(), StatusCode::OK);
    let answer = send(report_request(
        &server,
        &report_path(&creator),
        "reason=harassment&text=a",
    ))
    .await;
    assert_eq!(answer.status(), StatusCode::OK);
    let listed = open_reports(&server).await;
    assert_eq!(listed[0]["request_status"], "deleted");
    assert_eq!(listed[0]["text"], "a");
    for erased in ["prompt", "creator"] {
        assert!(listed[0][erased].is_null(), "at the deletion");
    }
    server.advance_clock(1);
    for answer in [
        server.get(&report_path(&creator)).await,
        send(report_request(
            &server,
            &report_path(&creator),
            "reason=other",
        ))
        .await,
    ] {
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }
}

async fn an_unknown_link_cannot_be_reported(server: Server) {
    for path in [
        "/r/0000000000000000000000/report".to_owned(),
        "/r/%ff/report".to_owned(),
    ] {
        for answer in [
            server.get(&path).await,
            send(report_request(&server, &path, "reason=other")).await,
        ] {
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
            let html = answer.text().await.expect("HTML");
            assert!(html.contains("There is nothing at this link"), "{html}");
        }
    }
    assert_eq!(open_reports(&server).await.len(), 0);
}

async fn cross_site_report_forms_are_refused(server: Server) {
    let creator = server.create_request().await;
    let client = Client::builder().redirect(Policy::none()).build();
    let client = client.expect("a client");
    for (name, value) in [
        ("Sec-Fetch-Site", "cross-site"),
        ("Origin", "https://evil.example"),
    ] {
        let request = client.post(format!("{}{}", server.base, report_path(&creator)));
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        let answer = send(request.header(name, value).body("reason=other")).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{name}");
        let to = answer.headers()[LOCATION].to_str().expect("a path");
        assert_eq!(to, format!("{}?lang=en", report_path(&creator)));
    }
    assert_eq!(open_reports(&server).await.len(), 0);
}

async fn an_invalid_report_is_refused(server: Server) {
    let creator = server.create_request().await;
    let long = "b".repeat(2001);
    for (body, checked, text, why) in [
        (String::new(), 0, "", "choose what’s wrong"),
        (
            "reason=nothing&text=Look".to_owned(),
            0,
            "Look",
            "choose what’s wrong",
        ),
        (
            format!("reason=other&text={long}"),
            1,
            long.as_str(),
            "Your text is too long",
        ),
    ] {
        // The form again, with the entered values.
        let answer = send(report_request(&server, &report_path(&creator), &body)).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let html = answer.text().await.expect("HTML");
        assert_eq!(html.matches("type=\"radio\"").count(), 4, "{html}");
        assert_eq!(html.matches(" checked").count(), checked, "{html}");
        assert!(html.contains(why), "{html}");
        assert!(html.contains(&format!("{text}</textarea>")), "{html}");
    }
    let large = format!("reason=other&text={}", "a".repeat(40_000));
    let answer = send(report_request(&server, &report_path(&creator), &large)).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(open_reports(&server).await.len(), 0);
}

async fn reports_of_one_request_are_limited(server: Server) {
    let (creator, other) = (server.create_request().await, server.create_request().await);
    for _ in 0..20 {
        let answer = send(report_request(
            &server,
            &report_path(&creator),
            "reason=fraud",
        ))
        .await;
        assert_eq!(answer.status(), StatusCode::OK);
    }
    let answer = send(report_request(
        &server,
        &report_path(&creator),
        "reason=fraud",
    ))
    .await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let html = answer.text().await.expect("HTML");
    assert!(html.contains("reported often enough"), "{html}");
    assert_eq!(open_reports(&server).await.len(), 20);
    let answer = send(report_request(
        &server,
        &report_path(&other),
        "reason=fraud",
    ))
    .await;
    assert_eq!(answer.status(), StatusCode::OK);
}

async fn closed_reports_do_not_count_against_the_limit(server: Server) {
    let creator = server.create_request().await;
    for _ in 0..20 {
        send(report_request(
            &server,
            &report_path(&creator),
            "reason=fraud",
        ))
        .await;
    }
    let listed = open_reports(&server).await;
    let flags = listed.iter().filter_map(|it| it["report"].as_str());
    let words: Vec<&str> = ["reports", "--done"].into_iter().chain(flags).collect();
    stdout_of(&server, &words).await;
    assert_eq!(open_reports(&server).await.len(), 0);
    let answer = send(report_request(
        &server,
        &report_path(&creator),
        "reason=danger",
    ))
    .await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(open_reports(&server).await[0]["reason"], "danger");
}

async fn reports_from_one_address_are_rate_limited(server: Server) {
    let quotas = QuotaArgs {
        report_limit: "1/hour:2".parse().expect("an allowance"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let creator = server.create_request().await;
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(
            send(report_request(
                &server,
                &report_path(&creator),
                "reason=fraud",
            ))
            .await,
        );
    }
    let statuses: Vec<_> = answers.iter().map(|it| it.status().as_u16()).collect();
    assert_eq!(statuses, [200, 200, 429]);
    assert_eq!(answers[2].headers()["retry-after"], "3600");
    let html = answers.remove(2).text().await.expect("HTML");
    assert!(html.contains("Too many reports at once"), "{html}");
    assert_eq!(open_reports(&server).await.len(), 2);
}

async fn closed_reports_are_not_listed(server: Server) {
    let creator = server.create_request().await;
    for reason in ["reason=fraud", "reason=danger"] {
        send(report_request(&server, &report_path(&creator), reason)).await;
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
