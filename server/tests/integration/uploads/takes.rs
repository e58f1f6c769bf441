//! Uploads: acknowledged bytes are stored exactly once, at their offset, whatever other writers do.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Method, StatusCode};
use server::id::RequestId;
use tokio::io::AsyncWriteExt;

use crate::support::scrape::{AdminServer, http};
use crate::support::{
    CLIP, CLIP_LENGTH, SEEKABLE_WEBM, Server, assert_refused, clip, clip_with, noise,
    on_each_storage, wait_until,
};

on_each_storage! {
    bytes_received_before_a_disconnection_count
    an_unacknowledged_creation_leaves_no_take
    ; over_http2
    a_recording_is_uploaded_in_several_appends
    a_video_of_any_size_is_served_byte_for_byte
    a_creation_may_carry_the_first_bytes
    an_append_at_a_wrong_offset_is_409_and_changes_nothing
    bytes_count_before_the_body_ends
    one_of_many_concurrent_appends_wins
    malformed_upload_headers_are_400
}

async fn offset(server: &Server, take: &str) -> (String, String) {
    let answer = server
        .request(Method::HEAD, take)
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let text = |name| answer.headers()[name].to_str().expect("text").to_owned();
    (text("upload-offset"), text("upload-complete"))
}

async fn a_recording_is_uploaded_in_several_appends(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    assert_eq!(
        offset(&server, &take).await,
        ("0".to_owned(), "?0".to_owned())
    );

    let answer = creator.append(&take, 0, CLIP, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
    assert_eq!(
        offset(&server, &take).await,
        (CLIP_LENGTH.to_string(), "?0".to_owned())
    );
    assert_eq!(
        creator
            .append(&take, CLIP_LENGTH, "de", false)
            .await
            .status(),
        StatusCode::NO_CONTENT
    );

    let end = CLIP_LENGTH + 2;
    let answer = creator.append(&take, end, "", true).await;
    assert_eq!(answer.headers()["upload-complete"], "?1");
    assert_eq!(
        offset(&server, &take).await,
        (end.to_string(), "?1".to_owned())
    );
    let state = creator.page_state().await;
    assert_eq!(state.takes.len(), 1);
    assert_eq!(
        (state.takes[0].offset, state.takes[0].complete),
        (end, true)
    );

    let video = creator.submit_and_download(&take).await;
    assert_eq!(video, [CLIP, b"de"].concat());
}

async fn a_video_of_any_size_is_served_byte_for_byte(server: Server) {
    const CHUNK: usize = 8 << 20;
    for length in [CLIP.len(), CHUNK - 1, CHUNK, CHUNK + 1, 10 * CHUNK + 1] {
        let video = clip(length);
        // In one body, and in one byte and the rest.
        for pieces in [vec![&video[..]], vec![&video[..1], &video[1..]]] {
            let creator = server.create_request().await;
            let take = creator.create_take().await;
            let mut at = 0;
            for piece in pieces {
                let end = at + piece.len() as u64;
                let answer = creator
                    .append(&take, at, piece.to_vec(), end == length as u64)
                    .await;
                assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{length}");
                at = end;
            }
            assert!(
                creator.submit_and_download(&take).await == video,
                "{length}"
            );
        }
    }
}

async fn a_creation_may_carry_the_first_bytes(server: Server) {
    let creator = server.create_request().await;
    let begin = |complete: Option<&str>| {
        let request = creator.post_take().body(SEEKABLE_WEBM);
        let request = request.header(CONTENT_TYPE, "video/webm");
        match complete {
            Some(complete) => request.header("Upload-Complete", complete),
            None => request,
        }
    };
    for (complete, expected) in [(Some("?0"), "?0"), (Some("?1"), "?1"), (None, "?1")] {
        let answer = begin(complete).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::CREATED);
        assert_eq!(
            answer.headers()["upload-offset"],
            SEEKABLE_WEBM.len().to_string()
        );
        assert_eq!(answer.headers()["upload-complete"], expected);
    }
}

async fn an_append_at_a_wrong_offset_is_409_and_changes_nothing(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    creator.append(&take, 0, CLIP, false).await;
    for wrong in [0, CLIP_LENGTH - 1, CLIP_LENGTH + 1, 999_999_999_999_999] {
        let answer = creator.append(&take, wrong, "xyz", true).await;
        assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
        assert_refused(answer, 409, "offset_mismatch").await;
    }
    assert_eq!(
        offset(&server, &take).await,
        (CLIP_LENGTH.to_string(), "?0".to_owned())
    );
    assert_eq!(server.objects().len(), 1);

    creator.append(&take, CLIP_LENGTH, "", true).await;
    let answer = creator.append(&take, CLIP_LENGTH, "more", false).await;
    assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
    assert_refused(answer, 409, "take_complete").await;
}

