//! Uploads: every byte that was acknowledged is there, once, in its place, whoever else writes.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Method, StatusCode};
use serde_json::{Value, json};
use server::id::RequestId;
use tokio::io::AsyncWriteExt;

use crate::support::{
    CLIP, CLIP_LENGTH, Creator, Server, WEBM, assert_refused, clip, clip_of, journeys, noise,
    wait_until,
};

journeys! {
    a_recording_arrives_piece_by_piece
    a_video_of_any_size_comes_back_as_it_was
    a_creation_may_bring_the_first_bytes
    a_chunk_at_the_wrong_offset_changes_nothing
    bytes_count_before_the_body_ends
    what_arrived_before_a_hang_up_counts
    a_creation_that_nobody_heard_of_leaves_nothing
    of_many_writers_at_one_offset_one_wins
    a_video_is_submitted_exactly_once
    a_submission_and_a_discard_never_both_win
    a_submission_is_no_place_for_endless_bodies
    only_a_complete_take_can_be_submitted
    a_rejected_take_leaves_no_bytes
    a_stranger_with_the_link_learns_no_takes_id
    who_knows_a_takes_id_is_told_of_that_take_alone
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
        let creator = server.create().await;
        let video = clip(length);
        // By one body, and by one byte and the rest.
        for pieces in [vec![&video[..]], vec![&video[..1], &video[1..]]] {
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
            if creator.state().await.takes.len() == 2 {
                assert!(
                    read_back(&creator, &server, &take).await == video,
                    "{length}"
                );
            }
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
    let gate = server.app.gates.remove(&request).await;
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
    assert_eq!(read_back(&creator, &server, &take).await, bodies[won[0]]);
    server.objects_become(1).await;
}

async fn read_back(creator: &Creator<'_>, server: &Server, take: &str) -> Vec<u8> {
    assert_eq!(creator.submit(take).await.status(), StatusCode::OK);
    let status = creator.status().await;
    let url = status["video"]["url"].as_str().expect("a URL");
    let path = url.strip_prefix(&server.base).expect("ours");
    creator
        .ask(Method::GET, path)
        .await
        .bytes()
        .await
        .expect("bytes")
        .to_vec()
}

async fn a_video_is_submitted_exactly_once(server: Server) {
    let creator = server.create().await;
    let takes = [creator.upload(CLIP).await, creator.upload(CLIP).await];
    let submissions = takes
        .iter()
        .cycle()
        .take(10)
        .map(|take| creator.submit(take));
    let answers = futures_util::future::join_all(submissions).await;
    let good = answers
        .iter()
        .filter(|answer| answer.status() == StatusCode::OK)
        .count();
    assert_eq!(good, 1);
    for answer in answers
        .into_iter()
        .filter(|answer| answer.status() != StatusCode::OK)
    {
        // Who came while the winner's transaction ran may find the other take gone already.
        assert_refused(answer, 409, "already_submitted").await;
    }
    let state = creator.state().await;
    assert_eq!(state.takes.len(), 1, "the other one was rejected");
    server.objects_become(1).await;

    for take in &takes {
        assert_refused(creator.submit(take).await, 409, "already_submitted").await;
        let append = creator.append(take, CLIP_LENGTH, "more", true).await;
        assert_refused(append, 409, "already_submitted").await;
        let discard = server
            .request(Method::DELETE, take)
            .send()
            .await
            .expect("an answer");
        assert_refused(discard, 409, "already_submitted").await;
    }
}

async fn a_submission_and_a_discard_never_both_win(server: Server) {
    for _ in 0..20 {
        let creator = server.create().await;
        let take = creator.upload(CLIP).await;
        let discard = server.request(Method::DELETE, &take).send();
        let (submitted, discarded) = tokio::join!(creator.submit(&take), discard);
        let submitted = submitted.status() == StatusCode::OK;
        let discarded = discarded.expect("an answer").status() == StatusCode::NO_CONTENT;
        assert_ne!(submitted, discarded);
        let status = creator.status().await;
        let Some(url) = status["video"]["url"].as_str() else {
            assert!(discarded);
            continue;
        };
        let path = url.strip_prefix(&server.base).expect("ours");
        let video = creator.ask(Method::GET, path).await;
        assert_eq!(video.bytes().await.expect("bytes"), CLIP);
    }
}

async fn a_submission_is_no_place_for_endless_bodies(server: Server) {
    let creator = server.create().await;
    let path = creator.page("/submission");
    let request = server
        .request(Method::POST, &path)
        .header(CONTENT_TYPE, "application/json");
    let answer = request
        .body(vec![b' '; 100_000])
        .send()
        .await
        .expect("an answer");
    assert_refused(answer, 400, "bad_request").await;
}

async fn only_a_complete_take_can_be_submitted(server: Server) {
    let (creator, other) = (server.create().await, server.create().await);
    let open = creator.begin().await;
    creator.append(&open, 0, CLIP, false).await;
    assert_refused(creator.submit(&open).await, 409, "take_incomplete").await;
    let empty = creator.upload(b"").await;
    assert_refused(creator.submit(&empty).await, 422, "take_empty").await;
    let foreign = other.upload(CLIP).await;
    assert_refused(creator.submit(&foreign).await, 404, "not_found").await;
    for body in [
        json!({}),
        json!({ "take": 1 }),
        json!({ "take": "a", "more": 1 }),
        json!([]),
    ] {
        let answer = server.post(&creator.page("/submission"), &body).await;
        assert_refused(answer, 400, "bad_request").await;
    }
    assert_eq!(creator.status().await["status"], "awaiting_submission");
}

async fn a_rejected_take_leaves_no_bytes(server: Server) {
    let creator = server.create().await;
    let bytes = clip_of(b"kept");
    let (rejected, kept) = (creator.upload(CLIP).await, creator.upload(&bytes).await);
    let discard = server
        .request(Method::DELETE, &rejected)
        .send()
        .await
        .expect("an answer");
    assert_eq!(discard.status(), StatusCode::NO_CONTENT);
    assert_eq!(server.objects().len(), 1);
    let append = creator.append(&rejected, CLIP_LENGTH, "more", true).await;
    assert_refused(append, 404, "not_found").await;
    assert_eq!(read_back(&creator, &server, &kept).await, bytes);
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

/// Named as a page names itself.
const VISIT: &str = "mXq-2bYv0Zr_8KcWvNd8sA";

fn id_in(take: &str) -> &str {
    take.rsplit('/').next().expect("an id")
}

async fn put(creator: &Creator<'_>, body: &Value) -> reqwest::Response {
    let path = creator.page(&format!("/visits/{VISIT}"));
    let request = creator.server.request(Method::PUT, &path).json(body);
    request.send().await.expect("an answer")
}

async fn a_stranger_with_the_link_learns_no_takes_id(server: Server) {
    let creator = server.create().await;
    let (open, complete) = (creator.begin().await, creator.upload(CLIP).await);
    let learns_none = async || {
        let answers = [
            server.get(&creator.page("")).await,
            server.get(&creator.page("/state")).await,
            server.get(&creator.page("/state?take=")).await,
            server.get(&creator.page("/takes")).await,
            put(&creator, &json!({ "doing": "looking" })).await,
            put(&creator, &json!({ "doing": "looking", "take": VISIT })).await,
            server
                .post(&creator.page("/submission"), &json!({ "take": VISIT }))
                .await,
            creator
                .ask(Method::GET, &format!("/v1/requests/{}", creator.id()))
                .await,
        ];
        for answer in answers {
            let url = answer.url().clone();
            let said = format!("{:?}", answer.headers()) + &answer.text().await.expect("text");
            for take in [&open, &complete] {
                assert!(!said.contains(id_in(take)), "{url}: {said}");
            }
        }
    };
    learns_none().await;
    assert_eq!(
        creator.state().await.takes.len(),
        2,
        "but that there are two"
    );
    assert_eq!(creator.submit(&complete).await.status(), StatusCode::OK);
    learns_none().await;
    assert_eq!(creator.state().await.takes.len(), 1);
}

async fn who_knows_a_takes_id_is_told_of_that_take_alone(server: Server) {
    let (creator, other) = (server.create().await, server.create().await);
    let (mine, foreign) = (creator.upload(CLIP).await, other.begin().await);
    let second = creator.begin().await;
    let told = async |take: &str| {
        let path = creator.page(&format!("/state?lang=en&take={take}"));
        let heartbeat = json!({ "doing": "reviewing", "take": take });
        let (state, heard) = (server.get(&path).await, put(&creator, &heartbeat).await);
        assert_eq!(state.status(), StatusCode::OK, "{take}");
        assert_eq!(heard.status(), StatusCode::OK, "{take}");
        let state: Value = state.json().await.expect("JSON");
        let heard: Value = heard.json().await.expect("JSON");
        assert_eq!(state.get("take"), heard.get("take"), "{take}");
        state.get("take").cloned()
    };
    let of_mine = told(id_in(&mine)).await.expect("the first take");
    assert_eq!(
        (&of_mine["offset"], &of_mine["complete"]),
        (&json!(CLIP_LENGTH), &json!(true))
    );
    let empty = json!({ "offset": 0, "complete": false, "sealed": false, "located": false });
    assert_eq!(told(id_in(&second)).await, Some(empty));
    for nothing in [id_in(&foreign), VISIT, "short", "", "%00"] {
        assert_eq!(told(nothing).await, None, "{nothing}");
    }

    let submitted: Value = creator.submit(&mine).await.json().await.expect("JSON");
    assert_eq!(submitted["status"], "submitted");
    assert_eq!(submitted["takes"], json!([submitted["take"]]));
    assert_eq!(submitted["take"]["sealed"], true);
    assert_eq!(told(id_in(&mine)).await.as_ref(), submitted.get("take"));
    assert_eq!(told(id_in(&second)).await, None, "it is gone");
}
