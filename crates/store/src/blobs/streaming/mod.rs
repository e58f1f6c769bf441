//! Streams over many objects in a row: which bytes come next, and how large the pieces are.
//!
//! A folder and a bucket differ only in how a range is read. In a folder the stream itself reads it
//! ([`super::local::read`]); from a bucket, tasks read several pieces at a time ([`super::s3`]).

mod buffer_pool;
mod cut;
pub(super) mod pace;

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, stream};
use tokio_util::task::AbortOnDropHandle;

use super::local::LocalFolder;
use super::local::read::FileReader;
use super::{BlobError, Blobs, ObjectPart, s3};
use cut::PartQueue;
use pace::{Pace, Piece, StreamBudget};

/// The parts of objects that a stream consists of, in order.
type PartStream = BoxStream<'static, Result<ObjectPart, BlobError>>;

/// The most pieces of one stream that are read from a bucket at a time, while the budget allows it.
const READ_AHEAD: usize = 8;

/// The large pieces that a new stream from a bucket may hold.
/// A piece costs a round trip, however small it is; five have a mebibyte, the range that clients usually request,
/// with the blocks at its ends, in one round trip.
const BUCKET_TRIAL_PIECES: usize = 5;

/// One stream, with the pieces that are being read.
struct ReadAhead {
    parts: PartQueue,
    pace: Pace,
    source: Source,
    /// Pieces from a bucket that are being read, or wait to be sent.
    begun: VecDeque<AbortOnDropHandle<Result<Piece, BlobError>>>,
}

enum Source {
    Local(FileReader),
    S3(Blobs),
}

/// Streams parts of objects in a folder.
pub(super) fn from_folder(
    folder: Arc<LocalFolder>,
    budget: Arc<StreamBudget>,
    parts: PartStream,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
    let source = Source::Local(FileReader::new(folder));
    ReadAhead::new(source, Pace::new(budget, 0), parts).into_stream()
}

/// Streams parts of objects in a bucket.
pub(super) fn from_bucket(
    blobs: Blobs,
    budget: Arc<StreamBudget>,
    parts: PartStream,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
    let source = Source::S3(blobs);
    ReadAhead::new(source, Pace::new(budget, BUCKET_TRIAL_PIECES), parts).into_stream()
}

impl ReadAhead {
    fn new(source: Source, pace: Pace, parts: PartStream) -> Self {
        Self {
            parts: PartQueue::new(parts),
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
        while self.begun.len() < READ_AHEAD && self.parts.has_more().await? {
            let reservation = match self.begun.len() {
                0 => self.pace.reserve().await,
                ahead => match self.pace.try_reserve_ahead(ahead) {
                    Some(reservation) => reservation,
                    None => break,
                },
            };
            let cut = self.parts.next_piece(reservation.size()).await?;
            let (parts, piece) = (cut.parts, reservation.piece(cut.length, cut.wanted));
            match &mut self.source {
                // Without reading ahead, which gains nothing where the kernel caches the file.
                Source::Local(reader) => return reader.fill(piece, parts).await.map(Some),
                Source::S3(blobs) => {
                    let read = s3::fill(blobs.clone(), piece, parts);
                    // In a task: a read that is only polled while the client reads would occupy its connection to the
                    // store for as long as a player pauses.
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

#[cfg(test)]
mod tests;
