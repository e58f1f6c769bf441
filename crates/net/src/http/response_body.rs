//! Response bodies that count as in progress until they are sent, and that can be revoked.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::{Body, Bytes};
use bytes::Buf;
use http_body::{Body as HttpBody, Frame, SizeHint};

use crate::http::delivery::{Delivery, Piece};
use crate::metered_io::Meter;
use crate::outbox::AcceptGuard;
use crate::revocation::Revocation;

/// Bytes that HTTP/2 is given at a time: a frame size that every peer accepts.
/// RFC 9113, section 4.2.
const PIECE: usize = 16 << 10;

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
    guard: RequestGuard,
    protocol: Protocol,
    /// Remainder of the last frame.
    rest: Bytes,
}

/// The version of HTTP that carries a response.
enum Protocol {
    /// HTTP/1: the connection itself reports the progress of its one response.
    /// `_accepting` is held until HTTP has accepted all of it.
    Http1 { _accepting: Option<AcceptGuard> },
    /// HTTP/2 accepts a response at once, whatever its size, and sends it when the client's windows allow.
    Http2(Arc<Delivery>),
}

impl ResponseBody {
    /// A response over HTTP/1. A `revocation` before all bytes are sent resets the connection.
    pub(crate) fn http1(body: Body, guard: RequestGuard, revocation: Option<Revocation>) -> Self {
        let outbox = guard.0.outbox();
        let accepting = revocation.map(|it| outbox.register(it));
        let protocol = Protocol::Http1 {
            _accepting: accepting,
        };
        Self::new(body, guard, protocol)
    }

    /// A response over HTTP/2. A `revocation` before all bytes are sent resets the stream.
    pub(crate) fn http2(
        body: Body,
        guard: RequestGuard,
        delivery: Arc<Delivery>,
        revocation: Option<Revocation>,
    ) -> Self {
        if let Some(revocation) = revocation {
            delivery.revocable(revocation);
        }
        Self::new(body, guard, Protocol::Http2(delivery))
    }

    fn new(body: Body, guard: RequestGuard, protocol: Protocol) -> Self {
        Self {
            body,
            guard,
            protocol,
            rest: Bytes::new(),
        }
    }

    /// Ends the body. Over HTTP/2 it ends only after all its bytes were written and flushed.
    /// Until then the task of the stream exists, and can be cancelled.
    fn poll_end(&self, cx: &Context<'_>) -> Poll<Option<Result<Frame<Piece>, axum::Error>>> {
        match &self.protocol {
            Protocol::Http1 { .. } => Poll::Ready(None),
            Protocol::Http2(delivery) => delivery.poll_delivered(cx).map(|()| None),
        }
    }

    /// The next bytes for HTTP.
    fn next_piece(&mut self) -> Piece {
        match &self.protocol {
            Protocol::Http1 { .. } => Piece::alone(std::mem::take(&mut self.rest)),
            Protocol::Http2(delivery) => {
                let length = PIECE.min(self.rest.len());
                delivery.piece(self.rest.split_to(length))
            }
        }
    }
}

impl HttpBody for ResponseBody {
    type Data = Piece;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Piece>, axum::Error>>> {
        if self.rest.is_empty() {
            // A body that has ended isn't polled again, which bodies needn't support.
            if self.body.is_end_stream() {
                return self.poll_end(cx);
            }
            let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
            match frame.map(|it| it.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => {
                    if let Protocol::Http2(delivery) = &self.protocol {
                        delivery.fetched(data.len());
                    }
                    self.rest = data;
                }
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
        let is_held = match &self.protocol {
            Protocol::Http1 { .. } => false,
            Protocol::Http2(delivery) => !delivery.is_written(),
        };
        self.rest.is_empty() && self.body.is_end_stream() && !is_held
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest + body.lower());
        if let Some(upper) = body.upper() {
            hint.set_upper(rest + upper);
        }
        hint
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        if let Protocol::Http2(delivery) = &self.protocol {
            delivery.released(self.rest.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use http_body_util::BodyExt;

    use super::*;
    use crate::http::response_memory::ResponseMemory;
    use crate::idle_policy::STALL;

    fn over_http2(meter: &Meter, body: Body) -> ResponseBody {
        let guard = RequestGuard::begin(meter.clone(), false);
        let delivery = Delivery::new(meter.clone(), ResponseMemory::default(), STALL);
        ResponseBody::http2(body, guard, Arc::new(delivery), None)
    }

    #[tokio::test]
    async fn over_http2_an_answer_leaves_in_pieces_and_loses_nothing() {
        let whole: Vec<u8> = (0..=250).cycle().take(40_000).collect();
        let mut leaving = over_http2(&Meter::default(), Body::from(whole.clone()));
        let mut sent = Vec::new();
        while let Some(frame) = leaving.frame().await {
            let piece = frame.expect("no failure").into_data().ok().expect("data");
            assert!((1..=PIECE).contains(&piece.remaining()));
            assert!(!leaving.is_end_stream(), "a piece is on its way");
            sent.extend_from_slice(piece.chunk());
            drop(piece);
            let left = (whole.len() - sent.len()) as u64;
            assert_eq!(leaving.size_hint().exact(), Some(left));
            assert_eq!(leaving.is_end_stream(), left == 0);
        }
        assert_eq!(sent, whole);
    }

    #[tokio::test]
    async fn over_http2_an_answer_ends_when_its_last_byte_was_written_and_flushed() {
        let meter = Meter::default();
        let mut leaving = over_http2(&meter, Body::from("abc"));
        let frame = leaving.frame().await.expect("a frame");
        let mut piece = frame.expect("no failure").into_data().ok().expect("data");
        let mut end = std::pin::pin!(leaving.frame());
        assert!(poll!(&mut end).is_pending());
        piece.advance(3);
        assert!(poll!(&mut end).is_pending(), "written, and not flushed");
        meter.outbox().flushed();
        assert!(end.await.is_none());
    }
}
