//! What is too much is refused, and what was there before stays as it was.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use server::config::LimitArgs;
use server::service::workers::sweeper::sweep;
use tokio::io::AsyncWriteExt;

use crate::support::{
    BEGINNING, BEGINNING_LENGTH, CLIP, CLIP_LENGTH, Creator, HOUR, OBJECT_COST, Server,
    assert_refused, clip, generous, journeys, noise, wait_until,
};

journeys! {
    a_take_may_have_so_many_bytes
    a_request_may_have_so_many_bytes
    takes_that_grow_at_once_share_what_is_left
    a_request_may_have_so_many_takes
    all_together_may_have_so_many_bytes
    many_uploads_share_little_memory
    bodies_that_are_collected_count_against_the_memory_of_uploads
}

/// Appends one byte more than there is room for, and checks that it was refused and changed nothing.
async fn refused(server: &Server, creator: &Creator<'_>, room: usize, status: u16, code: &str) {
    let take = creator.begin().await;
    let objects = server.objects().len();
    assert_eq!(
        creator.append(&take, 0, BEGINNING, false).await.status(),
        StatusCode::NO_CONTENT
    );
    let rest = noise(room + 1 - BEGINNING.len());
    let answer = creator.append(&take, BEGINNING_LENGTH, rest, true).await;
    assert_refused(answer, status, code).await;
    let answer = server
        .request(Method::HEAD, &take)
        .send()
        .await
        .expect("an answer");
    assert_eq!(
        answer.headers()["upload-offset"],
        BEGINNING_LENGTH.to_string()
    );
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
    refused(&server, &creator, 1000, 413, "too_large").await;
    let whole = creator.begin().await;
    let answer = server
        .request(Method::HEAD, &whole)
        .send()
        .await
        .expect("an answer");
    let limit = answer.headers()["upload-limit"].to_str().expect("text");
    assert!(limit.starts_with("max-size=1000, max-age="), "{limit}");
    let answer = creator.append(&whole, 0, clip(1000), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_request_may_have_so_many_bytes(server: Server) {
    let limits = LimitArgs {
        max_request_bytes: 1000,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    creator.upload(&clip(600)).await;
    refused(&server, &creator, 400, 413, "too_large").await;
    // Another one's bytes don't count.
    server.create().await.upload(&clip(1000)).await;
}

async fn takes_that_grow_at_once_share_what_is_left(server: Server) {
    const CHUNK: u64 = 8 << 20;
    let limits = LimitArgs {
        max_request_bytes: 4 * CHUNK,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    let takes = futures_util::future::join_all((0..4).map(|_| creator.begin())).await;
    let video = clip(30_000_000);
    let appends = takes
        .iter()
        .map(|take| creator.append(take, 0, video.clone(), true));
    futures_util::future::join_all(appends).await;
    let held: u64 = creator.state().await.takes.iter().map(|it| it.offset).sum();
    assert!(held <= 4 * CHUNK, "{held}");
}

async fn a_request_may_have_so_many_takes(server: Server) {
    let limits = LimitArgs {
        max_takes: 2,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    let first = creator.upload(CLIP).await;
    creator.upload(CLIP).await;
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
        max_stored_bytes: Some(1000 + 3 * OBJECT_COST),
        ..generous()
    };
    let server = server.limited(limits).await;
    let old = server.create().await;
    // Not complete: what sealing adds to a recording counts, too.
    let recording = old.begin().await;
    let answer = old.append(&recording, 0, clip(600), false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    server.later(HOUR / 2);
    let young = server.create().await;
    refused(&server, &young, 400, 507, "insufficient_storage").await;

    // What goes makes room.
    server.later(HOUR / 2);
    sweep(&server.app).await.expect("a sweep");
    let take = young.begin().await;
    let answer = young.append(&take, 0, clip(900), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_nearly_full_takes_nothing() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let (take, created) = (creator.begin().await, creator.created.id.clone());
    assert_eq!(
        creator.append(&take, 0, CLIP, false).await.status(),
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
        .header("Upload-Offset", CLIP_LENGTH)
        .header("Upload-Complete", "?0");
    let answer = append.send().await.expect("an answer");
    assert_refused(answer, 507, "insufficient_storage").await;
    let state = server.get(&format!("/r/{created}/state")).await;
    let state: app::api::PageState = state.json().await.expect("a state");
    assert_eq!(state.takes[0].offset, CLIP_LENGTH);
}

async fn many_uploads_share_little_memory(server: Server) {
    const MEMORY: u64 = 100_000;
    let limits = LimitArgs {
        upload_memory: MEMORY,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creators: Vec<_> = futures_util::future::join_all((0..10).map(|_| server.create())).await;
    let clips: Vec<_> = (0..creators.len()).map(|n| clip(1_000_000 + n)).collect();
    let uploads = creators.iter().zip(&clips).map(async |(creator, clip)| {
        let path = creator.submit_video(clip).await;
        let video = creator.ask(Method::GET, &path).await;
        assert!(video.bytes().await.expect("bytes") == *clip);
    });
    // What the process takes is looked at by a test of the whole binary, `faults/crowd.rs`.
    let mut most = 0;
    let watch = async {
        loop {
            most = most.max(server.app.coordination.upload_memory.used());
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = futures_util::future::join_all(uploads) => {}
        () = watch => {}
    }
    assert!(
        (MEMORY / 2..=MEMORY).contains(&(most as u64)),
        "{most} of {MEMORY}"
    );
    assert_eq!(server.app.coordination.upload_memory.used(), 0);
}

async fn bodies_that_are_collected_count_against_the_memory_of_uploads(server: Server) {
    const MEMORY: u64 = 64 << 10;
    let server = server
        .limited(LimitArgs {
            upload_memory: MEMORY,
            ..generous()
        })
        .await;
    let link = server.create().await.page("");
    for (path, media_type) in [
        ("/v1/requests".to_owned(), "application/json"),
        ("/mcp".to_owned(), "application/json"),
        (format!("{link}/submission"), "application/json"),
        (
            format!("{link}/report"),
            "application/x-www-form-urlencoded",
        ),
        (link.clone(), "multipart/form-data; boundary=x"),
    ] {
        let mut connection = server.connect().await;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media_type}\r\n\
             Content-Length: 60000\r\n\r\n"
        );
        connection.write_all(head.as_bytes()).await.expect("sent");
        wait_until(async || server.app.coordination.upload_memory.used() > 0).await;
        drop(connection);
        wait_until(async || server.app.coordination.upload_memory.used() == 0).await;
    }
}
