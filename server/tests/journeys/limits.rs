//! What is too much is refused, and what was there before stays as it was.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use server::config::LimitArgs;
use server::service::expiry::sweep;

use crate::support::{Creator, HOUR, Server, assert_refused, generous, journeys, noise};

journeys! {
    a_take_may_have_so_many_bytes
    a_request_may_have_so_many_bytes
    a_request_may_have_so_many_takes
    all_together_may_have_so_many_bytes
    a_disk_that_is_nearly_full_takes_nothing
    many_uploads_share_little_memory
}

/// Appends, and checks that it was refused and changed nothing.
async fn refused(server: &Server, creator: &Creator<'_>, bytes: usize, status: u16, code: &str) {
    let take = creator.begin().await;
    let objects = server.objects().len();
    assert_eq!(
        creator.append(&take, 0, "abc", false).await.status(),
        StatusCode::NO_CONTENT
    );
    let answer = creator.append(&take, 3, noise(bytes), true).await;
    assert_refused(answer, status, code).await;
    let answer = server
        .request(Method::HEAD, &take)
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.headers()["upload-offset"], "3");
    assert_eq!(answer.headers()["upload-complete"], "?0");
    assert_eq!(server.objects().len(), objects + 1);
}

async fn a_take_may_have_so_many_bytes(server: Server) {
    let limits = LimitArgs {
        max_video_bytes: 1000,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    refused(&server, &creator, 998, 413, "too_large").await;
    let whole = creator.begin().await;
    let answer = server
        .request(Method::HEAD, &whole)
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.headers()["upload-limit"], "max-size=1000");
    let answer = creator.append(&whole, 0, noise(1000), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_request_may_have_so_many_bytes(server: Server) {
    let limits = LimitArgs {
        max_request_bytes: 1000,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    creator.upload(&noise(600)).await;
    refused(&server, &creator, 398, 413, "too_large").await;
    // Another one's bytes don't count.
    server.create().await.upload(&noise(1000)).await;
}

async fn a_request_may_have_so_many_takes(server: Server) {
    let limits = LimitArgs {
        max_takes: 2,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    let first = creator.upload(b"one").await;
    creator.upload(b"two").await;
    let begin = || {
        let request = server.request(Method::POST, &creator.page("/takes"));
        request.header(CONTENT_TYPE, "video/webm").send()
    };
    let answer = begin().await.expect("an answer");
    assert_refused(answer, 413, "too_many_takes").await;
    let discard = server
        .request(Method::DELETE, &first)
        .send()
        .await
        .expect("an answer");
    assert_eq!(discard.status(), StatusCode::NO_CONTENT);
    let answer = begin().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::CREATED);
}

async fn all_together_may_have_so_many_bytes(server: Server) {
    let limits = LimitArgs {
        max_stored_bytes: Some(1000),
        ..generous()
    };
    let server = server.limited(limits).await;
    let old = server.create().await;
    old.upload(&noise(600)).await;
    server.later(HOUR / 2);
    let young = server.create().await;
    refused(&server, &young, 398, 507, "insufficient_storage").await;

    // What goes makes room.
    server.later(HOUR / 2);
    sweep(&server.app).await.expect("a sweep");
    let take = young.begin().await;
    let answer = young.append(&take, 0, noise(900), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_disk_that_is_nearly_full_takes_nothing(server: Server) {
    let creator = server.create().await;
    let (take, created) = (creator.begin().await, creator.created.id.clone());
    assert_eq!(
        creator.append(&take, 0, "abc", false).await.status(),
        StatusCode::NO_CONTENT
    );
    let limits = LimitArgs {
        min_free_bytes: u64::MAX,
        ..generous()
    };
    let server = server.limited(limits).await;
    let append = server.request(Method::PATCH, &take).body("more");
    let append = append
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "3")
        .header("Upload-Complete", "?0");
    let answer = append.send().await.expect("an answer");
    assert_refused(answer, 507, "insufficient_storage").await;
    let state = server.get(&format!("/r/{created}/state")).await;
    let state: app::api::PageState = state.json().await.expect("a state");
    assert_eq!(state.takes[0].offset, 3);
}

async fn many_uploads_share_little_memory(server: Server) {
    let limits = LimitArgs {
        upload_memory: 100_000,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creators: Vec<_> = futures_util::future::join_all((0..10).map(|_| server.create())).await;
    let clips: Vec<_> = (0..creators.len()).map(|n| noise(1_000_000 + n)).collect();
    let uploads = creators.iter().zip(&clips).map(async |(creator, clip)| {
        let path = creator.submit_video(clip).await;
        let video = creator.ask(Method::GET, &path).await;
        assert!(video.bytes().await.expect("bytes") == *clip);
    });
    futures_util::future::join_all(uploads).await;
}
