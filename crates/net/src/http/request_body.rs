//! Request bodies with timeouts: a body that arrives too slowly ends with an error.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::idle_policy::{MIN_PROGRESS, Timeouts};
use crate::metered_io::Meter;

/// The client sent too little of a request body within its timeout.
#[derive(Debug, thiserror::Error)]
#[error("the sender fell silent")]
pub(crate) struct BodyTimeout;

/// Whether the body of a request timed out.
#[derive(Clone, Default)]
pub(crate) struct TimeoutFlag(Arc<AtomicBool>);

impl TimeoutFlag {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A request body that counts its bytes and times out.
pub(crate) struct RequestBody<B> {
    body: B,
    meter: Meter,
    timeout_flag: TimeoutFlag,
    /// Only `silence` and `stall` apply.
    /// `stall` is checked here because other streams of an HTTP/2 connection hide a stalled one from the idle policy.
    timeouts: Timeouts,
    /// Timer of `silence`, which runs while the handler waits for more.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Since when less than [`MIN_PROGRESS`] bytes arrived, while the handler waited for them.
    slow_since: Option<Instant>,
    arrived: u64,
}

impl<B> RequestBody<B> {
    /// Sets `timeout_flag` when the handler waits and less arrives than `timeouts` require.
    pub(crate) fn new(
        body: B,
        meter: Meter,
        timeout_flag: TimeoutFlag,
        timeouts: Timeouts,
    ) -> Self {
        Self {
            body,
            meter,
            timeout_flag,
            timeouts,
            waiting: None,
            slow_since: None,
            arrived: 0,
        }
    }

    fn count(&mut self, bytes: usize) {
        self.meter.activity().moved_in_bodies(bytes);
        self.arrived += bytes as u64;
        if self.arrived >= MIN_PROGRESS {
            (self.slow_since, self.arrived) = (None, 0);
        }
    }

    /// Whether too little has arrived since the handler first waited for it.
    fn is_stalled(&mut self, now: Instant) -> bool {
        let since = *self.slow_since.get_or_insert(now);
        now >= since + self.timeouts.stall
    }
}

impl<B> HttpBody for RequestBody<B>
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
                None => self.meter.activity().body_ended(),
                Some(Ok(frame)) => self.count(frame.data_ref().map_or(0, Bytes::len)),
                Some(Err(_)) => {}
            }
            return Poll::Ready(frame.map(|it| it.map_err(axum::Error::new)));
        }
        if !self.is_stalled(Instant::now()) {
            let limit = self.timeouts.silence;
            let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(limit)));
            ready!(waiting.as_mut().poll(cx));
        }
        self.timeout_flag.0.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(axum::Error::new(BodyTimeout))))
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
    use std::time::Duration;

    use futures_util::{StreamExt, stream};
    use http_body_util::{BodyExt, StreamBody};

    use super::*;

    fn frame(text: &'static str) -> Result<Frame<Bytes>, std::io::Error> {
        Ok(Frame::data(Bytes::from_static(text.as_bytes())))
    }

    #[tokio::test]
    async fn a_body_that_stops_half_way_is_over_after_a_while() {
        let pieces = stream::iter([frame("a"), frame("b")]).chain(stream::pending());
        let timeout_flag = TimeoutFlag::default();
        let mut body = RequestBody::new(
            StreamBody::new(pieces),
            Meter::default(),
            timeout_flag.clone(),
            Timeouts {
                silence: Duration::ZERO,
                ..Timeouts::default()
            },
        );
        for _ in 0..2 {
            let frame = body.frame().await.expect("a frame");
            assert!(frame.expect("no failure").is_data());
            assert!(!timeout_flag.is_set());
        }
        assert!(body.frame().await.expect("an end").is_err());
        assert!(timeout_flag.is_set());
    }

    #[tokio::test]
    async fn a_body_that_ends_ends_as_it_would() {
        let pieces = stream::iter([frame("a")]);
        let timeout_flag = TimeoutFlag::default();
        let body = RequestBody::new(
            StreamBody::new(pieces),
            Meter::default(),
            timeout_flag.clone(),
            Timeouts::default(),
        );
        let all = body.collect().await.expect("no failure").to_bytes();
        assert_eq!(all, "a");
        assert!(!timeout_flag.is_set());
    }

    #[tokio::test]
    async fn a_body_that_trickles_is_over_although_it_is_never_silent() {
        // Yields one byte per wait of the handler.
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
        let timeout_flag = TimeoutFlag::default();
        let timeouts = Timeouts {
            silence: Duration::MAX / 4,
            stall: Duration::ZERO,
            ..Timeouts::default()
        };
        let mut body = RequestBody::new(
            StreamBody::new(trickle),
            Meter::default(),
            timeout_flag.clone(),
            timeouts,
        );
        body.frame().await.expect("a frame").expect("no failure");
        assert!(!timeout_flag.is_set());
        assert!(body.frame().await.expect("an end").is_err());
        assert!(timeout_flag.is_set());
    }
}
