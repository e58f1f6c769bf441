//! Receives a video file from a plain HTML form, for browsers that run no script.
//!
//! The `multipart/form-data` body (RFC 7578) is streamed through the same use cases as any recording.
//!
//! Before the file a client may send a preamble, other fields and the header lines of parts. All of that together
//! is bounded in bytes and in time, and is read only once the link is known to await a video.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use app::pages::VIDEO_FIELD;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use futures_util::Stream;
use multer::{Field, Multipart};
use tokio::time::timeout;

use crate::id::RequestId;
use crate::service::submission::submit;
use crate::service::{AppState, Error};

/// The most bytes that may precede the file. Browsers send about 200.
const MAX_PREFIX_BYTES: usize = 16 << 10;

/// Why a form was not accepted.
pub enum FormError {
    /// The use case failed.
    Service(Error),
    /// The body is no such form, is incomplete, holds no file, or its file did not begin in time.
    NoFile,
}

impl From<Error> for FormError {
    fn from(error: Error) -> Self {
        Self::Service(error)
    }
}

impl From<multer::Error> for FormError {
    fn from(_: multer::Error) -> Self {
        Self::NoFile
    }
}

/// Stores the form's file as a take and submits it.
/// `may_transcribe`: see [`Submission`](app::api::Submission).
pub async fn receive(
    app: &AppState,
    request: &RequestId,
    headers: &HeaderMap,
    may_transcribe: bool,
    body: Body,
) -> Result<(), FormError> {
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let boundary = multer::parse_boundary(media_type.unwrap_or_default())?;
    let prefix = submit::reserve_form_prefix(app, request, MAX_PREFIX_BYTES).await?;
    let file_found = Arc::new(AtomicBool::new(false));
    let mut form = Multipart::new(
        FormBody::new(body.into_data_stream(), file_found.clone()),
        boundary,
    );
    let file = timeout(app.form_prefix_timeout, find_file(&mut form)).await;
    let file = file.map_err(|_| FormError::NoFile)??;
    file_found.store(true, Ordering::Relaxed);
    drop(prefix);
    Ok(submit::submit_file(app, request, may_transcribe, file).await?)
}

async fn find_file(form: &mut Multipart<'static>) -> Result<Field<'static>, FormError> {
    while let Some(field) = form.next_field().await? {
        if field.name() == Some(VIDEO_FIELD) {
            return Ok(field);
        }
    }
    Err(FormError::NoFile)
}

/// The body of a form as the parser receives it.
///
/// It yields one piece per poll, and at most [`MAX_PREFIX_BYTES`] until the file is found: the parser itself bounds
/// neither the preamble nor header lines, buffers all that is ready, and searches that again at each poll.
struct FormBody {
    body: BodyDataStream,
    /// Received bytes that were not yielded yet.
    rest: Bytes,
    prefix_left: usize,
    file_found: Arc<AtomicBool>,
    has_yielded: bool,
}

impl FormBody {
    fn new(body: BodyDataStream, file_found: Arc<AtomicBool>) -> Self {
        Self {
            body,
            rest: Bytes::new(),
            prefix_left: MAX_PREFIX_BYTES,
            file_found,
            has_yielded: false,
        }
    }
}

impl Stream for FormBody {
    type Item = Result<Bytes, axum::BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // The parser polls until nothing is ready, so a pause after each piece makes it examine that piece first.
        if std::mem::take(&mut self.has_yielded) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(cx)) {
                Some(Ok(piece)) => self.rest = piece,
                Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
                None => return Poll::Ready(None),
            }
        }
        let mut length = self.rest.len();
        if !self.file_found.load(Ordering::Relaxed) {
            length = length.min(self.prefix_left);
            if length == 0 && !self.rest.is_empty() {
                return Poll::Ready(Some(Err("too much precedes the form's file".into())));
            }
            self.prefix_left -= length;
        }
        self.has_yielded = true;
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::task::{Wake, Waker};

    use futures_util::{StreamExt, stream};

    use super::*;

    /// Counts how often a task was woken.
    #[derive(Default)]
    struct WakeCount(AtomicUsize);

    impl Wake for WakeCount {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn body_of(pieces: &[&'static [u8]], file_found: &Arc<AtomicBool>) -> FormBody {
        let pieces: Vec<_> = pieces.iter().map(|it| Ok::<_, axum::Error>(*it)).collect();
        let body = Body::from_stream(stream::iter(pieces));
        FormBody::new(body.into_data_stream(), file_found.clone())
    }

    #[test]
    fn the_parser_examines_each_piece_before_it_gets_the_next() {
        let wakes = Arc::new(WakeCount::default());
        let waker = Waker::from(wakes.clone());
        let mut cx = Context::from_waker(&waker);
        let mut body = body_of(&[b"ab", b"c"], &Arc::default());
        for (count, piece) in [&b"ab"[..], b"c"].into_iter().enumerate() {
            match body.poll_next_unpin(&mut cx) {
                Poll::Ready(Some(Ok(got))) => assert_eq!(got, piece),
                other => panic!("{other:?}"),
            }
            assert!(body.poll_next_unpin(&mut cx).is_pending());
            let woken = wakes.0.load(Ordering::Relaxed);
            assert_eq!(woken, count + 1, "it goes on by itself after the pause");
        }
        assert!(matches!(body.poll_next_unpin(&mut cx), Poll::Ready(None)));
    }

    #[tokio::test]
    async fn no_byte_is_lost_where_the_file_begins_within_a_piece() {
        static PIECE: [u8; MAX_PREFIX_BYTES + 3] = [7; MAX_PREFIX_BYTES + 3];
        let file_found = Arc::default();
        let mut body = body_of(&[&PIECE, b"end"], &file_found);
        let first = body.next().await.expect("a piece").expect("bytes");
        assert_eq!(first, PIECE[..MAX_PREFIX_BYTES]);
        file_found.store(true, Ordering::Relaxed);
        for want in [&PIECE[..3], b"end"] {
            let next = body.next().await.expect("a piece");
            assert_eq!(next.expect("bytes"), want);
        }
        assert!(body.next().await.is_none());
    }
}
