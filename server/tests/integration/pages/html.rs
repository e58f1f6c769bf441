//! The HTML pages.
//!
//! A little more than 300 lines: a test for each promise of a page.

use app::locale::Locale;
use app::pages::translation_path;
use futures_util::future::join_all;
use reqwest::header::{
    ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, USER_AGENT, VARY,
};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{CLIP, HOUR, Server, on_each_storage};

on_each_storage! {
    the_recording_page_escapes_the_prompt
    pages_state_whether_a_link_is_open
    pages_are_localized_by_accept_language_or_parameter
    permission_hints_fit_the_browser
    link_previews_do_not_reveal_the_prompt
    pages_run_only_own_scripts_with_a_fresh_nonce
    only_a_closed_link_clears_the_browsers_storage
    links_are_noindex_and_their_page_may_use_the_camera
    the_home_page_shows_this_servers_url
    pages_are_whole_over_many_connections_of_one_address
    every_language_has_a_page_for_its_native_readers
    healthz_is_200
}

/// They take turns, so a page may go on, and end, on another thread than it began.
async fn pages_are_whole_over_many_connections_of_one_address(server: Server) {
    const CONNECTIONS: usize = 20;
    const PAGES: usize = 10;
    let link = server.create_request().await.link_path("");
    let urls = ["/", &link, "/nothing"].map(|path| format!("{}{path}", server.base));
    let visit = async |_| {
        let client = reqwest::Client::new();
        for url in urls.iter().cycle().take(PAGES * urls.len()) {
            let answer = client.get(url).send().await.expect("an answer");
            let page = answer.text().await.expect("a whole page");
            assert!(page.contains("</html>"), "{url}: {page}");
        }
    };
    join_all((0..CONNECTIONS).map(visit)).await;
}

async fn the_recording_page_escapes_the_prompt(server: Server) {
    let prompt = "<script>alert(1)</script> \"quoted\" & 'done'";
    let body = json!({ "prompt": prompt, "expires_in_hours": 1 });
    let created: serde_json::Value = server
        .post("/v1/requests", &body)
        .await
        .json()
        .await
        .expect("JSON");
    let page = server
        .get(&format!("/r/{}", created["id"].as_str().expect("an id")))
        .await;
    let html = page.text().await.expect("HTML");
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "{html}"
    );
    assert!(!html.contains("<script>alert(1)"), "{html}");
    let token = created["access_token"].as_str().expect("a token");
    assert!(!html.contains(token));
}

async fn pages_state_whether_a_link_is_open(server: Server) {
    let (creator, used) = (server.create_request().await, server.create_request().await);
    used.submit_video(CLIP).await;
    for (path, status, text) in [
        (creator.link_path(""), 200, "Open camera"),
        (used.link_path(""), 200, "The video was received"),
        (
            "/r/0000000000000000000000".to_owned(),
            404,
            "There is nothing at this link",
        ),
        ("/r/%ff".to_owned(), 404, "There is nothing at this link"),
        ("/nothing".to_owned(), 404, "There is nothing at this link"),
    ] {
        let page = server.get(&path).await;
        assert_eq!(page.status().as_u16(), status, "{path}");
        assert_eq!(page.headers()["cache-control"], "no-store", "{path}");
        assert!(page.text().await.expect("HTML").contains(text), "{path}");
    }
}

