//! The pages as a browser gets them.

use reqwest::header::{
    ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, USER_AGENT, VARY,
};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{CLIP, HOUR, Server, journeys};

journeys! {
    the_record_page_shows_the_prompt_as_inert_text
    pages_say_whether_a_link_is_still_good
    people_are_spoken_to_in_their_own_language
    a_browser_is_told_what_to_tap_in_it
    a_link_shows_nothing_of_what_is_asked
    pages_run_nothing_but_our_own_scripts
    only_a_link_that_is_over_clears_what_the_browser_keeps
    a_link_is_found_by_nobody_and_its_page_may_record
    assets_are_kept_for_good_and_come_compressed
    the_player_is_framed_by_us_alone_and_never_stale
    the_home_page_names_this_server
    the_server_says_that_it_is_up
}

async fn the_record_page_shows_the_prompt_as_inert_text(server: Server) {
    let prompt = "<script>alert(1)</script> \"quoted\" & 'done'";
    let wish = json!({ "prompt": prompt, "expires_in_hours": 1 });
    let created: serde_json::Value = server
        .post("/v1/requests", &wish)
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

async fn pages_say_whether_a_link_is_still_good(server: Server) {
    let (creator, used) = (server.create().await, server.create().await);
    used.submit_video(CLIP).await;
    for (path, status, text) in [
        (creator.page(""), 200, "Turn on the camera"),
        (used.page(""), 200, "The video was received"),
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

async fn people_are_spoken_to_in_their_own_language(server: Server) {
    let creator = server.create().await;
    let link = creator.page("");
    for (path, accepted, language, text) in [
        (link.clone(), "nl, de-AT;q=0.9", "de", "Kamera einschalten"),
        (link.clone(), "nl", "en", "Turn on the camera"),
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
    ] {
        let request = server
            .request(Method::GET, &path)
            .header(ACCEPT_LANGUAGE, accepted);
        let page = request.send().await.expect("an answer");
        assert_eq!(page.headers()[CONTENT_LANGUAGE], language, "{path}");
        let vary: Vec<_> = page.headers().get_all(VARY).iter().collect();
        let varies = format!("{vary:?}").contains("Accept-Language");
        assert_eq!(varies, path != "/", "{vary:?}");
        let html = page.text().await.expect("HTML");
        assert!(html.contains(text), "{html}");
    }
}

async fn a_browser_is_told_what_to_tap_in_it(server: Server) {
    let creator = server.create().await;
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
            .request(Method::GET, &creator.page(""))
            .header(USER_AGENT, user_agent);
        let page = request.send().await.expect("an answer");
        let html = page.text().await.expect("HTML");
        assert!(html.contains(text), "{html}");
    }
}

async fn a_link_shows_nothing_of_what_is_asked(server: Server) {
    let wish = json!({ "prompt": "The dent.", "expires_in_hours": 1 });
    let created = server.post("/v1/requests", &wish).await;
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

async fn pages_run_nothing_but_our_own_scripts(server: Server) {
    let creator = server.create().await;
    let mut policies = Vec::new();
    for path in ["/".to_owned(), creator.page(""), creator.page("")] {
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

async fn only_a_link_that_is_over_clears_what_the_browser_keeps(server: Server) {
    let (used, expired, open) = (
        server.create().await,
        server.create().await,
        json!({ "prompt": "The dent.", "expires_in_hours": 2 }),
    );
    let open = server.post("/v1/requests", &open).await;
    let open: serde_json::Value = open.json().await.expect("JSON");
    let open = format!("/r/{}", open["id"].as_str().expect("an id"));
    used.submit_video(CLIP).await;
    let used = server.get(&used.page("")).await;
    server.later(HOUR);
    let empty = server.request(Method::POST, &open).send().await;
    for (page, status, is_over) in [
        (used, 200, true),
        (server.get(&expired.page("")).await, 410, true),
        (server.get("/r/0000000000000000000000").await, 404, true),
        // The recording may be all that there is: whoever sent this can go back to it.
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

async fn a_link_is_found_by_nobody_and_its_page_may_record(server: Server) {
    let creator = server.create().await;
    for path in [
        creator.page(""),
        creator.page("/state"),
        creator.page("/nothing"),
        "/r/0000000000000000000000".to_owned(),
    ] {
        let answer = server.get(&path).await;
        assert_eq!(answer.headers()["x-robots-tag"], "noindex", "{path}");
        assert_eq!(answer.headers()["referrer-policy"], "no-referrer", "{path}");
    }
    let page = server.get(&creator.page("")).await;
    let policy = page.headers()["permissions-policy"].to_str().expect("text");
    for right in [
        "camera",
        "microphone",
        "display-capture",
        "screen-wake-lock",
    ] {
        assert!(policy.contains(&format!("{right}=(self)")), "{policy}");
    }
}

async fn assets_are_kept_for_good_and_come_compressed(server: Server) {
    let html = server
        .get(&server.create().await.page(""))
        .await
        .text()
        .await
        .expect("HTML");
    let names: Vec<_> = html
        .split("/assets/")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        let path = format!("/assets/{name}");
        let plain = server.get(&path).await;
        assert_eq!(plain.status(), StatusCode::OK, "{path}");
        assert!(
            plain.headers()["cache-control"]
                .to_str()
                .expect("text")
                .contains("immutable")
        );
        assert!(plain.headers().get("content-encoding").is_none(), "{path}");
        let request = server
            .request(Method::GET, &path)
            .header(ACCEPT_ENCODING, "gzip, br");
        let small = request.send().await.expect("an answer");
        assert_eq!(small.headers()["content-encoding"], "br", "{path}");
        assert_eq!(small.headers()["vary"], "Accept-Encoding", "{path}");
        let (plain, small) = (plain.bytes().await, small.bytes().await);
        assert!(
            small.expect("bytes").len() < plain.expect("bytes").len(),
            "{path}"
        );
    }
    for path in [
        "/assets/manifest.json",
        "/assets/nothing.js",
        "/assets/..%2f..%2fCargo.toml",
    ] {
        assert_eq!(
            server.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

async fn the_player_is_framed_by_us_alone_and_never_stale(server: Server) {
    let page = server.get("/watch/").await;
    let headers = page.headers().clone();
    let policy = headers[CONTENT_SECURITY_POLICY].to_str().expect("text");
    assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(!policy.contains("script-src"), "it has no script: {policy}");
    assert_eq!(headers["cache-control"], "no-cache");
    let html = page.text().await.expect("HTML");
    assert!(
        html.contains("<video") && !html.contains("<script"),
        "{html}"
    );
    let (_, style) = html.split_once("/assets/").expect("a style");
    let (style, _) = style.split_once('"').expect("an end");
    let style = server.get(&format!("/assets/{style}")).await;
    assert_eq!(style.status(), StatusCode::OK);

    let worker = server.get("/watch.js").await;
    assert_eq!(worker.headers()["cache-control"], "no-cache");
    let media_type = "text/javascript; charset=utf-8";
    assert_eq!(worker.headers()["content-type"], media_type);
    let policy = worker.headers()[CONTENT_SECURITY_POLICY]
        .to_str()
        .expect("text");
    assert_eq!(policy, "default-src 'none'; connect-src 'self'");
    // Without the worker there is nothing behind the player's page, and its files have no other address.
    for path in [
        "/watch/kX3bT9cQ2mZr8VnLw5YpHd",
        "/assets/watch.js",
        "/assets/watch.html",
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        let kept = answer.headers().get("cache-control");
        assert!(kept.is_none_or(|it| it == "no-store"), "{path}");
    }
    let home = server.get("/").await;
    let policy = home.headers()[CONTENT_SECURITY_POLICY]
        .to_str()
        .expect("text");
    assert!(policy.contains("frame-src 'self'") && policy.contains("frame-ancestors 'none'"));
}

async fn the_home_page_names_this_server(server: Server) {
    let html = server.get("/").await.text().await.expect("HTML");
    assert!(
        html.contains(&format!("curl -s {}/v1/requests", server.base)),
        "{html}"
    );
}

async fn the_server_says_that_it_is_up(server: Server) {
    assert_eq!(
        server.get("/healthz").await.text().await.expect("text"),
        "ok\n"
    );
}
