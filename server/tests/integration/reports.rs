//! What is wrong with a request reaches whoever runs the server, and nobody else.

use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::json;
use server::config::QuotaArgs;
use server::db::{Reason, Report};
use server::id::{ReportId, RequestId};
use server::service::workers::sweeper::sweep;

use crate::commands::{reports, says, vidence};
use crate::support::{CLIP, Creator, HOUR, Server, journeys, unlimited};

journeys! {
    every_page_of_a_request_leads_to_its_report
    a_report_says_what_it_is_about_and_nothing_of_who_sent_it
    a_report_outlives_its_request_and_is_forgotten_after_thirty_days
    a_link_can_be_reported_for_a_day_after_its_end
    a_deletion_is_no_way_out_of_a_report
    what_is_no_link_can_not_be_reported
    the_form_of_another_site_reports_nothing
    what_is_no_report_is_not_stored
    a_request_is_reported_only_so_often
    reports_that_are_done_with_make_room_for_others
    an_address_sends_only_so_many_reports
    a_report_that_is_done_with_is_listed_no_more
    all_reports_are_listed_the_newest_first
}

const DAY: i64 = 24 * HOUR;

fn form(creator: &Creator<'_>) -> String {
    creator.page("/report")
}

fn report(server: &Server, path: &str, body: &str) -> RequestBuilder {
    let form = "application/x-www-form-urlencoded";
    let request = server.request(Method::POST, path);
    request
        .header("Content-Type", form)
        .header("Sec-Fetch-Site", "same-origin")
        .body(body.to_owned())
}

async fn send(report: RequestBuilder) -> Response {
    report.send().await.expect("an answer")
}

async fn every_page_of_a_request_leads_to_its_report(server: Server) {
    let (open, used, over) = (
        server.create().await,
        server.create().await,
        server.create().await,
    );
    used.submit_video(CLIP).await;
    for (creator, status) in [(&open, 200), (&used, 200)] {
        for language in ["en", "de", "ar", "zh"] {
            let page = creator.page(&format!("?lang={language}"));
            let page = server.get(&page).await;
            assert_eq!(page.status(), status);
            let html = page.text().await.expect("HTML");
            let link = format!("href=\"{}?lang={language}\"", form(creator));
            assert!(html.contains(&link), "{html}");
        }
    }
    server.later(HOUR);
    let page = server.get(&over.page("")).await;
    assert_eq!(page.status(), StatusCode::GONE);
    assert!(page.text().await.expect("HTML").contains(&form(&over)));
    for path in ["/", "/docs", "/r/0000000000000000000000"] {
        let html = server.get(path).await.text().await.expect("HTML");
        assert!(!html.contains("/report"), "{path}: {html}");
    }
}

