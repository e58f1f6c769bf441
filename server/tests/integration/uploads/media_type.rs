//! The media type of a video is detected from its first bytes; declared types are ignored.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};

use crate::support::{CLIP, SEEKABLE_WEBM, Server, assert_refused, noise, on_each_storage};

on_each_storage! {
    a_file_that_is_no_video_is_415_and_not_stored
    the_media_type_is_detected_from_the_bytes
    the_media_type_is_detected_from_single_bytes
    a_creation_with_a_file_that_is_no_video_leaves_no_take
    a_refused_append_is_answered_while_the_client_is_still_sending
    a_take_is_refused_after_64_pieces_without_a_media_type
}

async fn a_file_that_is_no_video_is_415_and_not_stored(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    for bytes in [
        b"<!doctype html><script>alert(1)</script>".to_vec(),
        b"\x89PNG\r\n\x1a\n and so on".to_vec(),
        noise(100_000),
    ] {
        let answer = creator.append(&take, 0, bytes, false).await;
        assert_refused(answer, 415, "unsupported_media_type").await;
    }
    // Too few bytes to be a video.
    let answer = creator.append(&take, 0, &CLIP[..6], true).await;
    assert_refused(answer, 415, "unsupported_media_type").await;
    assert_eq!(creator.page_state().await.takes[0].offset, 0);
    assert!(server.objects().is_empty());

    let answer = creator.append(&take, 0, CLIP, true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn the_media_type_is_detected_from_the_bytes(server: Server) {
    for (bytes, want) in [(CLIP, "video/mp4"), (SEEKABLE_WEBM, "video/webm")] {
        let creator = server.create_request().await;
        // The client declares WebM for every take.
        let path = creator.submit_video(bytes).await;
        let video = creator.send_authorized(Method::GET, &path).await;
        assert_eq!(video.headers()[CONTENT_TYPE], want);
    }
}

async fn the_media_type_is_detected_from_single_bytes(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (head, rest) = CLIP.split_at(40);
    for (at, byte) in head.iter().enumerate() {
        let answer = creator.append(&take, at as u64, vec![*byte], false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{at}");
    }
    let answer = creator.append(&take, head.len() as u64, rest, true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);

    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let answer = creator.append(&take, 0, &CLIP[..3], false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let answer = creator.append(&take, 3, "no such thing", false).await;
    assert_refused(answer, 415, "unsupported_media_type").await;
    assert_eq!(creator.page_state().await.takes[0].offset, 3);
}

async fn a_creation_with_a_file_that_is_no_video_leaves_no_take(server: Server) {
    let creator = server.create_request().await;
    let request = creator.post_take().header(CONTENT_TYPE, "video/webm");
    let answer = request.body(noise(100)).send().await.expect("an answer");
    assert_refused(answer, 415, "unsupported_media_type").await;
    assert!(creator.page_state().await.takes.is_empty());
    assert!(server.objects().is_empty());
}

async fn a_refused_append_is_answered_while_the_client_is_still_sending(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    // More than the socket buffers of both sides hold, so the response arrives while the client is still sending.
    let answer = creator.append(&take, 0, noise(20_000_000), true).await;
    assert_refused(answer, 415, "unsupported_media_type").await;
    let answer = creator.append(&take, 7, noise(20_000_000), true).await;
    assert_refused(answer, 409, "offset_mismatch").await;
}

async fn a_take_is_refused_after_64_pieces_without_a_media_type(server: Server) {
    /// An EBML header of unknown length. Filled with void elements, it never names its format.
    const UNDECIDED: &[u8] = b"\x1a\x45\xdf\xa3\x01\xff\xff\xff\xff\xff\xff\xff";
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let voids = [0xec, 0x81, 0].into_iter().cycle();
    let mut bytes = UNDECIDED.iter().copied().chain(voids);
    for at in 0..=65 {
        let byte = bytes.next().expect("endless");
        let answer = creator.append(&take, at, vec![byte], false).await;
        // Each append reads all bytes so far again.
        match at {
            0..=64 => assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{at}"),
            _ => assert_refused(answer, 415, "unsupported_media_type").await,
        }
    }
}