async fn pages_are_localized_by_accept_language_or_parameter(server: Server) {
    let creator = server.create_request().await;
    let link = creator.link_path("");
    for (path, accepted, language, text) in [
        (link.clone(), "sw, de-AT;q=0.9", "de", "Kamera öffnen"),
        (link.clone(), "sw", "en", "Open camera"),
        (link.clone(), "zh-TW, zh;q=0.9", "zh-Hant", "開啟相機"),
        // Times and numbers are written as there.
        (
            link.clone(),
            "en, de-CH;q=0.9, de;q=0.8",
            "en",
            "<html lang=\"en\" dir=\"ltr\">",
        ),
        (
            link.clone(),
            "de-CH, de;q=0.9, en-US;q=0.8",
            "de",
            "<html lang=\"de-CH\" dir=\"ltr\">",
        ),
        (
            format!("{link}?lang=zh-Hant"),
            "de",
            "zh-Hant",
            "href=\"?lang=zh-Hant\"",
        ),
        (
            format!("{link}?lang=ar"),
            "de",
            "ar",
            "<html lang=\"ar\" dir=\"rtl\">",
        ),
        (
            format!("{link}?lang=zh"),
            "de",
            "zh-Hans",
            "<html lang=\"zh-Hans\" dir=\"ltr\">",
        ),
        (
            "/r/0000000000000000000000".to_owned(),
            "fr",
            "fr",
            "Ce lien ne mène à rien",
        ),
        ("/".to_owned(), "fr", "en", "<html lang=\"en\" dir=\"ltr\">"),
        (
            "/docs".to_owned(),
            "fr",
            "en",
            "<html lang=\"en\" dir=\"ltr\">",
        ),
    ] {
        let request = server
            .request(Method::GET, &path)
            .header(ACCEPT_LANGUAGE, accepted);
        let page = request.send().await.expect("an answer");
        assert_eq!(page.headers()[CONTENT_LANGUAGE], language, "{path}");
        assert_eq!(page.headers()["cache-control"], "no-store", "{path}");
        let vary: Vec<_> = page.headers().get_all(VARY).iter().collect();
        let varies = format!("{vary:?}").contains("Accept-Language");
        assert_eq!(varies, path.starts_with("/r/"), "{vary:?}");
        let html = page.text().await.expect("HTML");
        assert!(html.contains(text), "{html}");
    }
}

async fn every_language_has_a_page_for_its_native_readers(server: Server) {
    for locale in Locale::ALL {
        let page = server.get(&translation_path(locale)).await;
        assert_eq!(page.status(), StatusCode::OK, "{locale:?}");
        assert_eq!(page.headers()[CONTENT_LANGUAGE], "en", "{locale:?}");
        assert_eq!(page.headers()["x-robots-tag"], "noindex", "{locale:?}");
        let html = page.text().await.expect("HTML");
        let cell = format!(
            "<td lang=\"{}\" dir=\"{}\">",
            locale.tag(),
            locale.direction()
        );
        let messages = html.matches("<th scope=\"row\">").count();
        assert_eq!(html.matches(&cell).count(), messages, "{locale:?}");
        assert!(messages > 150, "{messages}");
        for text in [
            "<code>review-facts</code>$recorded: a length, such as 0:42.",
            "<td>Length { $recorded } · size { $size }</td>",
            "<td>You’ve been asked for a video</td>",
        ] {
            assert!(html.contains(text), "{html}");
        }
    }
    let page = server.get("/docs/locales/ar").await;
    let html = page.text().await.expect("HTML");
    let cell = "<td lang=\"ar\" dir=\"rtl\">";
    assert!(html.contains(cell), "{html}");
    let unknown = server.get("/docs/locales/xx").await;
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
}

async fn permission_hints_fit_the_browser(server: Server) {
    let creator = server.create_request().await;
    for (user_agent, text) in [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "crossed-out camera",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
             Mobile/15E148 Instagram 400.0.0",
            "Open in Safari",
        ),
    ] {
        let request = server
            .request(Method::GET, &creator.link_path(""))
            .header(USER_AGENT, user_agent);
        let page = request.send().await.expect("an answer");
        let html = page.text().await.expect("HTML");
        assert!(html.contains(text), "{html}");
    }
}

async fn link_previews_do_not_reveal_the_prompt(server: Server) {
    let body = json!({ "prompt": "The dent.", "expires_in_hours": 1 });
    let created = server.post("/v1/requests", &body).await;
    let created: serde_json::Value = created.json().await.expect("JSON");
    let id = created["id"].as_str().expect("an id");
    let page = server.get(&format!("/r/{id}")).await;
    let html = page.text().await.expect("HTML");
    let (head, body) = html.split_once("<body>").expect("a body");
    assert!(body.contains("The dent."), "{body}");
    for text in ["og:title", "og:description", "content=\"noindex\""] {
        assert!(head.contains(text), "{head}");
    }
    assert!(!head.contains("dent") && !head.contains(id), "{head}");
}