async fn a_report_says_what_it_is_about_and_nothing_of_who_sent_it(server: Server) {
    let creator = server.create().await;
    let page = server.get(&form(&creator)).await;
    assert_eq!(page.status(), StatusCode::OK);
    assert_eq!(page.headers()["x-robots-tag"], "noindex");
    let html = page.text().await.expect("HTML");
    assert_eq!(html.matches("type=\"radio\"").count(), 4, "{html}");
    let letter = "href=\"mailto:abuse@example.org?subject=Vidence%20";
    assert!(html.contains(letter), "{html}");

    let said = "reason=harassment&text=It+asks+for%0D%0Atoo+much%21";
    let answer = send(report(&server, &form(&creator), said)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let html = answer.text().await.expect("HTML");
    assert!(html.contains("Thank you for your report"), "{html}");

    let listed = reports(&server).await;
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
    let listed = says(&server, &["reports"]).await;
    for text in ["harassment", creator.id(), "Show the dent.", "too much!"] {
        assert!(listed.contains(text), "{listed}");
    }
}

async fn a_report_outlives_its_request_and_is_forgotten_after_thirty_days(server: Server) {
    let creator = server.create().await;
    let answer = send(report(&server, &form(&creator), "reason=danger")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let listed = reports(&server).await;
    assert_eq!(listed[0]["request_status"], "deleted");
    assert_eq!(listed[0]["prompt"], "Show the dent.");
    assert!(listed[0]["text"].is_null());

    server.later(30 * DAY - HOUR);
    sweep(&server.app).await.expect("a sweep");
    assert_eq!(reports(&server).await.len(), 1);
    server.later(HOUR + 1);
    sweep(&server.app).await.expect("a sweep");
    assert_eq!(reports(&server).await.len(), 0);
}

async fn a_link_can_be_reported_for_a_day_after_its_end(server: Server) {
    let creator = server.create().await;
    server.later(HOUR + DAY - 1);
    let answer = send(report(&server, &form(&creator), "reason=other")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let listed = reports(&server).await;
    assert_eq!(listed[0]["request_status"], "expired");
    assert!(listed[0]["prompt"].is_null(), "wiped before");
    server.later(1);
    for answer in [
        server.get(&form(&creator)).await,
        send(report(&server, &form(&creator), "reason=other")).await,
    ] {
        assert_eq!(answer.status(), StatusCode::GONE);
        let html = answer.text().await.expect("HTML");
        assert!(html.contains("This link has expired"), "{html}");
    }
    let page = server.get(&creator.page("")).await;
    let html = page.text().await.expect("HTML");
    assert!(!html.contains("/report"), "{html}");
}

async fn a_deletion_is_no_way_out_of_a_report(server: Server) {
    let creator = server.create().await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let page = server.get(&creator.page("")).await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    server.later(HOUR + DAY - 1);
    let page = server.get(&form(&creator)).await;
    assert_eq!(page.status(), StatusCode::OK);
    let answer = send(report(&server, &form(&creator), "reason=harassment&text=a")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let listed = reports(&server).await;
    assert_eq!(listed[0]["request_status"], "deleted");
    assert_eq!(listed[0]["text"], "a");
    for wiped in ["prompt", "creator"] {
        assert!(listed[0][wiped].is_null(), "at the deletion");
    }
    server.later(1);
    for answer in [
        server.get(&form(&creator)).await,
        send(report(&server, &form(&creator), "reason=other")).await,
    ] {
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }
}

async fn what_is_no_link_can_not_be_reported(server: Server) {
    for path in [
        "/r/0000000000000000000000/report".to_owned(),
        "/r/%ff/report".to_owned(),
    ] {
        for answer in [
            server.get(&path).await,
            send(report(&server, &path, "reason=other")).await,
        ] {
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
            let html = answer.text().await.expect("HTML");
            assert!(html.contains("There is nothing at this link"), "{html}");
        }
    }
    assert_eq!(reports(&server).await.len(), 0);
}

async fn the_form_of_another_site_reports_nothing(server: Server) {
    let creator = server.create().await;
    let client = Client::builder().redirect(Policy::none()).build();
    let client = client.expect("a client");
    for (name, value) in [
        ("Sec-Fetch-Site", "cross-site"),
        ("Origin", "https://evil.example"),
    ] {
        let request = client.post(format!("{}{}", server.base, form(&creator)));
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        let answer = send(request.header(name, value).body("reason=other")).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{name}");
        let to = answer.headers()[LOCATION].to_str().expect("a path");
        assert_eq!(to, format!("{}?lang=en", form(&creator)));
    }
    assert_eq!(reports(&server).await.len(), 0);
}

async fn what_is_no_report_is_not_stored(server: Server) {
    let creator = server.create().await;
    let long = "b".repeat(2001);
    for (body, checked, text, why) in [
        (String::new(), 0, "", "choose what is wrong"),
        (
            "reason=nothing&text=Look".to_owned(),
            0,
            "Look",
            "choose what is wrong",
        ),
        (
            format!("reason=other&text={long}"),
            1,
            long.as_str(),
            "Your text is too long",
        ),
    ] {
        // The form, with what was written into it.
        let answer = send(report(&server, &form(&creator), &body)).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let html = answer.text().await.expect("HTML");
        assert_eq!(html.matches("type=\"radio\"").count(), 4, "{html}");
        assert_eq!(html.matches(" checked").count(), checked, "{html}");
        assert!(html.contains(why), "{html}");
        assert!(html.contains(&format!("{text}</textarea>")), "{html}");
    }
    let large = format!("reason=other&text={}", "a".repeat(40_000));
    let answer = send(report(&server, &form(&creator), &large)).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reports(&server).await.len(), 0);
}

async fn a_request_is_reported_only_so_often(server: Server) {
    let (creator, other) = (server.create().await, server.create().await);
    for _ in 0..20 {
        let answer = send(report(&server, &form(&creator), "reason=fraud")).await;
        assert_eq!(answer.status(), StatusCode::OK);
    }
    let answer = send(report(&server, &form(&creator), "reason=fraud")).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let html = answer.text().await.expect("HTML");
    assert!(html.contains("reported often enough"), "{html}");
    assert_eq!(reports(&server).await.len(), 20);
    let answer = send(report(&server, &form(&other), "reason=fraud")).await;
    assert_eq!(answer.status(), StatusCode::OK);
}

async fn reports_that_are_done_with_make_room_for_others(server: Server) {
    let creator = server.create().await;
    for _ in 0..20 {
        send(report(&server, &form(&creator), "reason=fraud")).await;
    }
    let listed = reports(&server).await;
    let names = listed.iter().filter_map(|it| it["report"].as_str());
    let words: Vec<&str> = ["reports", "--done"].into_iter().chain(names).collect();
    says(&server, &words).await;
    assert_eq!(reports(&server).await.len(), 0);
    let answer = send(report(&server, &form(&creator), "reason=danger")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(reports(&server).await[0]["reason"], "danger");
}

async fn an_address_sends_only_so_many_reports(server: Server) {
    let quotas = QuotaArgs {
        report_limit: "1/hour:2".parse().expect("an allowance"),
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    let creator = server.create().await;
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(send(report(&server, &form(&creator), "reason=fraud")).await);
    }
    let statuses: Vec<_> = answers.iter().map(|it| it.status().as_u16()).collect();
    assert_eq!(statuses, [200, 200, 429]);
    assert_eq!(answers[2].headers()["retry-after"], "3600");
    let html = answers.remove(2).text().await.expect("HTML");
    assert!(html.contains("Too many reports at once"), "{html}");
    assert_eq!(reports(&server).await.len(), 2);
}

async fn a_report_that_is_done_with_is_listed_no_more(server: Server) {
    let creator = server.create().await;
    for reason in ["reason=fraud", "reason=danger"] {
        send(report(&server, &form(&creator), reason)).await;
    }
    let listed = reports(&server).await;
    let first = listed[0]["report"].as_str().expect("a name");
    says(&server, &["reports", "--done", first]).await;
    let left = reports(&server).await;
    assert_eq!(left.len(), 1);
    assert_ne!(left[0]["report"], first);
    let second = left[0]["report"].as_str().expect("a name");
    for unknown in ["0000000000000000000000", "abc"] {
        let words = ["reports", "--done", unknown, second];
        let ran = vidence(&words, &server.environment()).await;
        let complaint = ran.refused(1);
        let named = format!("no such report here: {unknown}\n");
        assert!(complaint.contains(&named), "{complaint}");
    }
    assert_eq!(
        reports(&server).await.len(),
        0,
        "the known one is done with"
    );
}

async fn all_reports_are_listed_the_newest_first(server: Server) {
    // More than are read at a time, many of the same moment.
    const REQUESTS: i64 = 26;
    // Of older ones a sweep may remove some meanwhile.
    let now = server.app.clock.now();
    let mut names = Vec::new();
    for request in 0..REQUESTS {
        let creator = server.create().await;
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
            names.push(row.id.to_string());
            server.app.db.report_insert(row).await.expect("a row");
        }
    }
    let listed = reports(&server).await;
    let text = |field: &str| -> Vec<String> {
        let texts = listed.iter().filter_map(|it| it[field].as_str());
        texts.map(str::to_owned).collect()
    };
    let times = text("reported_at");
    assert!(times.is_sorted_by(|one, next| one >= next), "{times:?}");
    let mut found = text("report");
    found.sort_unstable();
    names.sort_unstable();
    assert_eq!(found, names);
    let said = says(&server, &["reports"]).await;
    assert!(said.ends_with("\n520 reports.\n"));
}
