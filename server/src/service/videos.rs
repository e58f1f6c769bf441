//! Reading a submitted video: a plan over its chunks, and a stream that follows the plan.

use std::ops::Range;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use tracing::warn;

use super::access::{self, Current};
use super::live::Watch;
use super::takes::bytes;
use super::{App, Error};
use crate::blobs::{BlobError, ObjectKey};
use crate::db::Chunk;
use crate::id::AccessToken;
use crate::media::Container;

/// Bytes read at a time. A stream holds two such pieces: the one being sent and the next.
const PIECE_BYTES: u64 = 512 << 10;

/// A video that its creator may watch, now.
pub struct Video {
    app: App,
    watch: Watch,
    chunks: Vec<Chunk>,
    /// How many bytes it has.
    pub length: u64,
    /// What it is.
    pub container: Container,
    /// Changes when the bytes do, which is never: the id of a video names one sequence of bytes.
    pub etag: String,
}

/// Finds the holder's video. [`Error::Gone`] once its time is over.
pub async fn open(app: &App, token: Option<AccessToken>, id: &str) -> Result<Video, Error> {
    let current = access::holder(app, token.clone())
        .await?
        .video(app, id)
        .await?;
    if let Some(video) = load(app, &current).await? {
        return Ok(video);
    }
    // Its rows go when it is deleted or swept: then a second look says which of the two it was.
    access::holder(app, token).await?.video(app, id).await?;
    Err(Error::Corrupt)
}

/// `None`: its manifest isn't there, or not all of it.
async fn load(app: &App, current: &Current) -> Result<Option<Video>, Error> {
    let row = current.row();
    // From before the look at the manifest: a removal that comes now is noticed.
    let watch = app.live.watch(&row.id);
    let (Some(video), Some(take)) = (&row.video_id, &row.take_id) else {
        return Err(Error::Corrupt);
    };
    let Some(take) = app.db.take_get(&row.id, take).await? else {
        return Ok(None);
    };
    let chunks = app.db.take_chunks(&take.id).await?;
    if chunks.iter().map(|chunk| chunk.length).sum::<i64>() != take.committed {
        return Ok(None);
    }
    Ok(Some(Video {
        app: app.clone(),
        watch,
        chunks,
        length: bytes(take.committed),
        container: take
            .container
            .as_deref()
            .and_then(Container::from_media_type)
            .ok_or(Error::Corrupt)?,
        etag: format!("\"{video}\""),
    }))
}

impl Video {
    /// The bytes of `range`, which must lie within the video.
    pub fn stream(self, range: Range<u64>) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
        let pieces = plan(&self.chunks, range);
        let (blobs, watch) = (self.app.blobs, self.watch);
        let read = stream::iter(pieces)
            .map(move |piece| {
                let blobs = blobs.clone();
                async move {
                    let read = blobs.read(&piece.object, piece.range).await;
                    // The answer has begun, so a failure can only cut it short: nobody else would tell.
                    read.inspect_err(|error| {
                        warn!(error = error as &dyn std::error::Error, "a stream broke")
                    })
                }
            })
            .buffered(2);
        // What was read ahead must not go out after the end either.
        read.map(move |piece| match watch.is_cut() {
            false => piece,
            true => Err(BlobError::Cut),
        })
    }
}

/// A part of one object.
#[derive(Debug)]
struct Piece {
    object: ObjectKey,
    range: Range<u64>,
}

/// Which parts of which objects make up `range`, none larger than [`PIECE_BYTES`].
fn plan(chunks: &[Chunk], range: Range<u64>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for chunk in chunks {
        let start = bytes(chunk.start);
        let end = start + bytes(chunk.length);
        let mut from = range.start.max(start);
        let to = range.end.min(end);
        while from < to {
            let until = to.min(from + PIECE_BYTES);
            pieces.push(Piece {
                object: ObjectKey::from_manifest(&chunk.object),
                range: from - start..until - start,
            });
            from = until;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TakeId;

    fn manifest(lengths: &[u64]) -> Vec<Chunk> {
        let take_id = TakeId::random();
        let mut start = 0;
        let chunk = |(index, length): (usize, &u64)| {
            let length = i64::try_from(*length).expect("small");
            let chunk = Chunk {
                take_id: take_id.clone(),
                start,
                length,
                object: format!("r/t/{index}"),
            };
            start += length;
            chunk
        };
        lengths.iter().enumerate().map(chunk).collect()
    }

    fn planned(lengths: &[u64], range: Range<u64>) -> Vec<(String, Range<u64>)> {
        let pieces = plan(&manifest(lengths), range);
        let parts = pieces.into_iter();
        parts
            .map(|it| (it.object.as_str().to_owned(), it.range))
            .collect()
    }

    #[test]
    fn a_range_across_chunks_takes_a_part_of_each() {
        let want = [("r/t/0", 7..10), ("r/t/1", 0..5), ("r/t/2", 0..1)];
        let want = want.map(|(object, range)| (object.to_owned(), range));
        assert_eq!(planned(&[10, 5, 10], 7..16), want);
    }

    #[test]
    fn a_range_within_a_chunk_leaves_the_others_alone() {
        assert_eq!(planned(&[10, 5, 10], 11..13), [("r/t/1".to_owned(), 1..3)]);
        assert_eq!(planned(&[10, 5, 10], 10..10), []);
    }

    #[test]
    fn a_large_chunk_is_read_piece_by_piece() {
        let want = [
            ("r/t/0".to_owned(), 1..PIECE_BYTES + 1),
            ("r/t/0".to_owned(), PIECE_BYTES + 1..PIECE_BYTES + 3),
        ];
        assert_eq!(planned(&[PIECE_BYTES * 4], 1..PIECE_BYTES + 3), want);
    }
}
