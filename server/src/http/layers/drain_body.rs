//! Drains request bodies that their handlers stopped reading.
//!
//! A server that refuses an upload half-way and closes the connection resets it, so the client, which is still
//! sending, never reads the response. The rest of the body is therefore read and discarded for a limited time,
//! at a limited rate: a thousand refused uploads must not delay other responses.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::EXPECT;
use futures_util::StreamExt;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, sleep_until, timeout};

/// How long a body is drained at most.
const LINGER: Duration = Duration::from_secs(5);

/// How many bytes are drained at most, spread evenly over [`LINGER`].
const LINGER_BYTES: u32 = 32 << 20;

/// Drains the rest of a request's body in the background if it is dropped before its end.
pub fn drain_body(request: Request) -> (Request, HeldBack) {
    if request.body().is_end_stream() {
        return (request, HeldBack(None));
    }
    let expected = request.headers().get(EXPECT);
    let is_held = expected.is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    let held_back = HeldBack(is_held.then(|| Arc::new(AtomicBool::new(true))));
    let request = request.map(|body| {
        Body::new(DrainingBody {
            body: Some(body),
            held_back: held_back.clone(),
        })
    });
    (request, held_back)
}

/// Whether a client holds its body back.
/// One that expects 100 (Continue) sends it once it is read: RFC 9110, section 10.1.1.
#[derive(Clone)]
pub struct HeldBack(Option<Arc<AtomicBool>>);

impl HeldBack {
    /// `true`: the body was never read, and the client may or may not send it still.
    pub fn is_held(&self) -> bool {
        self.0.as_ref().is_some_and(|it| it.load(Ordering::Relaxed))
    }

    fn release(&self) {
        if let Some(held) = &self.0 {
            held.store(false, Ordering::Relaxed);
        }
    }
}

struct DrainingBody {
    body: Option<Body>,
    held_back: HeldBack,
}

impl HttpBody for DrainingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.held_back.release();
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let next = Pin::new(body).poll_frame(cx);
        if !matches!(next, Poll::Pending | Poll::Ready(Some(Ok(_)))) {
            // Nothing is left to drain after the end or an error.
            self.body = None;
        }
        next
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let ended = || SizeHint::with_exact(0);
        self.body.as_ref().map_or_else(ended, HttpBody::size_hint)
    }
}

impl Drop for DrainingBody {
    fn drop(&mut self) {
        if self.held_back.is_held() || self.is_end_stream() {
            return;
        }
        let (Some(body), Ok(runtime)) = (self.body.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        runtime.spawn(timeout(LINGER, async move {
            let mut pace = DrainPace::from(Instant::now());
            let mut body = body.into_data_stream();
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

    /// Time of the next read after one of `length` bytes.
    /// Time in which the client sent nothing earns nothing.
    fn next_read(&mut self, length: usize, now: Instant) -> Instant {
        self.0 = self.0.max(now) + LINGER.mul_f64(length as f64 / f64::from(LINGER_BYTES));
        self.0
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;
    use futures_util::{FutureExt, stream};
    use tokio::sync::Notify;

    use super::*;

    /// A body of three pieces, with these header fields, and what is notified at its end.
    fn request(fields: &[(HeaderName, &str)]) -> (Request, Arc<Notify>) {
        let ended = Arc::new(Notify::new());
        let end = ended.clone();
        let pieces = stream::iter(["a", "b", "c"].map(Ok::<_, axum::Error>));
        let all_read = stream::poll_fn(move |_| {
            end.notify_one();
            Poll::Ready(None)
        });
        let mut request = Request::new(Body::from_stream(pieces.chain(all_read)));
        for (name, value) in fields {
            let value = value.parse().expect("a value");
            request.headers_mut().insert(name, value);
        }
        (drain_body(request).0, ended)
    }

    #[tokio::test]
    async fn the_rest_of_a_body_is_read_when_its_handler_has_stopped() {
        let (request, ended) = request(&[]);
        let mut body = request.into_body().into_data_stream();
        assert!(body.next().await.is_some());
        assert!(ended.notified().now_or_never().is_none());
        drop(body);
        let end = timeout(Duration::from_secs(20), ended.notified());
        end.await.expect("it is read to its end");
    }

    #[tokio::test]
    async fn a_body_that_waits_to_be_asked_for_is_drained_only_once_it_is_read() {
        for is_read in [false, true] {
            let (request, ended) = request(&[(EXPECT, "100-continue")]);
            let mut body = request.into_body().into_data_stream();
            if is_read {
                assert!(body.next().await.is_some());
            }
            drop(body);
            let tasks = tokio::runtime::Handle::current()
                .metrics()
                .num_alive_tasks();
            assert_eq!(tasks, usize::from(is_read));
            if is_read {
                let end = timeout(Duration::from_secs(20), ended.notified());
                end.await.expect("it is read to its end");
            }
        }
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
