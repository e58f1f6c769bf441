//! Request bodies that a handler collects in memory: JSON, MCP messages and reports.
//!
//! Each handler limits their length. Upload memory is reserved for them while they arrive, and the time that they take is
//! limited, so that a client can't hold memory by sending a byte now and then.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::http::extract::MAX_JSON_BYTES;
use crate::service::{AppState, Reservation};

/// How long such a body may take to arrive as a whole.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The error for a body that did not arrive in time.
#[derive(Debug, thiserror::Error)]
#[error("the body did not arrive within {} s", TIMEOUT.as_secs())]
struct TooSlow;

/// Middleware for routes whose bodies a library collects.
pub async fn reserve(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let body = reserve_memory(&app, body).await;
    next.run(Request::from_parts(head, body)).await
}

/// Reserves memory for a body before any of it is read. Dropping the body frees the memory.
pub async fn reserve_memory(app: &AppState, body: Body) -> Body {
    if body.is_end_stream() {
        return body;
    }
    // The handler refuses a longer body before it has collected more than this.
    let most = MAX_JSON_BYTES as u64;
    let length = body.size_hint().upper().unwrap_or(most).min(most);
    let memory = app.reserve_buffer(usize::try_from(length).unwrap_or(MAX_JSON_BYTES));
    let memory = memory.await;
    Body::new(SmallBody::new(body, memory, TIMEOUT))
}

struct SmallBody {
    body: Body,
    deadline: Pin<Box<Sleep>>,
    _memory: Reservation,
}

impl SmallBody {
    fn new(body: Body, memory: Reservation, timeout: Duration) -> Self {
        Self {
            body,
            deadline: Box::pin(sleep(timeout)),
            _memory: memory,
        }
    }
}

impl HttpBody for SmallBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Pending if self.deadline.as_mut().poll(cx).is_ready() => {
                Poll::Ready(Some(Err(axum::Error::new(TooSlow))))
            }
            polled => polled,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_body_that_does_not_end_in_time_is_an_error() {
        let begun = stream::iter([Ok::<_, axum::Error>(Bytes::from_static(b"{"))]);
        let body = Body::from_stream(begun.chain(stream::pending()));
        let body = SmallBody::new(body, Reservation::default(), Duration::ZERO);
        assert!(body.collect().await.is_err());
    }

    #[tokio::test]
    async fn a_body_that_has_arrived_is_whole_however_late() {
        let body = Body::from("{}");
        let body = SmallBody::new(body, Reservation::default(), Duration::ZERO);
        let all = body.collect().await.expect("a body").to_bytes();
        assert_eq!(all, "{}");
    }
}
