//! Request bodies that a handler collects in memory: JSON, MCP messages and reports.
//!
//! Each handler limits their length. Their number and the time that they take to arrive are limited, so that a client
//! can't hold memory by sending a byte now and then.

use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequestParts as _, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use http_body::Body as _;
use net::shares::SharePermit;
use tokio::time::sleep;

use super::client::Client;
use super::pipeline::READABLE;
use crate::http::error::ApiError;
use crate::service::{AppState, quota};

/// How long such a body may take to arrive as a whole.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The error for a body that did not arrive in time.
#[derive(Debug, thiserror::Error)]
#[error("the body did not arrive within {} s", TIMEOUT.as_secs())]
struct TooSlow;

/// Middleware for routes whose bodies a library collects.
pub async fn limit(State(app): State<AppState>, request: Request, next: Next) -> Response {
    match limit_body(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(error) => (READABLE, error).into_response(),
    }
}

/// Limits the body of a request before any of it is read.
pub async fn limit_body(app: &AppState, request: Request) -> Result<Request, ApiError> {
    if request.body().is_end_stream() {
        return Ok(request);
    }
    let (mut head, body) = request.into_parts();
    let Ok(Client(client)) = Client::from_request_parts(&mut head, app).await;
    let permit = quota::receive_body(app, client)?;
    let body = with_deadline(body, Some(permit), TIMEOUT);
    Ok(Request::from_parts(head, body))
}

/// Fails the body if it doesn't end within `timeout`, and holds `permit` until it is dropped.
fn with_deadline(body: Body, permit: Option<SharePermit>, timeout: Duration) -> Body {
    let (mut body, mut deadline) = (body.into_data_stream(), Box::pin(sleep(timeout)));
    Body::from_stream(stream::poll_fn(move |cx| {
        let _held = &permit;
        match body.poll_next_unpin(cx) {
            Poll::Pending if deadline.as_mut().poll(cx).is_ready() => {
                Poll::Ready(Some(Err(axum::Error::new(TooSlow))))
            }
            polled => polled,
        }
    }))
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn a_body_that_does_not_end_in_time_is_an_error() {
        let begun = stream::iter([Ok::<_, axum::Error>(Bytes::from_static(b"{"))]);
        let body = Body::from_stream(begun.chain(stream::pending()));
        let body = with_deadline(body, None, Duration::ZERO);
        assert!(body.collect().await.is_err());
    }

    #[tokio::test]
    async fn a_body_that_has_arrived_is_whole_however_late() {
        let body = Body::from("{}");
        let body = with_deadline(body, None, Duration::ZERO);
        let all = body.collect().await.expect("a body").to_bytes();
        assert_eq!(all, "{}");
    }
}
