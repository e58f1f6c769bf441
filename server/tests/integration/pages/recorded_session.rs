//! The guide's recorded session can be replayed, with its images.

use std::{env, fs};

use app::video_metadata::{StillsStatus, VideoMetadata};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use expect_test::expect_file;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;

use super::guide::{read, repository_path, rpc};
use crate::support::{LIVE_WEBM, Server, last_segment, on_each_storage, wait_until};

on_each_storage! {
    the_guides_recorded_session_can_be_replayed
}

/// Placeholders in the recording for values that differ between runs.
const EXAMPLES: [&str; 8] = [
    "{public_url}",
    "kX3bT9cQ2mZr8VnLw5YpHd",
    "vidence_…",
    "2026-11-22T09:30:00.000Z",
    "Rw7sJ4fDq1NgXe6KzB0tMu",
    "2026-11-21T09:31:12.000Z",
    "2026-11-21T09:31:13.500Z",
    "2026-11-21 09:31:12–09:31:13 UTC",
];

/// Replays the recorded session and compares. `UPDATE_EXPECT=1` updates the recording and its images.
async fn the_guides_recorded_session_can_be_replayed(server: Server) {
    let recorded = repository_path("server/src/http/pages/docs/session.json");
    let mut steps: Value = serde_json::from_str(&read(&recorded)).expect("JSON");
    let mut actual_ids = vec![server.base.clone()];
    for step in steps["steps"].as_array_mut().expect("steps") {
        if !step["recording"].is_null() {
            assert_eq!(step["recording"], "chromium-vp8-opus.webm");
            actual_ids.extend(submit_recording(&server, &actual_ids).await);
            continue;
        }
        let call = replaced(&step["call"], &EXAMPLES, &actual_ids);
        let mut answer = rpc(&server, "tools/call", call).await;
        if actual_ids.len() == 1 {
            let created = &answer["structuredContent"];
            let replacements = ["request_id", "access_token", "expires_at"];
            actual_ids
                .extend(replacements.map(|it| created[it].as_str().expect("text").to_owned()));
        }
        truncate_large_values(&mut answer);
        step["answer"] = replaced(&answer, &actual_ids, &EXAMPLES);
    }
    let actual = serde_json::to_string_pretty(&steps).expect("JSON") + "\n";
    expect_file![recorded].assert_eq(&actual);
}

/// Uploads a recording while it is made, submits it, and waits for its stills.
/// Returns the video's id, the times of its first and its last byte, and both for people.
async fn submit_recording(server: &Server, actual_ids: &[String]) -> [String; 4] {
    let [_, request, token, _] = actual_ids else {
        panic!("no request to upload to: {actual_ids:?}");
    };
    let (creator, half) = (server.creator_of(request, token), LIVE_WEBM.len() / 2);
    let take = creator.create_take_as("recorded").await;
    creator.append(&take, 0, &LIVE_WEBM[..half], false).await;
    server.advance_clock(1500);
    creator
        .append(&take, half as u64, &LIVE_WEBM[half..], true)
        .await;
    let take = last_segment(&take);
    let submission = format!("/r/{request}/submission");
    let submitted = server.post(&submission, &json!({ "take": take })).await;
    assert_eq!(submitted.status(), StatusCode::OK);
    let get = async |path: &str| {
        let request = server.request(Method::GET, path).bearer_auth(token);
        request.send().await.expect("an answer")
    };
    let status = get(&format!("/v1/requests/{request}")).await;
    let status: Value = status.json().await.expect("JSON");
    let video = status["video"]["id"].as_str().expect("an id").to_owned();
    let metadata = format!("/videos/{video}/metadata");
    let metadata =
        async || -> VideoMetadata { get(&metadata).await.json().await.expect("metadata") };
    wait_until(async || metadata().await.stills.status == StillsStatus::Ready).await;
    let arrival = metadata().await.arrival.expect("times");
    let summary = arrival.summary(None).expect("times");
    [video, arrival.first_byte_at, arrival.last_byte_at, summary]
}

/// Replaces images by the name and size of a file in `style/pictures`, and duplicated text and the video by an ellipsis.
fn truncate_large_values(answer: &mut Value) {
    let structured = answer["structuredContent"].clone();
    let mut pictures = 0;
    for block in answer["content"].as_array_mut().expect("blocks") {
        if block["type"] == "text" && !structured.is_null() {
            let text = block["text"].as_str().expect("text");
            let text: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(text, structured);
            block["text"] = "…".into();
        }
        if block["type"] == "image" {
            let data = block["data"].as_str().expect("base64");
            let jpeg = STANDARD.decode(data).expect("base64");
            block["data"] = compare_image(&format!("session-{pictures}.jpg"), &jpeg);
            pictures += 1;
        }
        if let Some(blob) = block.pointer_mut("/resource/blob") {
            let bytes = STANDARD.decode(blob.as_str().expect("base64"));
            assert!(!bytes.expect("base64").is_empty());
            *blob = "…".into();
        }
    }
}

/// Compares dimensions with the stored image.
/// Bytes may differ, as encoders use what the processor offers.
fn compare_image(name: &str, jpeg: &[u8]) -> Value {
    let file = repository_path("style/pictures").join(name);
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, jpeg).expect("a writable file");
    }
    let kept = fs::read(&file).expect("a picture");
    let [now, then] = [jpeg, &kept].map(|bytes| {
        let mut decoder = JpegDecoder::new(ZCursor::new(bytes));
        decoder.decode_headers().expect("a JPEG");
        decoder.dimensions().expect("a size")
    });
    assert_eq!(now, then, "{name}");
    json!({ "file": name, "width": now.0, "height": now.1 })
}

fn replaced(value: &Value, from: &[impl AsRef<str>], to: &[impl AsRef<str>]) -> Value {
    let pairs = from.iter().zip(to);
    let text = pairs.fold(value.to_string(), |text, (from, to)| {
        text.replace(from.as_ref(), to.as_ref())
    });
    serde_json::from_str(&text).expect("JSON")
}
