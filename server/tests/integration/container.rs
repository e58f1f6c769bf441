//! What a video is, its first bytes say, whoever sends it and whatever they call it.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};

use crate::support::{CLIP, Server, WEBM, assert_refused, journeys, noise};

journeys! {
    what_is_no_video_is_refused_before_it_is_stored
    a_video_is_served_as_what_its_bytes_say
    a_head_may_come_byte_by_byte
    a_creation_with_no_video_leaves_nothing
    a_refusal_is_heard_by_who_is_still_sending
}

async fn what_is_no_video_is_refused_before_it_is_stored(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    for bytes in [
        b"<!doctype html><script>alert(1)</script>".to_vec(),
        b"\x89PNG\r\n\x1a\n and so on".to_vec(),
        noise(100_000),
    ] {
        let answer = creator.append(&take, 0, bytes, false).await;
        assert_refused(answer, 415, "unsupported_media_type").await;
    }
    // Too little to be anything.
    let answer = creator.append(&take, 0, &CLIP[..6], true).await;
    assert_refused(answer, 415, "unsupported_media_type").await;
    assert_eq!(creator.state().await.takes[0].offset, 0);
    assert!(server.objects().is_empty());

    let answer = creator.append(&take, 0, CLIP, true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_video_is_served_as_what_its_bytes_say(server: Server) {
    for (bytes, want) in [(CLIP, "video/mp4"), (WEBM, "video/webm")] {
        let creator = server.create().await;
        // Which calls every take a WebM.
        let path = creator.submit_video(bytes).await;
        let video = creator.ask(Method::GET, &path).await;
        assert_eq!(video.headers()[CONTENT_TYPE], want);
    }
}

async fn a_head_may_come_byte_by_byte(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (head, rest) = CLIP.split_at(40);
    for (at, byte) in head.iter().enumerate() {
        let answer = creator.append(&take, at as u64, vec![*byte], false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{at}");
    }
    let answer = creator.append(&take, head.len() as u64, rest, true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);

    let creator = server.create().await;
    let take = creator.begin().await;
    let answer = creator.append(&take, 0, &CLIP[..3], false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let answer = creator.append(&take, 3, "no such thing", false).await;
    assert_refused(answer, 415, "unsupported_media_type").await;
    assert_eq!(creator.state().await.takes[0].offset, 3);
}

async fn a_creation_with_no_video_leaves_nothing(server: Server) {
    let creator = server.create().await;
    let request = server.request(Method::POST, &creator.page("/takes"));
    let request = request.header(CONTENT_TYPE, "video/webm").body(noise(100));
    let answer = request.send().await.expect("an answer");
    assert_refused(answer, 415, "unsupported_media_type").await;
    assert!(creator.state().await.takes.is_empty());
    assert!(server.objects().is_empty());
}

async fn a_refusal_is_heard_by_who_is_still_sending(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    // More than the sockets of both sides hold: the answer comes while most of it is still to be sent.
    let answer = creator.append(&take, 0, noise(20_000_000), true).await;
    assert_refused(answer, 415, "unsupported_media_type").await;
    let answer = creator.append(&take, 7, noise(20_000_000), true).await;
    assert_refused(answer, 409, "offset_mismatch").await;
}
