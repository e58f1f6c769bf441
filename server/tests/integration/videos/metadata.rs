//! Metadata and stills of a video, below `/videos`.
//!
//! A little more than 300 lines: metadata and stills share their access rules.

use app::video_metadata::{StillsStatus, VideoMetadata};
use reqwest::{Method, StatusCode};

use crate::support::{
    Creator, FIVE_SCENES_MP4, GEOTAGGED_MOV, HOUR, LIVE_MP4, LIVE_WEBM, Server, VP9_WEBM,
    WEBKIT_WEBM, assert_refused, hex_sha256, jpeg_size, on_each_storage, sibling_path, wait_until,
};

on_each_storage! {
    metadata_agrees_with_the_video
    a_file_that_says_it_is_hdr_is_reported_as_hdr
    a_file_whose_end_is_missing_is_reported_as_truncated
    stills_are_jpegs_of_the_announced_size
    stills_show_each_scene_and_a_contact_sheet_all_moments
    any_moment_is_shown_as_large_as_it_was_recorded
    unavailable_stills_have_a_reason
    metadata_receipt_and_stills_need_the_creators_token
    an_unknown_still_is_404
    metadata_receipt_and_stills_are_410_after_expiry
    metadata_receipt_and_stills_are_404_after_a_deletion
}

/// What of a video only its creator may read.
const PROTECTED: [&str; 5] = [
    "/metadata",
    "/receipt",
    "/contact-sheet",
    "/stills/0",
    "/stills/0?full=true",
];

/// The metadata once its stills are no longer pending.
pub async fn metadata_with_stills(creator: &Creator<'_>, video: &str) -> VideoMetadata {
    wait_until(async || creator.metadata(video).await.stills.status != StillsStatus::Pending).await;
    creator.metadata(video).await
}

async fn metadata_agrees_with_the_video(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let metadata = metadata_with_stills(&creator, &path).await;
    let video = creator.send_authorized(Method::GET, &path).await;
    assert_eq!(
        video.headers()["content-type"],
        metadata.media_type.as_str()
    );
    let served = video.bytes().await.expect("bytes");
    assert_eq!(metadata.bytes, served.len() as u64);
    assert_eq!(path, format!("/v1/videos/{}", metadata.id));
    let properties = metadata.properties.expect("it was sealed");
    assert_eq!(properties.sha256, hex_sha256(&served));
    assert!(properties.duration_ms > 0 && properties.width > 0 && properties.height > 0);
    assert!(properties.has_audio);
    assert!(!properties.has_location);
    assert!(!properties.truncated);
    assert_eq!(properties.missing_ms, None);
    assert_eq!(properties.codec.as_deref(), Some("vp8"));
    assert!(!properties.hdr);
}

/// Recordings whose transfer characteristics are replaced, in MP4 by those of HLG, in WebM by those of PQ.
async fn a_file_that_says_it_is_hdr_is_reported_as_hdr(server: Server) {
    for (recording, field, transfer, codec) in [
        (LIVE_MP4, &b"colrnclx\0\x06\0"[..], 18, "h264"),
        (WEBKIT_WEBM, &[0x55, 0xba, 0x81], 16, "vp8"),
    ] {
        let mut places = recording.windows(field.len());
        let place = places.position(|it| it == field).expect("colours");
        let mut hdr = recording.to_vec();
        hdr[place + field.len()] = transfer;
        for (recording, is_hdr) in [(recording, false), (&hdr, true)] {
            let creator = server.create_request().await;
            let path = creator.submit_video(recording).await;
            let properties = creator.metadata(&path).await.properties;
            let properties = properties.expect("it was sealed");
            assert_eq!(properties.codec.as_deref(), Some(codec));
            assert_eq!(properties.hdr, is_hdr, "{codec}");
        }
    }
}

/// Only the beginning of the recording has arrived; it is served with its shorter duration.
async fn a_file_whose_end_is_missing_is_reported_as_truncated(server: Server) {
    let creator = server.create_request().await;
    let path = creator
        .submit_video(&GEOTAGGED_MOV[..GEOTAGGED_MOV.len() / 4])
        .await;
    let properties = creator
        .metadata(&path)
        .await
        .properties
        .expect("it was sealed");
    assert!(properties.truncated);
    let missing = properties
        .missing_ms
        .expect("the duration that the file declares");
    assert!(missing > properties.duration_ms, "{properties:?}");
}

