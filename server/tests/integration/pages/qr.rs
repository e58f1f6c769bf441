//! The QR code of a link.

use reqwest::Method;

use crate::support::{CLIP, HOUR, Server, assert_refused, on_each_storage};

on_each_storage! {
    a_qr_code_encodes_the_link
    a_qr_code_is_cached_until_the_link_expires
    an_unknown_or_expired_link_has_no_qr_code
}

async fn a_qr_code_encodes_the_link(server: Server) {
    let creator = server.create_request().await;
    let answer = server.get(&creator.link_path("/qr.svg")).await;
    assert_eq!(answer.headers()["content-type"], "image/svg+xml");
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    assert_eq!(answer.headers()["x-robots-tag"], "noindex");
    let policy = answer.headers()["content-security-policy"].clone();
    assert!(
        policy
            .to_str()
            .expect("text")
            .starts_with("default-src 'none'")
    );
    let svg = answer.text().await.expect("a picture");
    let want = app::qr::draw(&creator.created.submission_url).expect("a short link");
    let size = want.size;
    assert!(
        svg.contains(&format!("viewBox=\"0 0 {size} {size}\"")),
        "{svg}"
    );
    // A white background over the whole area, then the link's modules.
    let light = format!("<path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>");
    let dark = format!("<path fill=\"#000\" d=\"{}\"/>", want.path);
    let light = svg.find(&light).expect("a ground");
    assert!(svg.find(&dark).expect("a code") > light, "{svg}");

    let page = server.get(&creator.link_path("")).await;
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(
        policy.contains("img-src 'self'"),
        "the page may show it: {policy}"
    );
}

async fn a_qr_code_is_cached_until_the_link_expires(server: Server) {
    let creator = server.create_request().await;
    for (elapsed, max_age) in [(0, 3600), (HOUR / 2 + 1, 1799), (HOUR / 2 - 2, 0)] {
        server.advance_clock(elapsed);
        let answer = server.get(&creator.link_path("/qr.svg")).await;
        let want = format!("private, max-age={max_age}");
        assert_eq!(answer.headers()["cache-control"], want);
    }
}

async fn an_unknown_or_expired_link_has_no_qr_code(server: Server) {
    let (deleted, used) = (server.create_request().await, server.create_request().await);
    deleted.delete().await;
    for path in [deleted.link_path("/qr.svg"), "/r/nothing/qr.svg".to_owned()] {
        assert_refused(server.get(&path).await, 404, "not_found").await;
    }
    used.submit_video(CLIP).await;
    let posted = server
        .request(Method::POST, &used.link_path("/qr.svg"))
        .send()
        .await;
    assert_refused(posted.expect("an answer"), 405, "method_not_allowed").await;
    server.advance_clock(HOUR);
    let expired = server.get(&used.link_path("/qr.svg")).await;
    assert_eq!(expired.headers()["cache-control"], "no-store");
    assert_refused(expired, 410, "gone").await;
}
