//! Bodies with the connection's patience: one that nothing arrives of for a while is over, and an answer that is
//! being sent is counted until it has gone.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use bytes::Buf;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::activity::{STALL, TRICKLE};
use super::delivery::{Delivery, Piece};
use super::io::Ledger;
use super::outbox::AcceptGuard;
use crate::service::live::Revocation;

/// How long a sender may be silent in the middle of a body. A line that is away for longer is as good as broken:
/// whoever sends a recording goes on where it stopped.
pub(super) const SILENCE: Duration = Duration::from_secs(30);

/// What leaves at a time over HTTP/2, in bytes: a frame as all sides take it (RFC 9113, section 4.2).
const PIECE: usize = 16 << 10;

/// Nothing arrived for too long.
#[derive(Debug, thiserror::Error)]
#[error("the sender fell silent")]
pub(super) struct FellSilent;

/// Whether a request's sender fell silent.
#[derive(Clone, Default)]
pub(super) struct Silence(Arc<AtomicBool>);

impl Silence {
    pub(super) fn is_told(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How slowly a request's body may arrive.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    /// For the next byte.
    pub(super) silence: Duration,
    /// For [`TRICKLE`] bytes. HTTP/2 has other streams on the connection, so its own judge doesn't see this one.
    pub(super) stall: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            silence: SILENCE,
            stall: STALL,
        }
    }
}

/// A request's body as it arrives.
pub(super) struct Arriving<B> {
    body: B,
    ledger: Ledger,
    silence: Silence,
    patience: Patience,
    /// Since somebody waits for more.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Since when less than [`TRICKLE`] bytes arrived, while somebody waited for them.
    slow_since: Option<Instant>,
    arrived: u64,
}

impl<B> Arriving<B> {
    /// Tells `silence` when less arrives than `patience` asks for, though somebody waits for it.
    pub(super) fn new(body: B, ledger: Ledger, silence: Silence, patience: Patience) -> Self {
        Self {
            body,
            ledger,
            silence,
            patience,
            waiting: None,
            slow_since: None,
            arrived: 0,
        }
    }

    fn count(&mut self, bytes: usize) {
        self.ledger.open().moved_in_bodies(bytes);
        self.arrived += bytes as u64;
        if self.arrived >= TRICKLE {
            (self.slow_since, self.arrived) = (None, 0);
        }
    }

    /// Whether too little has arrived since it was first waited for.
    fn is_stalled(&mut self, now: Instant) -> bool {
        let since = *self.slow_since.get_or_insert(now);
        now >= since + self.patience.stall
    }
}

impl<B> HttpBody for Arriving<B>
where
    B: HttpBody<Data = Bytes, Error: std::error::Error + Send + Sync + 'static> + Unpin,
{
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            self.waiting = None;
            match &frame {
                None => self.ledger.open().body_ended(),
                Some(Ok(frame)) => self.count(frame.data_ref().map_or(0, Bytes::len)),
                Some(Err(_)) => {}
            }
            return Poll::Ready(frame.map(|it| it.map_err(axum::Error::new)));
        }
        if !self.is_stalled(Instant::now()) {
            let silence = self.patience.silence;
            let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(silence)));
            ready!(waiting.as_mut().poll(cx));
        }
        self.silence.0.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(axum::Error::new(FellSilent))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Counts a request as under way for as long as it lives.
pub(super) struct UnderWay(Ledger);

impl UnderWay {
    pub(super) fn begin(ledger: Ledger, has_body: bool) -> Self {
        ledger.open().begin(has_body, Instant::now());
        Self(ledger)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.open().end(Instant::now());
    }
}

/// An answer's body until it has gone.
pub(super) struct Leaving {
    body: Body,
    under_way: UnderWay,
    way: Way,
    /// What is left of the last frame.
    rest: Bytes,
}

/// By which version of HTTP a response leaves.
enum Way {
    /// The connection itself tells how its one response gets on. Held until HTTP has accepted all of it.
    Http1 { _accepting: Option<AcceptGuard> },
    /// Accepted at once, whatever its size, and sent when the client's windows allow.
    Http2(Arc<Delivery>),
}

impl Leaving {
    /// Over HTTP/1. With a `revocation` the connection is reset if that comes before all is sent.
    pub(super) fn http1(body: Body, under_way: UnderWay, revocation: Option<Revocation>) -> Self {
        let outbox = under_way.0.outbox();
        let accepting = revocation.map(|it| outbox.register(it));
        let way = Way::Http1 {
            _accepting: accepting,
        };
        Self::new(body, under_way, way)
    }

    /// Over HTTP/2. With a `revocation` the stream is reset if that comes before all is sent.
    pub(super) fn http2(
        body: Body,
        under_way: UnderWay,
        delivery: Arc<Delivery>,
        revocation: Option<Revocation>,
    ) -> Self {
        if let Some(revocation) = revocation {
            delivery.revocable(revocation);
        }
        Self::new(body, under_way, Way::Http2(delivery))
    }

    fn new(body: Body, under_way: UnderWay, way: Way) -> Self {
        Self {
            body,
            under_way,
            way,
            rest: Bytes::new(),
        }
    }

