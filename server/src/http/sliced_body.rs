//! Bodies of bytes that many responses share.
//!
//! What a slow client hasn't taken counts as memory of its response, whole frames of it. Of shared bytes that is untrue, so
//! they come in slices.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// The longest slice in bytes.
const SLICE: usize = 16 << 10;

struct SlicedBody(Bytes);

/// A body of these bytes, which are in memory anyway.
pub fn sliced(bytes: Bytes) -> Body {
    Body::new(SlicedBody(bytes))
}

impl HttpBody for SlicedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.0.len().min(SLICE);
        let slice = (length > 0).then(|| Ok(Frame::data(self.0.split_to(length))));
        Poll::Ready(slice)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn slices_are_bounded_and_complete() {
        let whole: Vec<u8> = (0..=u8::MAX).cycle().take(2 * SLICE + 1).collect();
        let mut body = sliced(whole.clone().into());
        assert_eq!(body.size_hint().exact(), Some(whole.len() as u64));
        let mut sent = Vec::new();
        while let Some(frame) = body.frame().await {
            let slice = frame.expect("bytes").into_data().expect("bytes");
            assert!((1..=SLICE).contains(&slice.len()));
            sent.extend(slice);
        }
        assert!(sent == whole);
        assert!(sliced(Bytes::new()).frame().await.is_none());
    }
}
