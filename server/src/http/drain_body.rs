//! The rest of a body that nobody wants any more.
//!
//! Whoever refuses an upload half-way and closes the connection resets it, and the sender, still busy
//! sending, never reads why. So the rest is read and thrown away for a moment, and no faster than that moment
//! needs: a thousand refused uploads must not keep the others from being answered.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::Request;
use futures_util::{Stream, StreamExt};
use http_body::Body as _;
use tokio::time::{Instant, sleep_until, timeout};

/// As long as this is worth it.
const LINGER: Duration = Duration::from_secs(5);

/// As much, evenly over that time.
const LINGER_BYTES: u32 = 32 << 20;

/// A body that is read to its end, or nearly, whatever becomes of this.
pub(super) struct DrainingBody {
    body: Option<BodyDataStream>,
    is_empty: bool,
}

impl DrainingBody {
    /// Wraps a body.
    pub(super) fn new(body: Body) -> Self {
        Self {
            is_empty: body.is_end_stream(),
            body: Some(body.into_data_stream()),
        }
    }

    /// Whether it is known from the start that nothing comes.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// For routes that aren't ours to unpack.
pub(super) async fn drain_body(request: Request) -> Request {
    request.map(|body| Body::from_stream(DrainingBody::new(body)))
}

impl Stream for DrainingBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let next = body.poll_next_unpin(cx);
        if !matches!(next, Poll::Pending | Poll::Ready(Some(Ok(_)))) {
            // Ended or broken: nothing is left to read.
            self.body = None;
        }
        next
    }
}

impl Drop for DrainingBody {
    fn drop(&mut self) {
        let (Some(mut body), Ok(runtime)) =
            (self.body.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        runtime.spawn(timeout(LINGER, async move {
            let mut due = Instant::now();
            while let Some(Ok(piece)) = body.next().await {
                due = due.max(Instant::now());
                due += LINGER.mul_f64(piece.len() as f64 / f64::from(LINGER_BYTES));
                sleep_until(due).await;
            }
        }));
    }
}
