//! Uploads of recordings of more than 4 GiB, whose padding takes up no disk.

use std::fs;

use bytes::Bytes;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use server::blobs::ObjectKey;
use server::db::{Addition, Chunk};
use server::id::RequestId;

use super::large_videos::{CHUNK, FOUR_GIB};
use crate::support::{Creator, assert_refused, noise, take_id};
use test_support::recordings::padding::PaddedRecording;

/// Creates a take of this declared length.
pub async fn declare(creator: &Creator<'_>, length: u64) -> reqwest::Response {
    let request = creator.post_take().header(CONTENT_TYPE, "video/webm");
    let request = request.header("Upload-Complete", "?0");
    let request = request.header("Upload-Length", length);
    request.send().await.expect("an answer")
}

/// Uploads head and tail; the padding between them is written to the store directly.
/// Returns the take's path.
pub async fn upload(creator: &Creator<'_>, recording: &PaddedRecording) -> String {
    let server = creator.server;
    let declared = declare(creator, recording.length()).await;
    assert_eq!(declared.status(), StatusCode::CREATED);
    let take = declared.headers()["location"]
        .to_str()
        .expect("text")
        .to_owned();
    let sent = creator
        .append(&take, 0, recording.head.clone(), false)
        .await;
    assert_eq!(sent.status(), StatusCode::NO_CONTENT);
    store_padding(creator, &take, recording).await;

    let stands = server.request(Method::HEAD, &take).send().await;
    let stands = stands.expect("an answer");
    let at = recording.tail_start();
    assert_eq!(stands.headers()["upload-offset"], at.to_string());
    let length = recording.length().to_string();
    assert_eq!(stands.headers()["upload-length"], length);
    assert_eq!(creator.page_state().await.takes[0].offset, at);
    // The offset modulo 2³².
    let wrong = creator.append(&take, at % FOUR_GIB, "x", false).await;
    assert_refused(wrong, 409, "offset_mismatch").await;
    let sent = creator
        .append(&take, at, recording.tail.clone(), true)
        .await;
    assert_eq!(sent.status(), StatusCode::NO_CONTENT);
    assert_eq!(sent.headers()["upload-offset"], length);
    take
}

/// Stores the chunks of an upload of 4 GiB.
/// They are hard links to one file, so that they fit into the page cache and need no disk.
async fn store_padding(creator: &Creator<'_>, take: &str, recording: &PaddedRecording) {
    let app = &creator.server.app;
    let (request, take) = (
        RequestId::parse(creator.id()).expect("an id"),
        take_id(take),
    );
    let before: Vec<_> = creator.server.objects();
    let first = ObjectKey::random(&request, &take);
    let content = noise(usize::try_from(CHUNK).expect("small"));
    let stored = app.blobs.put(&first, vec![Bytes::from(content)]).await;
    stored.expect("room");
    let mut objects = creator.server.objects().into_iter();
    let file = objects.find(|it| !before.contains(it)).expect("a file");

    let from = recording.head.len() as u64;
    let mut chunks = Vec::new();
    for number in 0..recording.padding / CHUNK {
        let key = ObjectKey::random(&request, &take);
        let name = key.as_str().rsplit('/').next().expect("a name").to_owned();
        fs::hard_link(&file, file.with_file_name(name)).expect("another name");
        chunks.push(Chunk {
            take_id: take.clone(),
            start: from + number * CHUNK,
            length: CHUNK,
            object: key.as_str().to_owned(),
            committed_at: None,
            checksums: None,
        });
    }
    fs::remove_file(&file).expect("there are other names");
    let claim = app
        .db
        .take_claim(&request, &take, Some(from), None, &app.clock);
    let claim = claim.await.expect("rows").expect("an open take");
    let addition = Addition {
        from,
        chunks,
        complete: false,
        since: None,
        length: None,
        container: None,
        first_byte_at: None,
    };
    let added = app.db.take_commit(&claim, addition, &app.clock).await;
    assert!(added.expect("rows"));
}