async fn stills_are_jpegs_of_the_announced_size(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let stills = metadata_with_stills(&creator, &path).await.stills;
    assert_eq!((stills.status, stills.reason), (StillsStatus::Ready, None));
    let pictures = stills.pictures;
    assert!((1..=12).contains(&pictures.len()));
    assert!(pictures.is_sorted_by_key(|still| still.at_ms));
    for still in pictures {
        let still_path = sibling_path(&path, &format!("/stills/{}", still.at_ms));
        let answer = creator.send_authorized(Method::GET, &still_path).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "image/jpeg");
        assert_eq!(answer.headers()["cache-control"], "private, no-store");
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
        let jpeg = answer.bytes().await.expect("bytes");
        assert_eq!(jpeg_size(&jpeg), (still.width, still.height));
    }
}

/// Of scenes in which nothing moves there is one still each, and a last one.
async fn stills_show_each_scene_and_a_contact_sheet_all_moments(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(FIVE_SCENES_MP4).await;
    let metadata = metadata_with_stills(&creator, &path).await;
    let scenes = metadata.stills.pictures.iter().map(|it| it.at_ms / 6000);
    assert_eq!(scenes.collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(
        metadata.stills.pictures[4].at_ms, 29_000,
        "the last keyframe"
    );

    let sheet = metadata.contact_sheet.expect("a contact sheet");
    assert_eq!(sheet.moments, 30, "each keyframe");
    assert!(sheet.width.max(sheet.height) <= 1568, "{sheet:?}");
    let sheet_path = sibling_path(&path, "/contact-sheet");
    let answer = creator.send_authorized(Method::GET, &sheet_path).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "image/jpeg");
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    let jpeg = answer.bytes().await.expect("bytes");
    assert_eq!(jpeg_size(&jpeg), (sheet.width, sheet.height));
    assert!(jpeg.len() <= 150_000, "{}", jpeg.len());

    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    assert!(server.objects().is_empty());
    let gone = creator.send_authorized(Method::GET, &sheet_path).await;
    assert_refused(gone, 404, "not_found").await;
}

