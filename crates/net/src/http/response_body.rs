//! Response bodies that count as in progress until they are sent, and that can be revoked.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Buf;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio_util::sync::DropGuard;

use crate::http::delivery::{Delivery, Piece};
use crate::metered_io::Meter;
use crate::revocation::{FLUSH_TIMEOUT, Revocation};

/// Bytes that HTTP/2 is given at a time: a frame size that every peer accepts.
/// RFC 9113, section 4.2.
const PIECE: usize = 16 << 10;

/// Size in bytes up to which a response ends together with its bytes over HTTP/2, in one frame instead of two. Clients count
/// small frames that aren't the last of a response: h2, by which reqwest speaks, those below 256 bytes that aren't read.
const SMALL: u64 = 1 << 10;

/// Counts a request as in progress until it is dropped.
pub(crate) struct RequestGuard(Meter);

impl RequestGuard {
    pub(crate) fn begin(meter: Meter, has_body: bool) -> Self {
        meter.activity().begin(has_body, Instant::now());
        Self(meter)
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.activity().end(Instant::now());
    }
}

/// A response body until it is sent.
pub(crate) struct ResponseBody {
    body: Body,
    /// Remainder of the last frame.
    rest: Piece,
    /// `None` over HTTP/1, where the connection itself reports the progress of its one response.
    /// HTTP/2 accepts a response at once, whatever its size, and sends it when the client's windows allow.
    delivery: Option<Arc<Delivery>>,
    /// Ends without waiting until it is written: what a client doesn't read of it holds little memory, and its bytes are
    /// never revoked.
    is_small: bool,
    _accepting: Option<DropGuard>,
    guard: RequestGuard,
}

impl ResponseBody {
    /// A response that a `revocation` before all its bytes are sent resets: over HTTP/2 its stream, over HTTP/1 its
    /// connection.
    pub(crate) fn new(
        body: Body,
        guard: RequestGuard,
        delivery: Option<Arc<Delivery>>,
        revocation: Option<Revocation>,
    ) -> Self {
        let length = body.size_hint().exact();
        let is_small = revocation.is_none() && length.is_some_and(|it| it <= SMALL);
        let accepting = revocation.map(|revocation| {
            let flush_timeout = match &delivery {
                Some(delivery) => {
                    delivery.revocable(revocation.clone());
                    FLUSH_TIMEOUT
                }
                None => Duration::ZERO,
            };
            guard.0.outbox().register(revocation, flush_timeout)
        });
        Self {
            body,
            rest: Piece::default(),
            delivery,
            is_small,
            _accepting: accepting,
            guard,
        }
    }

    /// Ends the body. Over HTTP/2 a larger one ends only after all its bytes were written.
    /// Until then the task of the stream exists, and can be cancelled.
    fn poll_end(&self, cx: &Context<'_>) -> Poll<Option<Result<Frame<Piece>, axum::Error>>> {
        match &self.delivery {
            Some(delivery) => delivery.poll_written(cx).map(|()| None),
            None => Poll::Ready(None),
        }
    }

    /// The next bytes for HTTP.
    fn next_piece(&mut self) -> Piece {
        let length = match self.delivery {
            Some(_) => PIECE.min(self.rest.remaining()),
            None => self.rest.remaining(),
        };
        self.rest.split_to(length)
    }
}

impl HttpBody for ResponseBody {
    type Data = Piece;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Piece>, axum::Error>>> {
        // An empty frame would be a frame over HTTP/2, too: h2 closes a connection that has carried a hundred of them.
        while !self.rest.has_remaining() {
            // A body that has ended isn't polled again, which bodies needn't support.
            if self.body.is_end_stream() {
                return self.poll_end(cx);
            }
            let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
            match frame.map(|it| it.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = Piece::new(data, self.delivery.clone()),
                Some(Ok(Err(other))) => {
                    return Poll::Ready(
                        other.into_trailers().ok().map(|it| Ok(Frame::trailers(it))),
                    );
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    self.body = Body::empty();
                    return self.poll_end(cx);
                }
            }
        }
        let piece = self.next_piece();
        self.guard.0.activity().moved_in_bodies(piece.remaining());
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        let is_written = || self.delivery.as_ref().is_none_or(|it| it.is_written());
        !self.rest.has_remaining() && self.body.is_end_stream() && (self.is_small || is_written())
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.remaining() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest + body.lower());
        if let Some(upper) = body.upper() {
            hint.set_upper(rest + upper);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use http_body_util::BodyExt;

    use super::*;
    use crate::http::response_memory::ResponseMemory;
    use crate::idle_policy::STALL;

    fn over_http2(body: impl Into<Body>) -> ResponseBody {
        let guard = RequestGuard::begin(Meter::default(), false);
        let delivery = Delivery::new(ResponseMemory::default(), STALL);
        ResponseBody::new(body.into(), guard, Some(Arc::new(delivery)), None)
    }

    #[tokio::test]
    async fn over_http2_a_response_leaves_in_pieces_and_loses_nothing() {
        let whole: Vec<u8> = (0..=250).cycle().take(40_000).collect();
        let mut body = over_http2(whole.clone());
        let mut sent = Vec::new();
        while let Some(frame) = body.frame().await {
            let piece = frame.expect("no failure").into_data().ok().expect("data");
            assert!((1..=PIECE).contains(&piece.remaining()));
            assert!(!body.is_end_stream(), "a piece is on its way");
            sent.extend_from_slice(piece.chunk());
            drop(piece);
            let left = (whole.len() - sent.len()) as u64;
            assert_eq!(body.size_hint().exact(), Some(left));
            assert_eq!(body.is_end_stream(), left == 0);
        }
        assert_eq!(sent, whole);
    }

    #[tokio::test]
    async fn over_http2_a_response_ends_when_its_last_byte_was_written() {
        let mut body = over_http2(vec![0; 1025]);
        let frame = body.frame().await.expect("a frame");
        let mut piece = frame.expect("no failure").into_data().ok().expect("data");
        assert!(!body.is_end_stream());
        let mut end = std::pin::pin!(body.frame());
        assert!(poll!(&mut end).is_pending());
        piece.advance(1024);
        assert!(poll!(&mut end).is_pending());
        piece.advance(1);
        assert!(end.await.is_none());
    }

    #[tokio::test]
    async fn an_empty_piece_of_a_body_is_no_frame() {
        let pieces = ["", "a", "", "", "b", ""].map(Ok::<_, std::io::Error>);
        let mut body = over_http2(Body::from_stream(futures_util::stream::iter(pieces)));
        for want in ["a", "b"] {
            let frame = body.frame().await.expect("a frame");
            let piece = frame.expect("no failure").into_data().ok().expect("data");
            assert_eq!(piece.chunk(), want.as_bytes());
        }
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn over_http2_a_small_response_ends_with_its_bytes() {
        let mut body = over_http2(vec![0; 1024]);
        let frame = body.frame().await.expect("a frame");
        let piece = frame.expect("no failure").into_data().ok().expect("data");
        assert_eq!(piece.remaining(), 1024);
        assert!(body.is_end_stream(), "the frame is the last one");
    }
}