async fn bytes_count_before_the_body_ends(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    // One piece, then an open connection without further bytes.
    let body = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(CLIP))]);
    let body = Body::wrap_stream(body.chain(stream::pending()));
    let sending = creator.append(&take, 0, body, true);
    let declared = wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH);
    tokio::select! {
        _ = sending => panic!("the body never ends"),
        () = declared => {}
    }
}

async fn bytes_received_before_a_disconnection_count(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let mut connection = server.connect().await;
    let head = format!(
        "PATCH {take} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nUpload-Offset: 0\r\n\
         Upload-Complete: ?1\r\nContent-Type: application/partial-upload\r\n\r\n"
    );
    let sent = [head.as_bytes(), CLIP].concat();
    connection.write_all(&sent).await.expect("sent");
    connection.shutdown().await.expect("closed");
    drop(connection);

    wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
    assert_eq!(offset(&server, &take).await.1, "?0");
    let rest = noise(1000 - CLIP.len());
    let answer = creator.append(&take, CLIP_LENGTH, rest, true).await;
    assert_eq!(answer.headers()["upload-offset"], "1000");
}

async fn an_unacknowledged_creation_leaves_no_take(server: Server) {
    let admin = AdminServer::start(&server).await;
    let creator = server.create_request().await;
    let path = creator.link_path("/takes");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {CLIP_LENGTH}\r\nUpload-Complete: ?1\r\n\r\n"
    );
    let (first, rest) = CLIP.split_at(13);
    let mut connection = server.connect().await;
    let started = [head.as_bytes(), first].concat();
    connection.write_all(&started).await.expect("sent");
    wait_until(async || creator.page_state().await.takes.len() == 1).await;
    // The lock delays the commit until the server has noticed the disconnection.
    let request = RequestId::parse(creator.id()).expect("an id");
    let gate = server
        .app
        .coordination
        .removal_locks
        .exclusive(&request)
        .await;
    connection.write_all(rest).await.expect("sent");
    drop(connection);
    let left = http("POST", "/r/{id}/takes", "none");
    let requests = "vidence_http_requests_total";
    wait_until(async || admin.scrape().await.value(requests, &left).is_some()).await;
    drop(gate);
    wait_until(async || creator.page_state().await.takes.is_empty()).await;
    server.wait_for_objects(0).await;
}

async fn one_of_many_concurrent_appends_wins(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let bodies: Vec<_> = (0..12)
        .map(|writer| clip_with(format!("writer {writer:02}").as_bytes()))
        .collect();
    let writes = bodies
        .iter()
        .map(|body| creator.append(&take, 0, body.clone(), true));
    let answers = futures_util::future::join_all(writes).await;
    let accepted: Vec<_> = (0..bodies.len())
        .filter(|it| answers[*it].status().is_success())
        .collect();
    assert_eq!(accepted.len(), 1, "exactly one");
    for answer in answers
        .iter()
        .filter(|answer| !answer.status().is_success())
    {
        assert_eq!(answer.status(), StatusCode::CONFLICT);
    }
    assert_eq!(
        creator.submit_and_download(&take).await,
        bodies[accepted[0]]
    );
    server.wait_for_objects(1).await;
}

async fn malformed_upload_headers_are_400(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    for (name, value) in [
        ("Upload-Offset", "-1"),
        ("Upload-Offset", "+0"),
        ("Upload-Offset", "0.0"),
        ("Upload-Offset", ""),
        ("Upload-Offset", "99999999999999999999999"),
        ("Upload-Complete", "1"),
        ("Upload-Complete", "true"),
    ] {
        let mut headers = reqwest::header::HeaderMap::new();
        for (name, value) in [
            ("Upload-Offset", "0"),
            ("Upload-Complete", "?0"),
            ("Content-Type", "application/partial-upload"),
        ] {
            headers.insert(name, value.parse().expect("a value"));
        }
        let name: reqwest::header::HeaderName = name.parse().expect("a name");
        headers.insert(name, value.parse().expect("a value"));
        let request = server
            .request(Method::PATCH, &take)
            .headers(headers)
            .body(CLIP);
        let answer = request.send().await.expect("an answer");
        assert_refused(answer, 400, "bad_request").await;
    }
    let request = server.request(Method::PATCH, &take).body(CLIP);
    let request = request.header(CONTENT_TYPE, "video/webm");
    let answer = request
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?0");
    let answer = answer.send().await.expect("an answer");
    assert_eq!(
        answer.headers()["accept-patch"],
        "application/partial-upload"
    );
    assert_refused(answer, 415, "unsupported_media_type").await;
    for path in ["/takes/x", "/takes/0000000000000000000000", "/nothing"] {
        let answer = creator
            .append(&creator.link_path(path), 0, CLIP, true)
            .await;
        assert_refused(answer, 404, "not_found").await;
    }
    let state = creator.page_state().await;
    assert_eq!(state.takes.len(), 1);
    assert_eq!(state.takes[0].offset, 0);
    assert!(server.objects().is_empty());
}
