//! Abuse reports reach the operator alone.

use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::json;
use server::service::workers::sweeper::sweep;

use crate::support::binary::{open_reports, stdout_of};
use crate::support::{CLIP, Creator, HOUR, Server, on_each_storage};

on_each_storage! {
    every_page_of_a_request_links_to_its_report_form
    a_report_holds_the_request_and_nothing_about_the_reporter
    a_report_outlives_its_request_for_thirty_days
    a_link_can_be_reported_for_a_day_after_its_expiry
    a_deleted_request_can_be_reported
    an_unknown_link_cannot_be_reported
    cross_site_report_forms_are_refused
    an_invalid_report_is_refused
}

const DAY: i64 = 24 * HOUR;

const FORM_MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

fn report_path(creator: &Creator<'_>) -> String {
    creator.link_path("/report")
}

/// Sends the report form of a request, as its page does.
pub async fn report(creator: &Creator<'_>, body: &str) -> Response {
    send_form(creator.server, &report_path(creator), body).await
}

async fn send_form(server: &Server, path: &str, body: &str) -> Response {
    let request = server.request(Method::POST, path);
    let request = request.header("Content-Type", FORM_MEDIA_TYPE);
    let request = request.header("Sec-Fetch-Site", "same-origin");
    let sent = request.body(body.to_owned()).send().await;
    sent.expect("an answer")
}

/// Asserts that the form and its submission are answered with this status, and with a page that has this text.
async fn assert_unreportable(server: &Server, path: &str, status: StatusCode, text: &str) {
    for answer in [
        server.get(path).await,
        send_form(server, path, "reason=other").await,
    ] {
        assert_eq!(answer.status(), status, "{path}");
        let html = answer.text().await.expect("HTML");
        assert!(html.contains(text), "{html}");
    }
}

async fn every_page_of_a_request_links_to_its_report_form(server: Server) {
    let (open, used_up, over) = (
        server.create_request().await,
        server.create_request().await,
        server.create_request().await,
    );
    used_up.submit_video(CLIP).await;
    for (creator, status) in [(&open, 200), (&used_up, 200)] {
        for language in ["en", "de", "ar", "zh", "zh-Hant"] {
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
    let answer = report(&creator, submitted_form).await;
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
    let answer = report(&creator, "reason=danger").await;
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
    let answer = report(&creator, "reason=other").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let listed = open_reports(&server).await;
    assert_eq!(listed[0]["request_status"], "expired");
    assert!(listed[0]["prompt"].is_null(), "wiped before");
    server.advance_clock(1);
    let (path, text) = (report_path(&creator), "This link has expired");
    assert_unreportable(&server, &path, StatusCode::GONE, text).await;
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
    let answer = report(&creator, "reason=harassment&text=a").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let listed = open_reports(&server).await;
    assert_eq!(listed[0]["request_status"], "deleted");
    assert_eq!(listed[0]["text"], "a");
    for erased in ["prompt", "creator"] {
        assert!(listed[0][erased].is_null(), "at the deletion");
    }
    server.advance_clock(1);
    let (path, text) = (report_path(&creator), "There is nothing at this link");
    assert_unreportable(&server, &path, StatusCode::NOT_FOUND, text).await;
}

async fn an_unknown_link_cannot_be_reported(server: Server) {
    for path in ["/r/0000000000000000000000/report", "/r/%ff/report"] {
        let text = "There is nothing at this link";
        assert_unreportable(&server, path, StatusCode::NOT_FOUND, text).await;
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
        let request = request.header("Content-Type", FORM_MEDIA_TYPE);
        let request = request.header(name, value).body("reason=other");
        let answer = request.send().await.expect("an answer");
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
        let answer = report(&creator, &body).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let html = answer.text().await.expect("HTML");
        assert_eq!(html.matches("type=\"radio\"").count(), 4, "{html}");
        assert_eq!(html.matches(" checked").count(), checked, "{html}");
        assert!(html.contains(why), "{html}");
        assert!(html.contains(&format!("{text}</textarea>")), "{html}");
    }
    let large = format!("reason=other&text={}", "a".repeat(40_000));
    let answer = report(&creator, &large).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(open_reports(&server).await.len(), 0);
}