async fn any_moment_is_shown_as_large_as_it_was_recorded(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(FIVE_SCENES_MP4).await;
    let properties = creator.metadata(&path).await.properties;
    let properties = properties.expect("it was sealed");
    assert!(
        properties.width.max(properties.height) > 768,
        "larger than a still"
    );
    let full = async |at_ms: &str| {
        let still = sibling_path(&path, &format!("/stills/{at_ms}?full=true"));
        creator.send_authorized(Method::GET, &still).await
    };
    let mut shown = Vec::new();
    for at_ms in [0, 1, properties.duration_ms, u64::MAX] {
        let answer = full(&at_ms.to_string()).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "image/jpeg");
        assert_eq!(answer.headers()["cache-control"], "private, no-store");
        let location = answer.headers()["content-location"].clone();
        let location = location.to_str().expect("a path");
        let length = answer.content_length().expect("a length");
        let jpeg = answer.bytes().await.expect("bytes");
        assert_eq!(jpeg.len() as u64, length);
        assert_eq!(jpeg_size(&jpeg), (properties.width, properties.height));
        let again = creator.send_authorized(Method::GET, location).await;
        assert_eq!(again.headers()["content-location"], location);
        assert_eq!(again.bytes().await.expect("bytes"), jpeg);
        let moment = location
            .rsplit('/')
            .next()
            .and_then(|it| it.strip_suffix("?full=true"));
        shown.push(
            moment
                .and_then(|it| it.parse::<u64>().ok())
                .expect("a moment"),
        );
    }
    assert!(
        shown.is_sorted() && shown[0] == 0 && shown[3] <= properties.duration_ms,
        "{shown:?}"
    );
    assert_refused(full("soon").await, 404, "not_found").await;
    for (query, status) in [
        ("", 200),
        ("?full=false", 200),
        ("?full=1", 400),
        ("?full", 400),
    ] {
        let still = sibling_path(&path, &format!("/stills/0{query}"));
        metadata_with_stills(&creator, &path).await;
        let answer = creator.send_authorized(Method::GET, &still).await;
        if status == 400 {
            assert_refused(answer, 400, "bad_request").await;
            continue;
        }
        assert_eq!(answer.status(), StatusCode::OK, "{query}");
        let length = answer.content_length().expect("a length");
        let jpeg = answer.bytes().await.expect("bytes");
        assert_eq!(jpeg.len() as u64, length);
        let (width, height) = jpeg_size(&jpeg);
        assert!(width.max(height) <= 768, "{query}");
    }
    let other = server.create_request().await;
    let video = other.submit_video(VP9_WEBM).await;
    let still = sibling_path(&video, "/stills/0?full=true");
    let undecodable = other.send_authorized(Method::GET, &still).await;
    assert_eq!(undecodable.status(), StatusCode::NOT_FOUND);
    let why = undecodable.text().await.expect("a text");
    assert!(why.contains("no decoder for VP9"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stills_are_pending_until_they_are_made() {
    let server = Server::without_decoders().await;
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let pending = creator.metadata(&path).await;
    assert_eq!(pending.stills.status, StillsStatus::Pending);
    assert!(pending.stills.pictures.is_empty());
    assert!(pending.properties.is_some(), "the rest is known");
    let still = creator
        .send_authorized(Method::GET, &sibling_path(&path, "/stills/0"))
        .await;
    assert_refused(still, 404, "not_found").await;
}

async fn unavailable_stills_have_a_reason(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(VP9_WEBM).await;
    let metadata = metadata_with_stills(&creator, &path).await;
    assert!(
        metadata
            .properties
            .is_some_and(|properties| !properties.has_audio)
    );
    assert_eq!(metadata.stills.status, StillsStatus::Unavailable);
    let why = metadata.stills.reason.expect("a reason");
    assert!(why.contains("VP9"), "{why}");
}

/// The same order of checks as for `/v1/videos`.
async fn metadata_receipt_and_stills_need_the_creators_token(server: Server) {
    let (creator, other_creator) = (server.create_request().await, server.create_request().await);
    let path = creator.submit_video(LIVE_WEBM).await;
    metadata_with_stills(&creator, &path).await;
    for suffix in PROTECTED {
        let path = sibling_path(&path, suffix);
        let answer = server.get(&path).await;
        let challenge = "Bearer realm=\"vidence\"";
        assert_eq!(answer.headers()["www-authenticate"], challenge);
        assert_refused(answer, 401, "unauthorized").await;
        let unknown = server
            .request(Method::GET, &path)
            .bearer_auth("vidence_unknown");
        let answer = unknown.send().await.expect("an answer");
        let challenge = "Bearer error=\"invalid_token\"";
        assert_eq!(answer.headers()["www-authenticate"], challenge);
        assert_refused(answer, 401, "unauthorized").await;
        let answer = other_creator.send_authorized(Method::GET, &path).await;
        assert_refused(answer, 403, "forbidden").await;
        let answer = creator.send_authorized(Method::POST, &path).await;
        assert_refused(answer, 405, "method_not_allowed").await;
        let unknown = format!("/videos/0000000000000000000000{suffix}");
        let answer = creator.send_authorized(Method::GET, &unknown).await;
        assert_refused(answer, 404, "not_found").await;
    }
    let answer = creator
        .send_authorized(Method::GET, &sibling_path(&path, ""))
        .await;
    assert_refused(answer, 404, "not_found").await;
}

async fn an_unknown_still_is_404(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    metadata_with_stills(&creator, &path).await;
    for at_ms in [
        "1",
        "-1",
        "now",
        "%ff",
        "18446744073709551615",
        "99999999999999999999",
    ] {
        let path = sibling_path(&path, &format!("/stills/{at_ms}"));
        let answer = creator.send_authorized(Method::GET, &path).await;
        assert_refused(answer, 404, "not_found").await;
    }
    let none = creator
        .send_authorized(Method::GET, &sibling_path(&path, "/stills/1"))
        .await;
    let message = none.text().await.expect("a text");
    assert!(message.contains("there are some at 0, "), "{message}");
}

async fn metadata_receipt_and_stills_are_410_after_expiry(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    metadata_with_stills(&creator, &path).await;
    server.advance_clock(HOUR);
    for suffix in PROTECTED {
        let answer = creator
            .send_authorized(Method::GET, &sibling_path(&path, suffix))
            .await;
        assert_refused(answer, 410, "gone").await;
    }
}

async fn metadata_receipt_and_stills_are_404_after_a_deletion(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    metadata_with_stills(&creator, &path).await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    for suffix in PROTECTED {
        let answer = creator
            .send_authorized(Method::GET, &sibling_path(&path, suffix))
            .await;
        assert_refused(answer, 404, "not_found").await;
    }
}
