//! Size limits: excess is refused, and nothing else changes.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::config::LimitArgs;
use server::service::workers::sweeper::sweep;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{
    CLIP, CLIP_LENGTH, Creator, HOUR, OBJECT_OVERHEAD, Server, WEBM_HEADER, WEBM_HEADER_LENGTH,
    assert_refused, clip, generous_limits, noise, on_each_storage, wait_until,
};

on_each_storage! {
    a_take_beyond_max_video_bytes_is_413
    a_request_beyond_max_request_bytes_is_413
    concurrent_appends_share_the_limit_of_their_request
    a_take_beyond_max_takes_is_413
    bytes_beyond_max_stored_bytes_are_507
    concurrent_uploads_stay_within_the_upload_memory
    bodies_of_one_client_that_do_not_arrive_are_limited
    the_beginning_of_a_form_counts_against_the_upload_memory
}

/// Appends one byte more than `max_size`, which must be refused without a change.
async fn assert_append_refused(
    server: &Server,
    creator: &Creator<'_>,
    max_size: usize,
    status: u16,
    code: &str,
) {
    let take = creator.create_take().await;
    let objects = server.objects().len();
    assert_eq!(
        creator.append(&take, 0, WEBM_HEADER, false).await.status(),
        StatusCode::NO_CONTENT
    );
    let rest = noise(max_size + 1 - WEBM_HEADER.len());
    let answer = creator.append(&take, WEBM_HEADER_LENGTH, rest, true).await;
    assert_refused(answer, status, code).await;
    let answer = server
        .request(Method::HEAD, &take)
        .send()
        .await
        .expect("an answer");
    assert_eq!(
        answer.headers()["upload-offset"],
        WEBM_HEADER_LENGTH.to_string()
    );
    assert_eq!(answer.headers()["upload-complete"], "?0");
    assert_eq!(server.objects().len(), objects + 1);
}

