//! Pictures and videos within an answer.
//!
//! rmcp writes a whole answer into memory, copies it, and prints it into the log at its lowest level. So what
//! is large is kept out: where its base64 belongs the answer gets a placeholder, and while it is sent the
//! bytes take its place, a piece at a time. What is held of a recording is what its stream holds, and the
//! base64 of that.

use std::error::Error as StdError;
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt, TryStreamExt};
use memchr::memmem;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::base64::{Encoder, encoded_length};
use net::Revocation;

type BoxError = Box<dyn StdError + Send + Sync>;

/// What one answer holds places for. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Attachments {
    all: Arc<Mutex<Vec<Attachment>>>,
    revocation: Arc<OnceLock<Revocation>>,
}

struct Attachment {
    placeholder: String,
    /// How many there are before they are encoded.
    bytes: u64,
    pieces: BoxStream<'static, Result<Bytes, BoxError>>,
}

/// The answer as rmcp wrote it lacks a place for something.
#[derive(Debug, thiserror::Error)]
#[error("an answer has no place for what belongs in it")]
pub(super) struct NoPlace;

impl Attachments {
    /// Takes `bytes` bytes, and gives what to write where their base64 belongs. In the order of the answer.
    pub fn add<E: StdError + Send + Sync + 'static>(
        &self,
        bytes: u64,
        pieces: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    ) -> String {
        // Not to be guessed: nothing that somebody else wrote can stand for it.
        let placeholder = format!("attached-{:032x}", rand::random::<u128>());
        let attachment = Attachment {
            placeholder: placeholder.clone(),
            bytes,
            pieces: pieces.map_err(BoxError::from).boxed(),
        };
        self.all.lock().push(attachment);
        placeholder
    }

    /// Tells when they may no longer be sent: an answer has attachments of one video only.
    pub fn revocable(&self, revocation: Revocation) {
        self.revocation.get_or_init(|| revocation);
    }

    /// What the response that carries them must carry.
    pub fn revocation(&self) -> Option<Revocation> {
        self.revocation.get().cloned()
    }

    /// The answer with everything in its place, and its length. `encoding` bounds how many are encoded at the
    /// same moment: nobody holds it while a disk or a client takes its time.
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
                return Ok(Some((encoder.finish(), None)));
            };
            // It is never closed. And nobody has it who waits for anything else.
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

/// What goes out for a piece. Until it has, the piece counts as held: readers of blobs give those who don't
/// fetch what they asked for less and less to hold.
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

    use axum::body::to_bytes;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn some(byte: u8, length: usize) -> impl Stream<Item = Result<Bytes, io::Error>> {
        let pieces = vec![byte; length];
        let pieces: Vec<_> = pieces.chunks(1000).map(Bytes::copy_from_slice).collect();
        stream::iter(pieces.into_iter().map(Ok))
    }

    #[tokio::test]
    async fn every_attachment_takes_its_place_and_the_length_is_told() {
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
    async fn an_answer_without_a_place_for_what_belongs_in_it_is_none() {
        let attachments = Attachments::default();
        attachments.add(1, some(1, 1));
        let encoding = Arc::new(Semaphore::new(1));
        assert!(attachments.put_into("{}".into(), &encoding).is_err());
    }

    #[tokio::test]
    async fn what_breaks_while_it_is_sent_breaks_the_answer() {
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
