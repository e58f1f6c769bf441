//! Drains request bodies that their handlers stopped reading.
//!
//! A server that refuses an upload half-way and closes the connection resets it, so the client, which is still
//! sending, never reads the response. The rest of the body is therefore read and discarded for a limited time,
//! at a limited rate: a thousand refused uploads must not delay other responses.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::Request;
use futures_util::{Stream, StreamExt};
use http_body::Body as _;
use tokio::time::{Instant, sleep_until, timeout};

/// How long a body is drained at most.
const LINGER: Duration = Duration::from_secs(5);

/// How many bytes are drained at most, spread evenly over [`LINGER`].
const LINGER_BYTES: u32 = 32 << 20;

/// A request body whose rest is drained in the background when it is dropped early.
pub struct DrainingBody {
    body: Option<BodyDataStream>,
    is_empty: bool,
}

impl DrainingBody {
    /// Wraps a body to be drained on drop.
    pub fn new(body: Body) -> Self {
        Self {
            is_empty: body.is_end_stream(),
            body: Some(body.into_data_stream()),
        }
    }

    /// Whether the body is known to be empty before it is read.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// Wraps the body of each request, for routes whose bodies a library reads.
pub async fn drain_body(request: Request) -> Request {
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
            // Nothing is left to drain after the end or an error.
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
            let mut pace = DrainPace::from(Instant::now());
            while let Some(Ok(piece)) = body.next().await {
                sleep_until(pace.next_read(piece.len(), Instant::now())).await;
            }
        }));
    }
}

/// Spreads reads evenly: [`LINGER_BYTES`] take [`LINGER`].
struct DrainPace(Instant);

impl DrainPace {
    fn from(now: Instant) -> Self {
        Self(now)
    }

    /// Time of the next read after one of `length` bytes. Time in which the client sent nothing earns nothing.
    fn next_read(&mut self, length: usize, now: Instant) -> Instant {
        self.0 = self.0.max(now) + LINGER.mul_f64(length as f64 / f64::from(LINGER_BYTES));
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::{FutureExt, stream};
    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn the_rest_of_a_body_is_read_when_its_handler_has_stopped() {
        let ended = Arc::new(Notify::new());
        let end = ended.clone();
        let pieces = stream::iter(["a", "b", "c"].map(Ok::<_, axum::Error>));
        let all_read = stream::poll_fn(move |_| {
            end.notify_one();
            Poll::Ready(None)
        });
        let mut body = DrainingBody::new(Body::from_stream(pieces.chain(all_read)));
        assert!(body.next().await.is_some());
        assert!(ended.notified().now_or_never().is_none());
        drop(body);
        let end = timeout(Duration::from_secs(20), ended.notified());
        end.await.expect("it is read to its end");
    }

    #[test]
    fn a_discarded_body_is_read_at_a_limited_rate() {
        let begun = Instant::now();
        let mut pace = DrainPace::from(begun);
        let piece = LINGER_BYTES as usize / 4;
        for count in 1..=4 {
            // The reads of a client that sends as fast as it can.
            let next = pace.next_read(piece, begun);
            assert_eq!(next, begun + LINGER / 4 * count);
        }
        let pause = begun + 3 * LINGER;
        let next = pace.next_read(piece, pause);
        assert_eq!(next, pause + LINGER / 4, "a pause is no reason to hurry");
    }
}
