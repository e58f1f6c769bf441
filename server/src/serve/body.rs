//! Bodies with the connection's patience: one that nothing arrives of for a while is over, and an answer that is
//! being sent is counted until it has gone.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::io::Ledger;

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

/// A request's body as it arrives.
pub(super) struct Arriving<B> {
    body: B,
    ledger: Ledger,
    silence: Silence,
    patience: Duration,
    /// Since somebody waits for more.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<B> Arriving<B> {
    /// Tells `silence` when nothing arrives for longer than `patience`, though somebody waits for it.
    pub(super) fn new(body: B, ledger: Ledger, silence: Silence, patience: Duration) -> Self {
        Self {
            body,
            ledger,
            silence,
            patience,
            waiting: None,
        }
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
                frame => count(&self.ledger, frame.as_ref()),
            }
            return Poll::Ready(frame.map(|it| it.map_err(axum::Error::new)));
        }
        let patience = self.patience;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waiting.as_mut().poll(cx));
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
    /// In pieces of how many bytes it leaves at most.
    piece: usize,
    /// What is left of the last frame.
    rest: Bytes,
}

impl Leaving {
    /// Over HTTP/1, where the line itself tells how it goes.
    pub(super) fn whole(body: Body, under_way: UnderWay) -> Self {
        Self::in_pieces_of(usize::MAX, body, under_way)
    }

    /// Over HTTP/2, which takes a piece of any size at once, and says nothing until it wants the next one.
    pub(super) fn in_pieces(body: Body, under_way: UnderWay) -> Self {
        Self::in_pieces_of(PIECE, body, under_way)
    }

    fn in_pieces_of(piece: usize, body: Body, under_way: UnderWay) -> Self {
        Self {
            body,
            under_way,
            piece,
            rest: Bytes::new(),
        }
    }
}

impl HttpBody for Leaving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
            match frame.map(|it| it.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(other))) => return Poll::Ready(Some(Ok(other))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.piece.min(self.rest.len());
        let piece = Some(Ok(Frame::data(self.rest.split_to(length))));
        count(&self.under_way.0, piece.as_ref());
        Poll::Ready(piece)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
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

fn count<E>(ledger: &Ledger, frame: Option<&Result<Frame<Bytes>, E>>) {
    let data = frame.and_then(|it| it.as_ref().ok()?.data_ref());
    if let Some(data) = data {
        ledger.open().moved_in_bodies(data.len());
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};
    use http_body_util::{BodyExt, StreamBody};

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
            Duration::ZERO,
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
            Duration::ZERO,
        );
        let all = body.collect().await.expect("no failure").to_bytes();
        assert_eq!(all, "a");
        assert!(!silence.is_told());
    }

    #[tokio::test]
    async fn over_http2_an_answer_leaves_in_pieces_and_loses_nothing() {
        let whole: Vec<u8> = (0..=250).cycle().take(40_000).collect();
        let under_way = UnderWay::begin(Ledger::new(), false);
        let mut leaving = Leaving::in_pieces(Body::from(whole.clone()), under_way);
        let mut sent = Vec::new();
        while let Some(frame) = leaving.frame().await {
            let piece = frame.expect("no failure").into_data().expect("data");
            assert!((1..=PIECE).contains(&piece.len()));
            sent.extend_from_slice(&piece);
            let left = (whole.len() - sent.len()) as u64;
            assert_eq!(leaving.size_hint().exact(), Some(left));
            assert_eq!(leaving.is_end_stream(), left == 0);
        }
        assert_eq!(sent, whole);
    }
}
