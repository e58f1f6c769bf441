//! `/videos`: what is known of a video, and pictures of it.

use app::video_metadata::{StillsStatus, VideoMetadata};
use reqwest::{Method, StatusCode};
use sha2::{Digest, Sha256};

use crate::support::{
    Creator, HOUR, LIVE_WEBM, LOCATED, Server, VP9_WEBM, assert_refused, journeys, wait_until,
};

journeys! {
    facts_agree_with_the_video
    a_file_whose_end_is_missing_is_reported_as_truncated
    stills_are_pictures_of_it
    a_video_without_stills_says_why
    nobody_but_its_creator_learns_anything
    a_moment_without_a_picture_is_not_found
    nothing_is_known_after_its_time
    nothing_is_known_after_its_deletion
}

/// Below `/videos`, for the video at this path below `/v1`.
fn beside(video: &str, path: &str) -> String {
    let id = video.rsplit('/').next().expect("an id");
    format!("/videos/{id}{path}")
}

async fn metadata(creator: &Creator<'_>, video: &str) -> VideoMetadata {
    let answer = creator.ask(Method::GET, &beside(video, "/metadata")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    answer.json().await.expect("facts")
}

/// Facts, once nothing is left to do for its stills.
async fn all_facts(creator: &Creator<'_>, video: &str) -> VideoMetadata {
    wait_until(async || metadata(creator, video).await.stills.status != StillsStatus::Pending)
        .await;
    metadata(creator, video).await
}

async fn facts_agree_with_the_video(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let metadata = all_facts(&creator, &path).await;
    let video = creator.ask(Method::GET, &path).await;
    assert_eq!(
        video.headers()["content-type"],
        metadata.media_type.as_str()
    );
    let served = video.bytes().await.expect("bytes");
    assert_eq!(metadata.bytes, served.len() as u64);
    assert_eq!(path, format!("/v1/videos/{}", metadata.id));
    let properties = metadata.properties.expect("it was sealed");
    let digest: String = Sha256::digest(&served)
        .iter()
        .map(|it| format!("{it:02x}"))
        .collect();
    assert_eq!(properties.sha256, digest);
    assert!(properties.duration_ms > 0 && properties.width > 0 && properties.height > 0);
    assert!(properties.has_audio);
    assert!(!properties.has_location);
    assert!(!properties.truncated);
    assert_eq!(properties.missing_ms, None);
}

/// A film of ten seconds of which half a second arrived was served as one of half a second, without a word.
async fn a_file_whose_end_is_missing_is_reported_as_truncated(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(&LOCATED[..LOCATED.len() / 4]).await;
    let properties = metadata(&creator, &path)
        .await
        .properties
        .expect("it was sealed");
    assert!(properties.truncated);
    let missing = properties
        .missing_ms
        .expect("the file says how long it was to be");
    assert!(missing > properties.duration_ms, "{properties:?}");
}

async fn stills_are_pictures_of_it(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let stills = all_facts(&creator, &path).await.stills;
    assert_eq!((stills.status, stills.reason), (StillsStatus::Ready, None));
    let pictures = stills.pictures;
    assert!((1..=12).contains(&pictures.len()));
    assert!(pictures.is_sorted_by_key(|still| still.at_ms));
    for still in pictures {
        let one = beside(&path, &format!("/stills/{}", still.at_ms));
        let answer = creator.ask(Method::GET, &one).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "image/jpeg");
        assert_eq!(answer.headers()["cache-control"], "private, no-store");
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
        let jpeg = answer.bytes().await.expect("bytes");
        let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(&jpeg));
        decoder.decode_headers().expect("a JPEG");
        let (width, height) = decoder.dimensions().expect("a size");
        assert_eq!(
            (width, height),
            (still.width as usize, still.height as usize)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stills_that_may_still_come_are_pending() {
    let server = Server::without_decoders().await;
    let creator = server.create().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let metadata = metadata(&creator, &path).await;
    assert_eq!(metadata.stills.status, StillsStatus::Pending);
    assert!(metadata.stills.pictures.is_empty());
    assert!(metadata.properties.is_some(), "the rest is known");
    let still = creator.ask(Method::GET, &beside(&path, "/stills/0")).await;
    assert_refused(still, 404, "not_found").await;
}

async fn a_video_without_stills_says_why(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(VP9_WEBM).await;
    let metadata = all_facts(&creator, &path).await;
    assert!(
        metadata
            .properties
            .is_some_and(|properties| !properties.has_audio)
    );
    assert_eq!(metadata.stills.status, StillsStatus::Unavailable);
    let why = metadata.stills.reason.expect("a reason");
    assert!(why.contains("VP9"), "{why}");
}

/// In the order in which `/v1/videos` checks.
async fn nobody_but_its_creator_learns_anything(server: Server) {
    let (creator, stranger) = (server.create().await, server.create().await);
    let path = creator.submit_video(LIVE_WEBM).await;
    all_facts(&creator, &path).await;
    for of_it in ["/metadata", "/stills/0"] {
        let path = beside(&path, of_it);
        let answer = server.get(&path).await;
        assert_eq!(answer.headers()["www-authenticate"], "Bearer");
        assert_refused(answer, 401, "unauthorized").await;
        let unknown = server
            .request(Method::GET, &path)
            .bearer_auth("vidence_unknown");
        let answer = unknown.send().await.expect("an answer");
        let challenge = "Bearer error=\"invalid_token\"";
        assert_eq!(answer.headers()["www-authenticate"], challenge);
        assert_refused(answer, 401, "unauthorized").await;
        let answer = stranger.ask(Method::GET, &path).await;
        assert_refused(answer, 403, "forbidden").await;
        let answer = creator.ask(Method::POST, &path).await;
        assert_refused(answer, 405, "method_not_allowed").await;
        let nowhere = format!("/videos/0000000000000000000000{of_it}");
        let answer = creator.ask(Method::GET, &nowhere).await;
        assert_refused(answer, 404, "not_found").await;
    }
    let answer = creator.ask(Method::GET, &beside(&path, "")).await;
    assert_refused(answer, 404, "not_found").await;
}

async fn a_moment_without_a_picture_is_not_found(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    all_facts(&creator, &path).await;
    for moment in [
        "1",
        "-1",
        "now",
        "%ff",
        "18446744073709551615",
        "99999999999999999999",
    ] {
        let path = beside(&path, &format!("/stills/{moment}"));
        let answer = creator.ask(Method::GET, &path).await;
        assert_refused(answer, 404, "not_found").await;
    }
    let none = creator.ask(Method::GET, &beside(&path, "/stills/1")).await;
    let said = none.text().await.expect("a text");
    assert!(said.contains("there are some at 0, "), "{said}");
}

async fn nothing_is_known_after_its_time(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    all_facts(&creator, &path).await;
    server.later(HOUR);
    for of_it in ["/metadata", "/stills/0"] {
        let answer = creator.ask(Method::GET, &beside(&path, of_it)).await;
        assert_refused(answer, 410, "gone").await;
    }
}

async fn nothing_is_known_after_its_deletion(server: Server) {
    let creator = server.create().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    all_facts(&creator, &path).await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    for of_it in ["/metadata", "/stills/0"] {
        let answer = creator.ask(Method::GET, &beside(&path, of_it)).await;
        assert_refused(answer, 404, "not_found").await;
    }
}
