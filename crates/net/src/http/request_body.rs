//! Request bodies with timeouts: a body that arrives too slowly ends with an error.
//!
//! By hand, because tower-http's `RequestBodyTimeout` has a timeout for silence only, so a byte every 74 seconds would
//! satisfy it.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::idle_policy::Timeouts;
use crate::metered_io::Meter;
use crate::progress::Progress;

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
    /// What has arrived since the handler first waited.
    progress: Option<Progress>,
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
            progress: None,
        }
    }

    fn count(&mut self, bytes: usize) {
        self.meter.activity().moved_in_bodies(bytes);
        if let Some(progress) = &mut self.progress {
            progress.add(bytes);
            // The next wait has a whole timeout again, and no burst pays for the time after it.
            if progress.is_enough() {
                self.progress = None;
            }
        }
    }

    /// Whether too little arrives while the handler waits.
    fn is_stalled(&mut self, now: Instant) -> bool {
        let progress = self.progress.get_or_insert_with(|| Progress::begin(now));
        progress.check(now, self.timeouts.stall).is_none()
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

    use futures_util::{Stream, StreamExt, stream};
    use http_body_util::{BodyExt, StreamBody};

    use super::*;

    type FrameResult = Result<Frame<Bytes>, std::io::Error>;

    fn frame(text: &'static str) -> FrameResult {
        Ok(Frame::data(Bytes::from_static(text.as_bytes())))
    }

    fn body<S>(frames: S, timeouts: Timeouts) -> (RequestBody<StreamBody<S>>, TimeoutFlag)
    where
        S: Stream<Item = FrameResult>,
    {
        let (body, flag) = (StreamBody::new(frames), TimeoutFlag::default());
        let body = RequestBody::new(body, Meter::default(), flag.clone(), timeouts);
        (body, flag)
    }

    #[tokio::test]
    async fn a_body_that_stops_half_way_times_out() {
        let timeouts = Timeouts {
            silence: Duration::ZERO,
            ..Timeouts::default()
        };
        let frames = stream::iter([frame("a"), frame("b")]).chain(stream::pending());
        let (mut body, flag) = body(frames, timeouts);
        for _ in 0..2 {
            let frame = body.frame().await.expect("a frame");
            assert!(frame.expect("no failure").is_data());
            assert!(!flag.is_set());
        }
        assert!(body.frame().await.expect("an end").is_err());
        assert!(flag.is_set());
    }

    #[tokio::test]
    async fn a_body_that_arrives_in_time_is_unchanged() {
        let (body, flag) = body(stream::iter([frame("a")]), Timeouts::default());
        let all = body.collect().await.expect("no failure").to_bytes();
        assert_eq!(all, "a");
        assert!(!flag.is_set());
    }

    #[tokio::test]
    async fn a_body_that_trickles_times_out() {
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
        let timeouts = Timeouts {
            silence: Duration::MAX / 4,
            stall: Duration::ZERO,
            ..Timeouts::default()
        };
        let (mut body, flag) = body(trickle, timeouts);
        body.frame().await.expect("a frame").expect("no failure");
        assert!(!flag.is_set());
        assert!(body.frame().await.expect("an end").is_err());
        assert!(flag.is_set());
    }
}
