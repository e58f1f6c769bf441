//! Streams of many objects in a row, as one: which bytes come next, and how many of them at a time.
//!
//! Where the objects lie differs in one thing only: how a range of one is read. In a folder, by the stream
//! itself ([`super::disk`]); from a bucket, by tasks of their own, several at a time ([`super::bucket`]).

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, TryStreamExt, stream};
use tokio_util::task::AbortOnDropHandle;

use super::disk::FileReader;
use super::local::Folder;
use super::pacing::{Pace, Piece, SMALL, StreamBudget};
use super::{BlobError, Blobs, ObjectPart, bucket};

/// The parts of objects that a stream consists of, in their order.
pub(super) type Parts = BoxStream<'static, Result<ObjectPart, BlobError>>;

/// Objects that one piece is gathered from, at most: of very small ones it names no more than these at a time.
const MOST_PARTS: usize = 256;

/// Pieces of one stream that are read from a bucket at a time, while there is budget.
const AHEAD: usize = 8;

/// In a bucket a piece costs a round trip, however small it is. So a client is tried with a mebibyte, the range that
/// clients usually ask for, in one round trip.
const BUCKET_TRIAL: usize = 4;

/// One stream.
struct ReadAhead {
    parts: PartQueue,
    pace: Pace,
    source: Source,
    /// Pieces that are being read, or wait to be sent.
    begun: VecDeque<AbortOnDropHandle<Result<Piece, BlobError>>>,
}

enum Source {
    Folder(FileReader),
    Bucket(Blobs),
}

/// The bytes of these parts, of objects in a folder.
pub(super) fn from_folder(
    folder: Arc<Folder>,
    budget: Arc<StreamBudget>,
    parts: Parts,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
    let source = Source::Folder(FileReader::new(folder));
    ReadAhead::new(source, Pace::new(budget, 0), parts).into_stream()
}

/// Likewise, of objects in a bucket.
pub(super) fn from_bucket(
    blobs: Blobs,
    budget: Arc<StreamBudget>,
    parts: Parts,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
    let source = Source::Bucket(blobs);
    ReadAhead::new(source, Pace::new(budget, BUCKET_TRIAL), parts).into_stream()
}

impl ReadAhead {
    fn new(source: Source, pace: Pace, parts: Parts) -> Self {
        Self {
            parts: PartQueue { parts, next: None },
            pace,
            source,
            begun: VecDeque::new(),
        }
    }

    fn into_stream(self) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
        stream::try_unfold(self, async |mut reading| {
            let piece = reading.next().await?;
            Ok(piece.map(|piece| (piece.send(), reading)))
        })
    }

    async fn next(&mut self) -> Result<Option<Piece>, BlobError> {
        while self.begun.len() < AHEAD && self.parts.has_more().await? {
            let reservation = match self.begun.len() {
                0 => self.pace.reserve().await,
                ahead => match self.pace.try_reserve_ahead(ahead) {
                    Some(reservation) => reservation,
                    None => break,
                },
            };
            let (parts, length) = self.parts.take(reservation.size()).await?;
            let piece = reservation.piece(length);
            match &mut self.source {
                // What the kernel has in memory is read at once: nothing is gained by reading ahead.
                Source::Folder(reader) => return reader.fill(piece, parts).await.map(Some),
                Source::Bucket(blobs) => {
                    let read = bucket::fill(blobs.clone(), piece, parts);
                    // By itself: a read that goes on only while the client takes something would hold on to
                    // its connection to the store for as long as a player pauses.
                    let read = AbortOnDropHandle::new(tokio::spawn(read));
                    self.begun.push_back(read);
                }
            }
        }
        let Some(read) = self.begun.pop_front() else {
            return Ok(None);
        };
        let piece = read.await;
        piece
            .map_err(|_panicked| BlobError::Io(ErrorKind::Other))?
            .map(Some)
    }
}

/// Parts, cut to the size of pieces.
struct PartQueue {
    parts: Parts,
    /// What is left of the part that was begun.
    next: Option<ObjectPart>,
}

impl PartQueue {
    async fn has_more(&mut self) -> Result<bool, BlobError> {
        while self.next.as_ref().is_none_or(|it| it.range.is_empty()) {
            match self.parts.try_next().await? {
                Some(part) => self.next = Some(part),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The parts of the next piece of up to `most` bytes, and how many it has.
    ///
    /// A piece ends with an object where that leaves it no smaller than [`SMALL`]: so large objects are read
    /// by as few calls as can be, and small ones are gathered.
    async fn take(&mut self, most: usize) -> Result<(Vec<ObjectPart>, usize), BlobError> {
        let (mut taken, mut length) = (Vec::new(), 0);
        while length < SMALL.min(most) && taken.len() < MOST_PARTS && self.has_more().await? {
            let Some(next) = &mut self.next else { break };
            let left = usize::try_from(next.range.end - next.range.start).unwrap_or(usize::MAX);
            let part_length = left.min(most - length);
            let end = next.range.start + part_length as u64;
            taken.push(ObjectPart {
                key: next.key.clone(),
                range: next.range.start..end,
            });
            next.range.start = end;
            length += part_length;
        }
        Ok((taken, length))
    }
}

#[cfg(test)]
mod tests;