async fn a_take_beyond_max_video_bytes_is_413(server: Server) {
    let limits = LimitArgs {
        max_video_bytes: 1000,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    assert_append_refused(&server, &creator, 1000, 413, "too_large").await;
    let whole = creator.create_take().await;
    let answer = server
        .request(Method::HEAD, &whole)
        .send()
        .await
        .expect("an answer");
    let limit = answer.headers()["upload-limit"].to_str().expect("text");
    assert!(limit.starts_with("max-size=1000, max-age="), "{limit}");
    let answer = creator.append(&whole, 0, clip(1000), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    for (length, status) in [
        (1000, StatusCode::CREATED),
        (1001, StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let request = creator.post_take().header("Upload-Complete", "?0");
        let answer = request.header("Upload-Length", length).send().await;
        assert_eq!(answer.expect("an answer").status(), status, "{length}");
    }
}

async fn a_request_beyond_max_request_bytes_is_413(server: Server) {
    let limits = LimitArgs {
        max_request_bytes: 1000,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    creator.upload(&clip(600)).await;
    assert_append_refused(&server, &creator, 400, 413, "too_large").await;
    // Limits count each request on its own.
    server.create_request().await.upload(&clip(1000)).await;
}

async fn concurrent_appends_share_the_limit_of_their_request(server: Server) {
    const CHUNK: u64 = 8 << 20;
    let limits = LimitArgs {
        max_request_bytes: 4 * CHUNK,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    let takes = futures_util::future::join_all((0..4).map(|_| creator.create_take())).await;
    let video = clip(30_000_000);
    let appends = takes
        .iter()
        .map(|take| creator.append(take, 0, video.clone(), true));
    for answer in futures_util::future::join_all(appends).await {
        let status = answer.status();
        assert!(
            [StatusCode::NO_CONTENT, StatusCode::PAYLOAD_TOO_LARGE].contains(&status),
            "{status}"
        );
    }
    let held: u64 = creator
        .page_state()
        .await
        .takes
        .iter()
        .map(|it| it.offset)
        .sum();
    assert!((1..=4 * CHUNK).contains(&held), "{held}");
}

async fn a_take_beyond_max_takes_is_413(server: Server) {
    let limits = LimitArgs {
        max_takes: 2,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    let first = creator.upload(CLIP).await;
    creator.upload(CLIP).await;
    assert_refused(creator.begin_take().await, 413, "too_many_takes").await;
    let discard = server
        .request(Method::DELETE, &first)
        .send()
        .await
        .expect("an answer");
    assert_eq!(discard.status(), StatusCode::NO_CONTENT);
    let answer = creator.begin_take().await;
    assert_eq!(answer.status(), StatusCode::CREATED);
}

async fn bytes_beyond_max_stored_bytes_are_507(server: Server) {
    let limits = LimitArgs {
        max_stored_bytes: Some(1000 + 3 * OBJECT_OVERHEAD),
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let old = server.create_request().await;
    // An open take, because sealing adds stored bytes.
    let recording = old.create_take().await;
    let answer = old.append(&recording, 0, clip(600), false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    server.advance_clock(HOUR / 2);
    let young = server.create_request().await;
    assert_append_refused(&server, &young, 400, 507, "insufficient_storage").await;

    // A removal frees space.
    server.advance_clock(HOUR / 2);
    sweep(&server.app).await.expect("a sweep");
    let take = young.create_take().await;
    let answer = young.append(&take, 0, clip(900), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_below_min_free_bytes_is_507() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let (take, created) = (creator.create_take().await, creator.created.id.clone());
    assert_eq!(
        creator.append(&take, 0, CLIP, false).await.status(),
        StatusCode::NO_CONTENT
    );
    let limits = LimitArgs {
        min_free_bytes: u64::MAX,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let append = server.request(Method::PATCH, &take).body("more");
    let append = append
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", CLIP_LENGTH)
        .header("Upload-Complete", "?0");
    let answer = append.send().await.expect("an answer");
    assert_refused(answer, 507, "insufficient_storage").await;
    let begun = server.request(Method::POST, &format!("/r/{created}/takes"));
    let begun = begun.header("Upload-Complete", "?0").send().await;
    assert_refused(begun.expect("an answer"), 507, "insufficient_storage").await;
    let state = server.get(&format!("/r/{created}/state")).await;
    let state: app::api::PageState = state.json().await.expect("a state");
    assert_eq!(state.takes[0].offset, CLIP_LENGTH);
}

async fn concurrent_uploads_stay_within_the_upload_memory(server: Server) {
    const UPLOAD_MEMORY: u64 = 100_000;
    let limits = LimitArgs {
        upload_memory: UPLOAD_MEMORY,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creators: Vec<_> =
        futures_util::future::join_all((0..10).map(|_| server.create_request())).await;
    let clips: Vec<_> = (0..creators.len())
        .map(|count| clip(1_000_000 + count))
        .collect();
    let uploads = creators.iter().zip(&clips).map(async |(creator, clip)| {
        let path = creator.submit_video(clip).await;
        let video = creator.send_authorized(Method::GET, &path).await;
        assert!(video.bytes().await.expect("bytes") == *clip);
    });
    // `cargo xtask bench crowd` measures the memory of the whole process.
    let mut peak = 0;
    let watch = async {
        loop {
            peak = peak.max(server.app.coordination.upload_memory.used());
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = futures_util::future::join_all(uploads) => {}
        () = watch => {}
    }
    assert!(
        (UPLOAD_MEMORY / 2..=UPLOAD_MEMORY).contains(&(peak as u64)),
        "{peak} of {UPLOAD_MEMORY}"
    );
    assert_eq!(server.app.coordination.upload_memory.used(), 0);
}

/// A connection that has sent the head of a POST, and nothing of its body.
async fn begin_body(server: &Server, path: &str, media_type: &str) -> TcpStream {
    let mut connection = server.connect().await;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {media_type}\r\n\
         Content-Length: 60000\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).await.expect("sent");
    connection
}

async fn bodies_of_one_client_that_do_not_arrive_are_limited(server: Server) {
    // As many as one client may have with so little memory.
    const AT_A_TIME: usize = 64;
    let server = server
        .with_limits(LimitArgs {
            upload_memory: 64 << 10,
            ..generous_limits()
        })
        .await;
    let creator = server.create_request().await;
    let link = creator.link_path("");
    let create = async || {
        let wanted = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
        server.post("/v1/requests", &wanted).await
    };
    for (path, media_type) in [
        ("/v1/requests".to_owned(), "application/json"),
        ("/mcp".to_owned(), "application/json"),
        (format!("{link}/submission"), "application/json"),
        (
            format!("{link}/report"),
            "application/x-www-form-urlencoded",
        ),
    ] {
        let begun = (0..AT_A_TIME).map(|_| begin_body(&server, &path, media_type));
        let slow = futures_util::future::join_all(begun).await;
        wait_until(async || server.app.in_progress.bodies() == AT_A_TIME).await;
        assert_refused(create().await, 429, "rate_limited").await;
        // What needs no body is answered, and no upload waits.
        assert_eq!(creator.status().await["status"], "awaiting_submission");
        creator.upload(CLIP).await;
        drop(slow);
        wait_until(async || server.app.in_progress.bodies() == 0).await;
        assert_eq!(create().await.status(), StatusCode::CREATED);
    }
}

async fn the_beginning_of_a_form_counts_against_the_upload_memory(server: Server) {
    let link = server.create_request().await.link_path("");
    let form = begin_body(&server, &link, "multipart/form-data; boundary=x").await;
    let used = || server.app.coordination.upload_memory.used();
    wait_until(async || used() == 16 << 10).await;
    drop(form);
    wait_until(async || used() == 0).await;
}
