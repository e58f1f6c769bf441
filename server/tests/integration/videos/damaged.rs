//! A video of which the server has lost a part, or changed one: the error says so, and doesn't ask to retry. Pictures of
//! it that have changed aren't served.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use reqwest::header::{HeaderMap, HeaderValue, RANGE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::blobs::BlobError;
use server::id::RequestId;
use server::service::Error;

use super::stills::opened;
use crate::support::binary::vidence;
use crate::support::mcp_client::call_expecting_error;
use crate::support::{
    Creator, LIVE_MP4, LIVE_WEBM, Server, last_segment, on_each_storage, take_id, wait_until,
};

/// The first bytes of a JPEG.
const JPEG: &[u8] = b"\xff\xd8\xff";

on_each_storage! {
    a_video_without_its_object_is_reported_as_damaged
    a_video_with_a_short_object_is_reported_as_damaged
    changed_bytes_are_reported_as_damaged_without_a_check
    a_changed_index_is_reported_as_damaged
    a_changed_video_is_reported_as_damaged_until_it_is_restored
    a_video_that_changed_before_its_submission_is_damaged_after_it
    a_video_that_was_too_short_during_a_check_is_served_again
    a_deleted_video_is_gone_and_not_damaged
    a_changed_picture_is_never_served_and_a_deep_check_finds_it
}

/// A submitted video, and its path.
async fn submitted(server: &Server) -> (Creator<'_>, String) {
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    (creator, video)
}

/// Changes the object of the request that is the recording.
fn change_recording(server: &Server, request: &str, change: impl FnOnce(&Path)) {
    let is_recording = |path: &&PathBuf| {
        let is_its = path.to_str().is_some_and(|it| it.contains(request));
        is_its && fs::metadata(path).is_ok_and(|it| it.len() == LIVE_WEBM.len() as u64)
    };
    let objects = server.objects();
    let recording = objects.iter().find(is_recording);
    change(recording.expect("an object"));
}

async fn assert_reported_as_damaged(creator: &Creator<'_>, video: &str) {
    let answer = creator.send_authorized(Method::GET, video).await;
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(!answer.headers().contains_key("retry-after"));
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!(body["error"]["code"], "internal_error");
    let message = body["error"]["message"].as_str().expect("text");
    assert!(message.contains("is damaged"), "{message}");

    let arguments = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
    });
    let told = call_expecting_error(creator.server, "get_video_evidence", &arguments).await;
    assert_eq!(told["error"]["message"], message);
    assert_eq!(told["retry_after_seconds"], Value::Null);
    let next_step = told["next_step"].as_str().expect("text");
    assert!(next_step.contains("won't help"), "{next_step}");
}

async fn a_video_without_its_object_is_reported_as_damaged(server: Server) {
    let (creator, video) = submitted(&server).await;
    change_recording(&server, creator.id(), |object| {
        fs::remove_file(object).expect("no object")
    });
    assert_reported_as_damaged(&creator, &video).await;
}

async fn a_video_with_a_short_object_is_reported_as_damaged(server: Server) {
    let (creator, video) = submitted(&server).await;
    change_recording(&server, creator.id(), |object| {
        let file = OpenOptions::new().write(true).open(object);
        let file = file.expect("an object");
        let length = file.metadata().expect("metadata").len();
        file.set_len(length - 100).expect("a shorter one");
    });
    assert_reported_as_damaged(&creator, &video).await;
}

async fn deep_check(server: &Server) -> Option<i32> {
    let check = vidence(&["check", "--deep"], &server.environment()).await;
    check.code
}

/// Changes a bit of the recording, or changes it back.
fn flip(server: &Server, creator: &Creator<'_>) {
    change_recording(server, creator.id(), |object| {
        let mut bytes = fs::read(object).expect("an object");
        *bytes.last_mut().expect("a byte") ^= 1;
        fs::write(object, bytes).expect("other bytes");
    });
}

async fn changed_bytes_are_reported_as_damaged_without_a_check(server: Server) {
    let (creator, video) = submitted(&server).await;
    flip(&server, &creator);
    assert_reported_as_damaged(&creator, &video).await;
    flip(&server, &creator);
    let restored = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(restored.status(), StatusCode::OK);
}

async fn a_changed_index_is_reported_as_damaged(server: Server) {
    let (creator, video) = submitted(&server).await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let take = server.app.db.request_get(&request).await;
    let take = take.expect("rows").and_then(|it| it.take_id);
    let seal = server.app.db.seal_get(&take.expect("a video")).await;
    let index = seal.expect("rows").and_then(|it| it.index_object);
    let index = index.expect("an index");
    let objects = server.objects();
    let file = objects.iter().find(|it| it.ends_with(&index));
    let file = file.expect("the object of the index");
    let mut bytes = fs::read(file).expect("an object");
    bytes[0] ^= 1;
    fs::write(file, bytes).expect("other bytes");
    assert_reported_as_damaged(&creator, &video).await;
}

