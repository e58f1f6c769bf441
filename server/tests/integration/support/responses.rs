//! Helpers for concurrent steps, refused requests and pictures.

use app::api::ErrorBody;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Response};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;

/// Performs steps while a request is in flight, and returns its response, which must not arrive earlier.
pub async fn during(sending: impl Future<Output = Response>, steps: impl Future) -> Response {
    let mut sending = std::pin::pin!(sending);
    tokio::select! {
        early = &mut sending => panic!("answered too early: {early:?}"),
        _ = steps => {}
    }
    sending.await
}

/// A body of two pieces; the second one is sent when the sender fires or is dropped.
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

/// Asserts status and error code, and that the body is nothing but the error envelope; for takes it is within problem
/// details (RFC 9457).
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

/// Reads the rest of a body, which must end with an error before its length.
/// `received` bytes are read already.
pub async fn assert_cut_short(mut answer: Response, mut received: usize, length: usize) {
    let end = loop {
        match answer.chunk().await {
            Ok(Some(bytes)) => received += bytes.len(),
            end => break end,
        }
    };
    assert!(end.is_err(), "the body ended without an error");
    assert!(received < length, "{received}");
}

/// Width and height of a JPEG in pixels.
pub fn jpeg_size(jpeg: &[u8]) -> (u32, u32) {
    let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(jpeg));
    decoder.decode_headers().expect("a JPEG");
    let (width, height) = decoder.dimensions().expect("a size");
    let side = |length: usize| u32::try_from(length).expect("few pixels");
    (side(width), side(height))
}

/// SHA-256 in hexadecimal digits.
pub fn hex_sha256(bytes: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|it| format!("{it:02x}")).collect()
}