    /// The end of the body. Over HTTP/2 it comes when all before it has left, so that until then the stream's
    /// task is there, and can be cancelled.
    fn poll_end(&self, cx: &Context<'_>) -> Poll<Option<Result<Frame<Piece>, axum::Error>>> {
        match &self.way {
            Way::Http1 { .. } => Poll::Ready(None),
            Way::Http2(delivery) => delivery.poll_delivered(cx).map(|()| None),
        }
    }

    /// What leaves next.
    fn next_piece(&mut self) -> Piece {
        match &self.way {
            Way::Http1 { .. } => Piece::alone(std::mem::take(&mut self.rest)),
            Way::Http2(delivery) => {
                let length = PIECE.min(self.rest.len());
                delivery.piece(self.rest.split_to(length))
            }
        }
    }
}

impl HttpBody for Leaving {
    type Data = Piece;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Piece>, axum::Error>>> {
        if self.rest.is_empty() {
            // Once it has ended it is not asked again: bodies need not bear that.
            if self.body.is_end_stream() {
                return self.poll_end(cx);
            }
            let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
            match frame.map(|it| it.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => {
                    if let Way::Http2(delivery) = &self.way {
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
        self.under_way.0.open().moved_in_bodies(piece.remaining());
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        let is_held = match &self.way {
            Way::Http1 { .. } => false,
            Way::Http2(delivery) => !delivery.is_written(),
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

impl Drop for Leaving {
    fn drop(&mut self) {
        if let Way::Http2(delivery) = &self.way {
            delivery.released(self.rest.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, poll, stream};
    use http_body_util::{BodyExt, StreamBody};

    use super::super::delivery::ResponseMemory;
    use super::*;

    fn frame(text: &'static str) -> Result<Frame<Bytes>, std::io::Error> {
        Ok(Frame::data(Bytes::from_static(text.as_bytes())))
    }

    #[tokio::test]
    async fn a_body_that_stops_half_way_is_over_after_a_while() {
        let pieces = stream::iter([frame("a"), frame("b")]).chain(stream::pending());
        let silence = Silence::default();
        let mut body = Arriving::new(
            StreamBody::new(pieces),
            Ledger::new(),
            silence.clone(),
            Patience {
                silence: Duration::ZERO,
                ..Patience::default()
            },
        );
        for _ in 0..2 {
            let frame = body.frame().await.expect("a frame");
            assert!(frame.expect("no failure").is_data());
            assert!(!silence.is_told());
        }
        assert!(body.frame().await.expect("an end").is_err());
        assert!(silence.is_told());
    }

    #[tokio::test]
    async fn a_body_that_ends_ends_as_it_would() {
        let pieces = stream::iter([frame("a")]);
        let silence = Silence::default();
        let body = Arriving::new(
            StreamBody::new(pieces),
            Ledger::new(),
            silence.clone(),
            Patience::default(),
        );
        let all = body.collect().await.expect("no failure").to_bytes();
        assert_eq!(all, "a");
        assert!(!silence.is_told());
    }

    #[tokio::test]
    async fn a_body_that_trickles_is_over_although_it_is_never_silent() {
        // A byte, and then one more each time that somebody waits.
        let mut pending = false;
        let trickle = stream::poll_fn(move |cx| {
            pending = !pending;
            match pending {
                true => Poll::Ready(Some(frame("a"))),
                false => {
                    cx.waker().wake_by_ref();
                    Poll::Pending
                }
            }
        });
        let silence = Silence::default();
        let patience = Patience {
            silence: Duration::MAX / 4,
            stall: Duration::ZERO,
        };
        let mut body = Arriving::new(
            StreamBody::new(trickle),
            Ledger::new(),
            silence.clone(),
            patience,
        );
        body.frame().await.expect("a frame").expect("no failure");
        assert!(!silence.is_told());
        assert!(body.frame().await.expect("an end").is_err());
        assert!(silence.is_told());
    }

    fn over_http2(ledger: &Ledger, body: Body) -> Leaving {
        let under_way = UnderWay::begin(ledger.clone(), false);
        let delivery = Delivery::new(ledger.clone(), ResponseMemory::default(), STALL);
        Leaving::http2(body, under_way, Arc::new(delivery), None)
    }

    #[tokio::test]
    async fn over_http2_an_answer_leaves_in_pieces_and_loses_nothing() {
        let whole: Vec<u8> = (0..=250).cycle().take(40_000).collect();
        let mut leaving = over_http2(&Ledger::new(), Body::from(whole.clone()));
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
        let ledger = Ledger::new();
        let mut leaving = over_http2(&ledger, Body::from("abc"));
        let frame = leaving.frame().await.expect("a frame");
        let mut piece = frame.expect("no failure").into_data().ok().expect("data");
        let mut end = std::pin::pin!(leaving.frame());
        assert!(poll!(&mut end).is_pending());
        piece.advance(3);
        assert!(poll!(&mut end).is_pending(), "written, and not flushed");
        ledger.outbox().flushed();
        assert!(end.await.is_none());
    }
}
