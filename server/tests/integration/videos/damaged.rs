//! A video of which the server has lost a part: clients are told so, instead of being asked to try again.

use std::fs::{self, OpenOptions};
use std::path::Path;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::mcp_client::call_expecting_error;
use crate::support::{Creator, LIVE_WEBM, Server, on_each_storage};

on_each_storage! {
    a_video_without_its_object_is_said_to_be_damaged
    a_video_whose_object_is_too_short_is_said_to_be_damaged
    a_deleted_video_is_gone_and_not_damaged
}

/// A submitted video, and its path.
async fn submitted(server: &Server) -> (Creator<'_>, String) {
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    (creator, video)
}

/// The largest object, which is the recording.
fn change_recording(server: &Server, change: impl FnOnce(&Path)) {
    let length = |path: &Path| fs::metadata(path).expect("an object").len();
    let objects = server.objects();
    let recording = objects.iter().max_by_key(|it| length(it));
    change(recording.expect("an object"));
}

async fn assert_told(creator: &Creator<'_>, video: &str) {
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

async fn a_video_without_its_object_is_said_to_be_damaged(server: Server) {
    let (creator, video) = submitted(&server).await;
    change_recording(&server, |object| {
        fs::remove_file(object).expect("no object")
    });
    assert_told(&creator, &video).await;
}

async fn a_video_whose_object_is_too_short_is_said_to_be_damaged(server: Server) {
    let (creator, video) = submitted(&server).await;
    change_recording(&server, |object| {
        let file = OpenOptions::new().write(true).open(object);
        let file = file.expect("an object");
        let length = file.metadata().expect("metadata").len();
        file.set_len(length - 100).expect("a shorter one");
    });
    assert_told(&creator, &video).await;
}

async fn a_deleted_video_is_gone_and_not_damaged(server: Server) {
    let (creator, video) = submitted(&server).await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let answer = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}
