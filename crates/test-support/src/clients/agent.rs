//! The API client of an agent: creates requests and verifies every byte of the videos.

use std::time::Instant;

use app::api::{CreatedRequest, RequestStatus, RequestView};
use bytes::Bytes;
use reqwest::header::ACCEPT;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::clients::ledger::{Ledger, Outcome, Record};
use crate::clients::retrying_client::RetryingClient;
use crate::scale::TIMEOUT;

/// Creates a request that lives for a day.
pub async fn create(client: &RetryingClient) -> CreatedRequest {
    create_for(client, 24).await
}

/// Creates a request that lives for so many hours.
pub async fn create_for(client: &RetryingClient, hours: i64) -> CreatedRequest {
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": hours });
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

/// Verifies a submitted video: exactly the bytes that the server acknowledged to the uploader, and no others, but for the
/// index of a recording.
pub async fn verify_video(client: &RetryingClient, record: &Record) {
    let view = read_body(client, StatusCode::OK, |http: &Client, url: &str| {
        let get = http.get(format!("{url}/v1/requests/{}", record.request));
        get.bearer_auth(&record.token)
    });
    let view: RequestView = serde_json::from_slice(&view.await).expect("a request");
    assert_eq!(
        view.status,
        RequestStatus::Submitted,
        "a submission is lost: {record:?}"
    );
    let video = view.video.expect("a submitted video").id;
    let video = read_body(client, StatusCode::OK, |http: &Client, url: &str| {
        let get = http.get(format!("{url}/v1/videos/{video}"));
        get.bearer_auth(&record.token)
    })
    .await;
    let length = usize::try_from(record.acknowledged).expect("a length in memory");
    let index = video.len().checked_sub(length);
    let index = index.filter(|it| *it == 0 || record.content.is_recording());
    let index =
        index.unwrap_or_else(|| panic!("a video differs, with {} bytes: {record:?}", video.len()));
    assert_eq!(
        record.content.first_difference(0, &video[index..]),
        None,
        "a video differs: {record:?}"
    );
}

/// Looks at a submitted video as a model does, by one call of MCP, and at its pictures.
/// Returns how many there are.
pub async fn look_at(client: &RetryingClient, record: &Record) -> usize {
    let arguments = json!({ "request_id": record.request, "access_token": record.token });
    let params = json!({ "name": "get_video_evidence", "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let answer = read_body(client, StatusCode::OK, |http: &Client, url: &str| {
        let call = http.post(format!("{url}/mcp")).json(&message);
        call.header(ACCEPT, "application/json, text/event-stream")
    });
    let answer: Value = serde_json::from_slice(&answer.await).expect("JSON");
    let contents = answer["result"]["content"].as_array();
    let contents = contents.unwrap_or_else(|| panic!("{answer}"));
    let status = contents[0]["text"].as_str().unwrap_or_default();
    assert!(status.contains("submitted"), "{answer}");
    contents.iter().filter(|it| it["type"] == "image").count()
}

/// Asserts that neither the request nor its take exists any more.
/// The link answers 410 after a takedown, else 404.
pub async fn assert_gone(client: &RetryingClient, record: &Record) {
    let get = |http: &Client, url: &str| {
        let request = http.get(format!("{url}/v1/requests/{}", record.request));
        request.bearer_auth(&record.token)
    };
    let status = client.send(get).await.status();
    assert_eq!(status, StatusCode::NOT_FOUND, "it is back: {record:?}");
    let head = |http: &Client, url: &str| http.head(format!("{url}{}", record.take));
    let want = match record.outcome {
        Outcome::TakenDown => StatusCode::GONE,
        _ => StatusCode::NOT_FOUND,
    };
    let status = client.send(head).await.status();
    assert_eq!(status, want, "it is back: {record:?}");
}

/// Verifies every submitted video of a ledger, and asserts that everything removed is gone: after the last fault, because
/// its uploader saw each of them only before the next one.
pub async fn verify_outcomes(client: &RetryingClient, ledger: &Ledger) {
    for record in ledger.records() {
        match record.outcome {
            Outcome::Submitted => verify_video(client, &record).await,
            Outcome::Deleted | Outcome::TakenDown => assert_gone(client, &record).await,
            Outcome::Open | Outcome::Discarded => {}
        }
    }
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
