//! The API client of an agent: creates requests and verifies every byte of the videos.

use std::time::Instant;

use app::api::{CreatedRequest, RequestStatus, RequestView};
use bytes::Bytes;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::json;

use crate::clients::ledger::{Outcome, Record};
use crate::clients::retrying_client::RetryingClient;
use crate::scale::TIMEOUT;

/// Creates a request.
pub async fn create(client: &RetryingClient) -> CreatedRequest {
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 24 });
    let create = |http: &Client, url: &str| http.post(format!("{url}/v1/requests")).json(&body);
    let created = read_body(client, StatusCode::CREATED, create).await;
    serde_json::from_slice(&created).expect("a created request")
}

/// Deletes a request with everything that it holds, in a single attempt.
pub async fn delete(client: &RetryingClient, record: &Record) -> reqwest::Result<Response> {
    let path = format!("/v1/requests/{}", record.request);
    let delete = |http: &Client, url: &str| {
        let request = http.delete(format!("{url}{path}"));
        request.bearer_auth(&record.token)
    };
    client.send_once(delete).await
}

/// Verifies a submitted video: exactly the bytes that the server acknowledged to the uploader, and no others.
pub async fn verify_video(client: &RetryingClient, record: &Record) {
    let get = |path: String| {
        move |http: &Client, url: &str| {
            let request = http.get(format!("{url}{path}"));
            request.bearer_auth(&record.token)
        }
    };
    let view = get(format!("/v1/requests/{}", record.request));
    let view = read_body(client, StatusCode::OK, view).await;
    let view: RequestView = serde_json::from_slice(&view).expect("a request");
    assert_eq!(view.status, RequestStatus::Submitted, "{record:?}");
    let video = view.video.expect("a submitted video");
    let video = read_body(
        client,
        StatusCode::OK,
        get(format!("/v1/videos/{}", video.id)),
    )
    .await;
    assert_eq!(video.len() as u64, record.acknowledged, "{record:?}");
    assert_eq!(
        record.content.first_difference(0, &video),
        None,
        "{record:?}"
    );
}

/// Asserts that neither the request nor its take exists any more. The link answers 410 after a takedown, else 404.
pub async fn assert_gone(client: &RetryingClient, record: &Record) {
    let get = |http: &Client, url: &str| {
        let request = http.get(format!("{url}/v1/requests/{}", record.request));
        request.bearer_auth(&record.token)
    };
    let status = client.send(get).await.status();
    assert_eq!(status, StatusCode::NOT_FOUND, "{record:?}");
    let head = |http: &Client, url: &str| http.head(format!("{url}{}", record.take));
    let want = match record.outcome {
        Outcome::TakenDown => StatusCode::GONE,
        _ => StatusCode::NOT_FOUND,
    };
    assert_eq!(client.send(head).await.status(), want, "{record:?}");
}

/// Reads a response to its last byte and retries one that breaks off, which the announced length reveals.
async fn read_body(
    client: &RetryingClient,
    status: StatusCode,
    request: impl Fn(&Client, &str) -> RequestBuilder,
) -> Bytes {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let started = Instant::now();
        let answer = client.send(&request).await;
        assert_eq!(answer.status(), status, "{}", answer.url().path());
        let url = answer.url().to_string();
        match answer.bytes().await {
            Ok(bytes) => return bytes,
            Err(error) => {
                assert!(Instant::now() < deadline, "it breaks off always: {error}");
                client.record_failure(&url, started, format!("{error:?}"));
            }
        }
    }
}
