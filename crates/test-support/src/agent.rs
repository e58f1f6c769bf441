//! Who asks for the evidence, and wants every byte of it.

use std::time::Instant;

use app::api::{CreatedRequest, RequestStatus, RequestView};
use bytes::Bytes;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::json;

use crate::callers::Callers;
use crate::ledger::{Fate, Record};
use crate::scale::PATIENCE;

/// Asks for a video.
pub async fn create(callers: &Callers) -> CreatedRequest {
    let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 24 });
    let create = |client: &Client, url: &str| client.post(format!("{url}/v1/requests")).json(&wish);
    let created = whole(callers, StatusCode::CREATED, create).await;
    serde_json::from_slice(&created).expect("a created request")
}

/// Throws a request away with all that it holds.
pub async fn delete(callers: &Callers, record: &Record) -> reqwest::Result<Response> {
    let path = format!("/v1/requests/{}", record.request);
    let delete = |client: &Client, url: &str| {
        let request = client.delete(format!("{url}{path}"));
        request.bearer_auth(&record.token)
    };
    callers.once(delete).await
}

/// Watches a submitted video: it must be all of what its sender was told is safe, and nothing else.
pub async fn watch(callers: &Callers, record: &Record) {
    let get = |path: String| {
        move |client: &Client, url: &str| {
            let request = client.get(format!("{url}{path}"));
            request.bearer_auth(&record.token)
        }
    };
    let view = get(format!("/v1/requests/{}", record.request));
    let view = whole(callers, StatusCode::OK, view).await;
    let view: RequestView = serde_json::from_slice(&view).expect("a request");
    assert_eq!(view.status, RequestStatus::Submitted, "{record:?}");
    let video = view.video.expect("a submitted video");
    let video = whole(
        callers,
        StatusCode::OK,
        get(format!("/v1/videos/{}", video.id)),
    )
    .await;
    assert_eq!(video.len() as u64, record.acknowledged, "{record:?}");
    assert_eq!(record.content.difference(0, &video), None, "{record:?}");
}

/// Asks for a request and its take once more: there is nothing. Only the page is told of a takedown.
pub async fn is_gone(callers: &Callers, record: &Record) {
    let get = |client: &Client, url: &str| {
        let request = client.get(format!("{url}/v1/requests/{}", record.request));
        request.bearer_auth(&record.token)
    };
    let status = callers.ask(get).await.status();
    assert_eq!(status, StatusCode::NOT_FOUND, "{record:?}");
    let head = |client: &Client, url: &str| client.head(format!("{url}{}", record.take));
    let want = match record.fate {
        Fate::TakenDown => StatusCode::GONE,
        _ => StatusCode::NOT_FOUND,
    };
    assert_eq!(callers.ask(head).await.status(), want, "{record:?}");
}

/// An answer to its last byte. One that breaks off shows as such, by the length that was announced.
async fn whole(
    callers: &Callers,
    status: StatusCode,
    request: impl Fn(&Client, &str) -> RequestBuilder,
) -> Bytes {
    let patience = Instant::now() + PATIENCE;
    loop {
        let from = Instant::now();
        let answer = callers.ask(&request).await;
        assert_eq!(answer.status(), status, "{}", answer.url().path());
        let url = answer.url().to_string();
        match answer.bytes().await {
            Ok(bytes) => return bytes,
            Err(error) => {
                assert!(Instant::now() < patience, "it breaks off always: {error}");
                callers.failed(&url, from, format!("{error:?}"));
            }
        }
    }
}
