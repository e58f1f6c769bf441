//! Assets and the player: caching, encodings and framing.

use reqwest::header::{ACCEPT_ENCODING, CONTENT_SECURITY_POLICY};
use reqwest::{Method, StatusCode};

use crate::support::{Server, on_each_storage};

on_each_storage! {
    assets_are_immutable_and_compressed
    the_player_is_framed_by_own_pages_only_and_revalidated
}

async fn assets_are_immutable_and_compressed(server: Server) {
    let html = server
        .get(&server.create_request().await.link_path(""))
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

async fn the_player_is_framed_by_own_pages_only_and_revalidated(server: Server) {
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
    // Without the service worker the player's page has no content, and its files no other URL.
    for path in [
        "/watch/kX3bT9cQ2mZr8VnLw5YpHd",
        "/assets/watch.js",
        "/assets/watch.html",
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        let cached = answer.headers().get("cache-control");
        assert!(cached.is_none_or(|it| it == "no-store"), "{path}");
    }
    let home = server.get("/").await;
    let policy = home.headers()[CONTENT_SECURITY_POLICY]
        .to_str()
        .expect("text");
    assert!(policy.contains("frame-src 'self'") && policy.contains("frame-ancestors 'none'"));
}