async fn a_changed_video_is_reported_as_damaged_until_it_is_restored(server: Server) {
    let (creator, video) = submitted(&server).await;
    let (intact, intact_video) = submitted(&server).await;
    flip(&server, &creator);
    assert_eq!(deep_check(&server).await, Some(1));
    assert_reported_as_damaged(&creator, &video).await;
    let id = last_segment(&video);
    for path in [
        "metadata",
        "receipt",
        "captions.vtt",
        "contact-sheet",
        "stills/0",
        "stills/0?full=true",
    ] {
        let path = format!("/videos/{id}/{path}");
        let answer = creator.send_authorized(Method::GET, &path).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR, "{path}");
    }
    let part = HeaderMap::from_iter([(RANGE, HeaderValue::from_static("bytes=0-9"))]);
    for (method, headers) in [(Method::HEAD, HeaderMap::new()), (Method::GET, part)] {
        let answer = creator.send_with_headers(method, &video, headers).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
    let moment = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
        "at_ms": 0,
    });
    let told = call_expecting_error(&server, "get_video_evidence", &moment).await;
    assert_eq!(told["error"]["code"], "internal_error");
    assert_eq!(deep_check(&server).await, Some(1), "it is still reported");
    assert_reported_as_damaged(&creator, &video).await;
    let other = intact.send_authorized(Method::GET, &intact_video).await;
    let other = other.bytes().await.expect("a video");
    assert!(other.ends_with(LIVE_WEBM), "behind its index");

    flip(&server, &creator);
    assert_eq!(deep_check(&server).await, Some(0));
    let restored = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(restored.status(), StatusCode::OK);

    flip(&server, &creator);
    assert_eq!(deep_check(&server).await, Some(1));
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let answer = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

async fn a_video_that_changed_before_its_submission_is_damaged_after_it(server: Server) {
    let creator = server.create_request().await;
    let take = creator.upload(LIVE_WEBM).await;
    let id = take_id(&take);
    wait_until(async || server.app.db.seal_get(&id).await.expect("rows").is_some()).await;
    flip(&server, &creator);
    assert_eq!(deep_check(&server).await, Some(1));
    let video = creator.submit_take(&take).await;
    assert_reported_as_damaged(&creator, &video).await;
}

/// A server notices a missing object by itself. A mark would outlast the outage.
async fn a_video_that_was_too_short_during_a_check_is_served_again(server: Server) {
    let (creator, video) = submitted(&server).await;
    let mut kept = Vec::new();
    change_recording(&server, creator.id(), |object| {
        kept = fs::read(object).expect("an object");
        fs::write(object, &kept[..100]).expect("a part");
    });
    assert_eq!(deep_check(&server).await, Some(1));
    assert_reported_as_damaged(&creator, &video).await;
    let is_shortened = |path: &PathBuf| fs::metadata(path).is_ok_and(|it| it.len() == 100);
    let objects = server.objects();
    let shortened = objects.iter().find(|it| is_shortened(it));
    fs::write(shortened.expect("an object"), kept).expect("the whole");
    let again = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(again.status(), StatusCode::OK);
}

async fn a_changed_picture_is_never_served_and_a_deep_check_finds_it(server: Server) {
    let creator = server.create_request().await;
    let video = opened(&creator, LIVE_MP4).await;
    let stills = video.metadata.stills.pictures.len();
    let mut paths = vec!["contact-sheet".to_owned()];
    let times = video.metadata.stills.pictures.iter().map(|it| it.at_ms);
    paths.extend(times.map(|at| format!("stills/{at}")));
    let get = async |path: &str| {
        let path = format!("/videos/{}/{path}", video.metadata.id);
        creator.send_authorized(Method::GET, &path).await
    };
    let mut intact = Vec::new();
    for path in &paths {
        intact.push(get(path).await.bytes().await.expect("a picture"));
    }
    assert_eq!(deep_check(&server).await, Some(0));

    let flip = || {
        let is_picture = |it: &&PathBuf| fs::read(it).is_ok_and(|it| it.starts_with(JPEG));
        let objects = server.objects();
        for object in objects.iter().filter(is_picture) {
            let mut bytes = fs::read(object).expect("an object");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(object, bytes).expect("other bytes");
        }
        objects.iter().filter(is_picture).count()
    };
    assert_eq!(flip(), stills + 1, "the stills and their sheet");
    for path in &paths {
        let status = get(path).await.status();
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{path}");
    }
    for at in 0..stills {
        let read = video.picture(&server.app, at).await;
        assert!(matches!(read, Err(Error::Blobs(BlobError::Changed))));
    }
    let sheet = video.contact_sheet(&server.app).await;
    assert!(matches!(sheet, Err(Error::Blobs(BlobError::Changed))));
    let arguments = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
    });
    let told = call_expecting_error(&server, "get_video_evidence", &arguments).await;
    assert_eq!(told["error"]["code"], "internal_error");
    let check = vidence(&["check", "--deep", "--json"], &server.environment()).await;
    let report: Value = serde_json::from_str(&check.stdout).expect("JSON");
    let found = (check.code, &report["wrong_digest"], &report["videos_read"]);
    assert_eq!(
        found,
        (Some(1), &(stills + 1).into(), &1.into()),
        "{report}"
    );
    let whole = format!("/v1/videos/{}", video.metadata.id);
    let whole = creator.send_authorized(Method::GET, &whole).await;
    assert_eq!(whole.status(), StatusCode::OK, "the video is as it was");

    flip();
    assert_eq!(deep_check(&server).await, Some(0));
    for (path, intact) in paths.iter().zip(intact) {
        assert_eq!(get(path).await.bytes().await.expect("a picture"), intact);
    }
}

async fn a_deleted_video_is_gone_and_not_damaged(server: Server) {
    let (creator, video) = submitted(&server).await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let answer = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}
