//! Pages and files by which the operator informs people and crawlers.

use reqwest::StatusCode;

use crate::support::{HOUR, Server, on_each_storage};

on_each_storage! {
    every_page_links_to_terms_and_privacy
    crawlers_may_list_no_link_and_fetch_no_api
    security_txt_names_the_contact_and_expires_within_thirty_days
}

async fn every_page_links_to_terms_and_privacy(server: Server) {
    let creator = server.create_request().await;
    for path in [
        "/",
        "/docs",
        "/docs/mcp",
        &creator.link_path(""),
        "/nothing",
    ] {
        let html = server.get(path).await.text().await.expect("HTML");
        for link in ["href=\"/terms\"", "href=\"/privacy\""] {
            assert_eq!(html.matches(link).count(), 1, "{path}: {html}");
        }
    }
    for (path, texts) in [
        ("/terms", ["gives no name here", "abuse@example.org"]),
        ("/privacy", ["30 days", "abuse@example.org"]),
    ] {
        let page = server.get(path).await;
        assert_eq!(page.status(), StatusCode::OK);
        let html = page.text().await.expect("HTML");
        assert_eq!(html.matches("<h1>").count(), 1, "{html}");
        assert!(!html.contains('{'), "{html}");
        for text in texts {
            assert!(html.contains(text), "{text}: {html}");
        }
    }
}

async fn crawlers_may_list_no_link_and_fetch_no_api(server: Server) {
    let robots = server.get("/robots.txt").await;
    assert_eq!(
        robots.headers()["content-type"],
        "text/plain; charset=utf-8"
    );
    let robots = robots.text().await.expect("text");
    for line in ["User-agent: *", "Disallow: /v1/", "Disallow: /mcp"] {
        assert!(robots.lines().any(|it| it == line), "{robots}");
    }
    // A page that may not be fetched can't say that it isn't to be listed.
    assert!(!robots.contains("/r/") && !robots.contains("/docs"));
    assert!(!robots.contains("Disallow: /\n"));
    let link = server.create_request().await.link_path("");
    let page = server.get(&link).await;
    assert_eq!(page.headers()["x-robots-tag"], "noindex");
    for (path, found) in [("/", true), ("/docs", true), ("/nothing", false)] {
        let html = server.get(path).await.text().await.expect("HTML");
        assert_ne!(html.contains("noindex"), found, "{path}: {html}");
    }
}

async fn security_txt_names_the_contact_and_expires_within_thirty_days(server: Server) {
    let answer = server.get("/security.txt").await;
    assert_eq!(answer.url().path(), "/.well-known/security.txt");
    assert_eq!(
        answer.headers()["content-type"],
        "text/plain; charset=utf-8"
    );
    let first = answer.text().await.expect("text");
    let field = |text: &str, name: &str| {
        let mut lines = text.lines().filter_map(|it| it.split_once(": "));
        lines
            .find(|it| it.0 == name)
            .map(|(_, value)| value.to_owned())
    };
    let contact = field(&first, "Contact");
    assert_eq!(contact.as_deref(), Some("mailto:abuse@example.org"));
    // `Canonical` must be an https:// URL.
    assert_eq!(field(&first, "Canonical"), None);
    server.advance_clock(24 * HOUR);
    let second = server.get("/.well-known/security.txt").await;
    let second = second.text().await.expect("text");
    let [first, second] = [&first, &second].map(|it| {
        let expires = field(it, "Expires").expect("a time");
        let expires: jiff::Timestamp = expires.parse().expect("RFC 3339");
        expires.as_millisecond() - server.app.clock.now()
    });
    assert!(first < second && second <= 30 * 24 * HOUR, "{second}");
}