async fn pages_run_only_own_scripts_with_a_fresh_nonce(server: Server) {
    let creator = server.create_request().await;
    let mut policies = Vec::new();
    for path in ["/".to_owned(), creator.link_path(""), creator.link_path("")] {
        let page = server.get(&path).await;
        let policy = page.headers()[CONTENT_SECURITY_POLICY]
            .to_str()
            .expect("text")
            .to_owned();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'"),
            "{policy}"
        );
        let (_, rest) = policy.split_once("'nonce-").expect("a nonce");
        let (nonce, _) = rest.split_once('\'').expect("an end");
        let html = page.text().await.expect("HTML");
        let scripts = html.split("<script").skip(1);
        let tags = scripts.filter_map(|it| it.split('>').next());
        let inline = tags.filter(|tag| !tag.contains(" src=")).count();
        assert_eq!(
            html.matches(&format!("nonce=\"{nonce}\"")).count(),
            inline,
            "{html}"
        );
        policies.push(policy);
    }
    assert_ne!(policies[1], policies[2], "a nonce serves one answer");
}

async fn only_a_closed_link_clears_the_browsers_storage(server: Server) {
    let (used, expired, open) = (
        server.create_request().await,
        server.create_request().await,
        json!({ "prompt": "The dent.", "expires_in_hours": 2 }),
    );
    let open = server.post("/v1/requests", &open).await;
    let open: serde_json::Value = open.json().await.expect("JSON");
    let open = format!("/r/{}", open["id"].as_str().expect("an id"));
    used.submit_video(CLIP).await;
    let used = server.get(&used.link_path("")).await;
    server.advance_clock(HOUR);
    let empty = server.request(Method::POST, &open).send().await;
    for (page, status, is_over) in [
        (used, 200, true),
        (server.get(&expired.link_path("")).await, 410, true),
        (server.get("/r/0000000000000000000000").await, 404, true),
        // The browser may hold the only copy of the recording, and the sender can go back to it.
        (empty.expect("an answer"), 400, false),
        (server.get(&open).await, 200, false),
    ] {
        let url = page.url().clone();
        assert_eq!(page.status(), status, "{url}");
        let html = page.text().await.expect("HTML");
        let script = html
            .split("src=\"")
            .filter_map(|it| it.split('"').next())
            .find(|it| it.starts_with("/assets/closed."));
        assert_eq!(script.is_some(), is_over, "{html}");
        if let Some(script) = script {
            let script = server.get(script).await;
            assert_eq!(script.status(), StatusCode::OK);
            assert_eq!(
                script.headers()["content-type"],
                "text/javascript; charset=utf-8"
            );
        }
    }
}

async fn links_are_noindex_and_their_page_may_use_the_camera(server: Server) {
    let creator = server.create_request().await;
    for path in [
        creator.link_path(""),
        creator.link_path("/state"),
        creator.link_path("/nothing"),
        "/r/0000000000000000000000".to_owned(),
    ] {
        let answer = server.get(&path).await;
        assert_eq!(answer.headers()["x-robots-tag"], "noindex", "{path}");
        assert_eq!(answer.headers()["referrer-policy"], "no-referrer", "{path}");
    }
    let page = server.get(&creator.link_path("")).await;
    let policy = page.headers()["permissions-policy"].to_str().expect("text");
    for correct in [
        "camera",
        "microphone",
        "display-capture",
        "screen-wake-lock",
    ] {
        assert!(policy.contains(&format!("{correct}=(self)")), "{policy}");
    }
}

async fn the_home_page_shows_this_servers_url(server: Server) {
    let html = server.get("/").await.text().await.expect("HTML");
    assert!(
        html.contains(&format!("curl -s {}/v1/requests", server.base)),
        "{html}"
    );
}

async fn healthz_is_200(server: Server) {
    assert_eq!(
        server.get("/healthz").await.text().await.expect("text"),
        "ok\n"
    );
}
