//! Waiting for what a server does, and looking at what it answers.

use app::api::ErrorBody;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Response};
use serde_json::Value;
use tokio::sync::oneshot;

/// Does these steps while a request is under way, and returns its answer, which must not come before.
pub async fn during(sending: impl Future<Output = Response>, steps: impl Future) -> Response {
    let mut sending = std::pin::pin!(sending);
    tokio::select! {
        early = &mut sending => panic!("answered too early: {early:?}"),
        _ = steps => {}
    }
    sending.await
}

/// A body of two pieces; the second one comes when its sender is told to, or forgotten.
pub fn body_in_two_pieces(
    first: &'static [u8],
    second: &'static [u8],
) -> (Body, oneshot::Sender<()>) {
    let (end, ended) = oneshot::channel();
    let second = stream::once(async move {
        let _ = ended.await;
        Ok::<_, std::io::Error>(Bytes::from_static(second))
    });
    let first = stream::iter([Ok(Bytes::from_static(first))]);
    (Body::wrap_stream(first.chain(second)), end)
}

/// Checks status and envelope, and that the body holds nothing else: but for takes, whose failures are
/// problem details around it.
pub async fn assert_refused(answer: Response, status: u16, code: &str) {
    let url = answer.url().clone();
    assert_eq!(answer.status().as_u16(), status, "{url}");
    let of_a_take = url.path().contains("/takes");
    let media_type = match of_a_take {
        true => "application/problem+json",
        false => "application/json",
    };
    assert_eq!(answer.headers()[CONTENT_TYPE], media_type, "{url}");
    let body: Value = answer.json().await.expect("JSON");
    let envelope: ErrorBody = serde_json::from_value(body.clone()).expect("the envelope");
    assert_eq!(envelope.error.code, code, "{url}");
    assert!(!envelope.error.message.is_empty(), "{url}");
    if of_a_take {
        assert_eq!(body["status"], status, "{url}");
        assert_eq!(body["detail"], envelope.error.message, "{url}");
        assert!(
            body["type"].is_string() && body["title"].is_string(),
            "{url}"
        );
    } else {
        assert_eq!(serde_json::to_value(envelope).expect("JSON"), body, "{url}");
    }
}
