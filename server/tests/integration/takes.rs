//! Uploads: every byte that was acknowledged is there, once, in its place, whoever else writes.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Method, StatusCode};
use server::id::RequestId;
use tokio::io::AsyncWriteExt;

use crate::support::{
    CLIP, CLIP_LENGTH, Server, WEBM, assert_refused, clip, clip_of, journeys, noise, wait_until,
};

journeys! {
    what_arrived_before_a_hang_up_counts
    a_creation_that_nobody_heard_of_leaves_nothing
    ; over_http2
    a_recording_arrives_piece_by_piece
    a_video_of_any_size_comes_back_as_it_was
    a_creation_may_bring_the_first_bytes
    a_chunk_at_the_wrong_offset_changes_nothing
    bytes_count_before_the_body_ends
    of_many_writers_at_one_offset_one_wins
    malformed_uploads_are_refused
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

async fn a_recording_arrives_piece_by_piece(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
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
    let state = creator.state().await;
    assert_eq!(state.takes.len(), 1);
    assert_eq!(
        (state.takes[0].offset, state.takes[0].complete),
        (end, true)
    );

    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
    let status = creator.status().await;
    let url = status["video"]["url"].as_str().expect("a URL");
    let video = creator
        .ask(Method::GET, url.strip_prefix(&server.base).expect("ours"))
        .await;
    assert_eq!(video.bytes().await.expect("bytes"), [CLIP, b"de"].concat());
}

async fn a_video_of_any_size_comes_back_as_it_was(server: Server) {
    const CHUNK: usize = 8 << 20;
    for length in [CLIP.len(), CHUNK - 1, CHUNK, CHUNK + 1, 10 * CHUNK + 1] {
        let video = clip(length);
        // By one body, and by one byte and the rest.
        for pieces in [vec![&video[..]], vec![&video[..1], &video[1..]]] {
            let creator = server.create().await;
            let take = creator.begin().await;
            let mut at = 0;
            for piece in pieces {
                let end = at + piece.len() as u64;
                let answer = creator
                    .append(&take, at, piece.to_vec(), end == length as u64)
                    .await;
                assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{length}");
                at = end;
            }
            assert!(creator.submit_and_watch(&take).await == video, "{length}");
        }
    }
}

async fn a_creation_may_bring_the_first_bytes(server: Server) {
    let creator = server.create().await;
    let begin = |complete: Option<&str>| {
        let request = server
            .request(Method::POST, &creator.page("/takes"))
            .body(WEBM);
        let request = request.header(CONTENT_TYPE, "video/webm");
        match complete {
            Some(complete) => request.header("Upload-Complete", complete),
            None => request,
        }
    };
    for (complete, want) in [(Some("?0"), "?0"), (Some("?1"), "?1"), (None, "?1")] {
        let answer = begin(complete).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::CREATED);
        assert_eq!(answer.headers()["upload-offset"], WEBM.len().to_string());
        assert_eq!(answer.headers()["upload-complete"], want);
    }
}

async fn a_chunk_at_the_wrong_offset_changes_nothing(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
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
    let creator = server.create().await;
    let take = creator.begin().await;
    // One piece, and then nothing: the connection stays open.
    let body = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(CLIP))]);
    let body = Body::wrap_stream(body.chain(stream::pending()));
    let sending = creator.append(&take, 0, body, true);
    let counted = wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH);
    tokio::select! {
        _ = sending => panic!("the body never ends"),
        () = counted => {}
    }
}

async fn what_arrived_before_a_hang_up_counts(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let mut connection = server.connect().await;
    let head = format!(
        "PATCH {take} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nUpload-Offset: 0\r\n\
         Upload-Complete: ?1\r\nContent-Type: application/partial-upload\r\n\r\n"
    );
    let sent = [head.as_bytes(), CLIP].concat();
    connection.write_all(&sent).await.expect("sent");
    connection.shutdown().await.expect("closed");
    drop(connection);

    wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH).await;
    assert_eq!(offset(&server, &take).await.1, "?0");
    let rest = noise(1000 - CLIP.len());
    let answer = creator.append(&take, CLIP_LENGTH, rest, true).await;
    assert_eq!(answer.headers()["upload-offset"], "1000");
}

async fn a_creation_that_nobody_heard_of_leaves_nothing(server: Server) {
    let creator = server.create().await;
    let path = creator.page("/takes");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {CLIP_LENGTH}\r\nUpload-Complete: ?1\r\n\r\n"
    );
    let (first, rest) = CLIP.split_at(13);
    let mut connection = server.connect().await;
    let begun = [head.as_bytes(), first].concat();
    connection.write_all(&begun).await.expect("sent");
    wait_until(async || creator.state().await.takes.len() == 1).await;
    // Nothing is committed before the sender is gone, and that has been noticed.
    let request = RequestId::parse(creator.id()).expect("an id");
    let gate = server
        .app
        .coordination
        .removal_locks
        .exclusive(&request)
        .await;
    connection.write_all(rest).await.expect("sent");
    drop(connection);
    for _ in 0..50 {
        creator.state().await;
    }
    drop(gate);
    wait_until(async || creator.state().await.takes.is_empty()).await;
    server.objects_become(0).await;
}

async fn of_many_writers_at_one_offset_one_wins(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let bodies: Vec<_> = (0..12)
        .map(|writer| clip_of(format!("writer {writer:02}").as_bytes()))
        .collect();
    let writes = bodies
        .iter()
        .map(|body| creator.append(&take, 0, body.clone(), true));
    let answers = futures_util::future::join_all(writes).await;
    let won: Vec<_> = (0..bodies.len())
        .filter(|it| answers[*it].status().is_success())
        .collect();
    assert_eq!(won.len(), 1, "exactly one");
    for answer in answers
        .iter()
        .filter(|answer| !answer.status().is_success())
    {
        assert_eq!(answer.status(), StatusCode::CONFLICT);
    }
    assert_eq!(creator.submit_and_watch(&take).await, bodies[won[0]]);
    server.objects_become(1).await;
}

async fn malformed_uploads_are_refused(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
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
        let answer = creator.append(&creator.page(path), 0, CLIP, true).await;
        assert_refused(answer, 404, "not_found").await;
    }
    let state = creator.state().await;
    assert_eq!(state.takes.len(), 1);
    assert_eq!(state.takes[0].offset, 0);
    assert!(server.objects().is_empty());
}
