//! The story of a video: a request, an upload in two pieces, its submission, reading it, and a request that is deleted.

use app::api::RequestView;
use reqwest::header::RANGE;
use reqwest::{Client, StatusCode};

use super::VIDEO_BYTES;
use test_support::clients::agent;
use test_support::clients::ledger::{Record, RecordId};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;

/// Uploads and reads a video, and creates and deletes another request. Returns the video.
pub async fn tell(uploader: &mut Uploader<'_>) -> RecordId {
    let video = uploader.complete_request().await;
    verify(uploader.agent, &uploader.ledger.get(video)).await;
    let other = uploader.start_request().await;
    uploader.append(other, 0..VIDEO_BYTES / 2, false).await;
    uploader.delete_request(other).await;
    video
}

/// Reads a video, and a range of it.
pub async fn verify(client: &RetryingClient, record: &Record) {
    agent::verify_video(client, record).await;
    let get = |path: String, range: &'static str| {
        move |http: &Client, url: &str| {
            let get = http.get(format!("{url}{path}")).header(RANGE, range);
            get.bearer_auth(&record.token)
        }
    };
    let view = client
        .send(get(format!("/v1/requests/{}", record.request), ""))
        .await;
    let view: RequestView = view.json().await.expect("a request");
    let path = format!("/v1/videos/{}", view.video.expect("a video").id);
    let part = client.send(get(path, "bytes=50000-69999")).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    let part = part.bytes().await.expect("a part");
    assert_eq!(part.len(), 20_000);
    assert_eq!(
        record.content.first_difference(50_000, &part),
        None,
        "{record:?}"
    );
}
