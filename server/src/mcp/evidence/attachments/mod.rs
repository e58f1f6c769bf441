//! Image and video data within a response.
//!
//! rmcp serializes a whole response in memory, copies it, and logs it at trace level. Large data is therefore
//! kept out of it: the response holds a placeholder where the base64 belongs, which is replaced piece by piece
//! while the response is sent. Memory holds only the pieces that the video's stream has read, and their base64.

mod base64;

use std::error::Error as StdError;
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt, TryStreamExt};
use memchr::memmem;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use self::base64::Encoder;

pub use self::base64::encoded_length;
use net::Revocation;

type BoxError = Box<dyn StdError + Send + Sync>;

/// The attachments of one response. Cheap to clone.
#[derive(Clone, Default)]
pub struct Attachments {
    all: Arc<Mutex<Vec<Attachment>>>,
    revocation: Arc<OnceLock<Revocation>>,
}

struct Attachment {
    placeholder: String,
    /// The length before base64 encoding, in bytes.
    bytes: u64,
    pieces: BoxStream<'static, Result<Bytes, BoxError>>,
}

/// The error for a serialized response that lacks a placeholder.
#[derive(Debug, thiserror::Error)]
#[error("an answer has no place for what belongs in it")]
pub struct NoPlace;

impl Attachments {
    /// Adds an attachment of `bytes` bytes and returns its placeholder.
    ///
    /// Attachments are added in the order of the response.
    pub fn add<E: StdError + Send + Sync + 'static>(
        &self,
        bytes: u64,
        pieces: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    ) -> String {
        // Unguessable, so that no text from elsewhere can be taken for a placeholder.
        let placeholder = format!("attached-{:032x}", rand::random::<u128>());
        let attachment = Attachment {
            placeholder: placeholder.clone(),
            bytes,
            pieces: pieces.map_err(BoxError::from).boxed(),
        };
        self.all.lock().push(attachment);
        placeholder
    }

    /// Sets the revocation of the attachments. A response has attachments of one video only.
    pub fn revocable(&self, revocation: Revocation) {
        self.revocation.get_or_init(|| revocation);
    }

    /// The revocation that the HTTP response must carry.
    pub fn revocation(&self) -> Option<Revocation> {
        self.revocation.get().cloned()
    }

    /// Replaces the placeholders in a response; returns its length and its body.
    ///
    /// `encoding` limits how many responses encode at the same time. It is never held during disk or network I/O.
    pub fn put_into(
        self,
        answer: Bytes,
        encoding: &Arc<Semaphore>,
    ) -> Result<(u64, Body), NoPlace> {
        let attachments = std::mem::take(&mut *self.all.lock());
        let mut rest = answer;
        let mut length = 0;
        let mut parts = Vec::new();
        for attachment in attachments {
            let placeholder = attachment.placeholder.as_bytes();
            let at = memmem::find(&rest, placeholder).ok_or(NoPlace)?;
            let before = rest.split_to(at);
            let _ = rest.split_to(placeholder.len());
            length += before.len() as u64 + encoded_length(attachment.bytes);
            parts.push(plain(before));
            parts.push(encoded(attachment.pieces, encoding.clone()).boxed());
        }
        length += rest.len() as u64;
        parts.push(plain(rest));
        let body = Body::from_stream(stream::iter(parts).flatten());
        Ok((length, body))
    }
}

fn plain(bytes: Bytes) -> BoxStream<'static, Result<Bytes, BoxError>> {
    stream::iter([Ok(bytes)]).boxed()
}

fn encoded(
    pieces: BoxStream<'static, Result<Bytes, BoxError>>,
    encoding: Arc<Semaphore>,
) -> impl Stream<Item = Result<Bytes, BoxError>> + Send {
    stream::try_unfold(Some((pieces, Encoder::default())), move |state| {
        let encoding = encoding.clone();
        async move {
            let Some((mut pieces, mut encoder)) = state else {
                return Ok(None);
            };
            let Some(piece) = pieces.try_next().await? else {
                let last = encoder.finish();
                return Ok((!last.is_empty()).then_some((last, None)));
            };
            // The semaphore is never closed, and its holders wait for nothing else.
            let _turn = encoding.acquire().await;
            let text = encoder.encode(&piece);
            let sent = Bytes::from_owner(Encoded {
                text,
                _piece: piece,
            });
            Ok(Some((sent, Some((pieces, encoder)))))
        }
    })
}

/// The base64 of a piece, together with the piece.
///
/// The piece counts as held until its base64 is sent: blob readers reduce the memory of clients that don't
/// fetch what they requested.
struct Encoded {
    text: Bytes,
    _piece: Bytes,
}

impl AsRef<[u8]> for Encoded {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use ::base64::Engine as _;
    use ::base64::engine::general_purpose::STANDARD;
    use axum::body::to_bytes;

    use super::*;

    fn some(byte: u8, length: usize) -> impl Stream<Item = Result<Bytes, io::Error>> {
        let pieces = vec![byte; length];
        let pieces: Vec<_> = pieces.chunks(1000).map(Bytes::copy_from_slice).collect();
        stream::iter(pieces.into_iter().map(Ok))
    }

    #[tokio::test]
    async fn attachments_are_inserted_and_the_length_is_exact() {
        let attachments = Attachments::default();
        let places = [(1, 5000), (2, 0), (3, 1)].map(|(byte, length)| {
            let place = attachments.add(length, some(byte, usize::try_from(length).expect("few")));
            (
                place,
                STANDARD.encode(vec![byte; usize::try_from(length).expect("few")]),
            )
        });
        let [(one, one_is), (two, two_is), (three, three_is)] = &places;
        let answer = format!("[\"{one}\",\"{two}\",\"between\",\"{three}\"]");
        let encoding = Arc::new(Semaphore::new(1));
        let (length, body) = attachments
            .put_into(answer.into(), &encoding)
            .expect("places");
        let body = to_bytes(body, usize::MAX).await.expect("a body");
        let want = format!("[\"{one_is}\",\"{two_is}\",\"between\",\"{three_is}\"]");
        assert_eq!(body, want);
        assert_eq!(length, body.len() as u64);
    }

    #[tokio::test]
    async fn an_answer_without_a_placeholder_for_its_attachment_is_an_error() {
        let attachments = Attachments::default();
        attachments.add(1, some(1, 1));
        let encoding = Arc::new(Semaphore::new(1));
        assert!(attachments.put_into("{}".into(), &encoding).is_err());
    }

    #[tokio::test]
    async fn a_read_error_aborts_the_response() {
        let attachments = Attachments::default();
        let broken = stream::iter([
            Ok(Bytes::from_static(b"abc")),
            Err(io::Error::other("gone")),
        ]);
        let place = attachments.add(6, broken);
        let encoding = Arc::new(Semaphore::new(1));
        let (_, body) = attachments
            .put_into(place.into(), &encoding)
            .expect("a place");
        assert!(to_bytes(body, usize::MAX).await.is_err());
    }
}
