//! The link as a picture.

use reqwest::Method;

use crate::support::{CLIP, HOUR, Server, assert_refused, journeys};

journeys! {
    a_link_can_be_read_off_the_screen
    a_picture_is_kept_no_longer_than_the_link_lives
    there_is_no_picture_of_a_link_that_is_none
}

async fn a_link_can_be_read_off_the_screen(server: Server) {
    let creator = server.create().await;
    let answer = server.get(&creator.page("/qr.svg")).await;
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
    // All of it light, whatever is behind; and the dark squares are those of the link.
    let light = format!("<path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>");
    let dark = format!("<path fill=\"#000\" d=\"{}\"/>", want.path);
    let light = svg.find(&light).expect("a ground");
    assert!(svg.find(&dark).expect("a code") > light, "{svg}");

    let page = server.get(&creator.page("")).await;
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(
        policy.contains("img-src 'self'"),
        "the page may show it: {policy}"
    );
}

async fn a_picture_is_kept_no_longer_than_the_link_lives(server: Server) {
    let creator = server.create().await;
    for (later, kept) in [(0, 3600), (HOUR / 2 + 1, 1799), (HOUR / 2 - 2, 0)] {
        server.later(later);
        let answer = server.get(&creator.page("/qr.svg")).await;
        let want = format!("private, max-age={kept}");
        assert_eq!(answer.headers()["cache-control"], want);
    }
}

async fn there_is_no_picture_of_a_link_that_is_none(server: Server) {
    let (deleted, used) = (server.create().await, server.create().await);
    deleted.delete().await;
    for path in [deleted.page("/qr.svg"), "/r/nothing/qr.svg".to_owned()] {
        assert_refused(server.get(&path).await, 404, "not_found").await;
    }
    used.submit_video(CLIP).await;
    let posted = server
        .request(Method::POST, &used.page("/qr.svg"))
        .send()
        .await;
    assert_refused(posted.expect("an answer"), 405, "method_not_allowed").await;
    server.later(HOUR);
    let gone = server.get(&used.page("/qr.svg")).await;
    assert_eq!(gone.headers()["cache-control"], "no-store");
    assert_refused(gone, 410, "gone").await;
}
