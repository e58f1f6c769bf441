//! Reads several objects as one: the chunks of a take, with or without the index in front.
//!
//! The client decides how many chunks a take has. So their rows are queried window by window while the stream is read,
//! and a stalled stream holds no more than one window of them.

use std::ops::Range;
use std::vec;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};

use crate::blobs::{BlobError, Blobs, Checksums, KnownObject, ObjectKey, ObjectPart};
use crate::db::{Chunk, Db, Seal};
use crate::id::TakeId;
use crate::service::Error;

/// The objects that hold the bytes of a video or of a recording.
#[derive(Clone)]
pub(in crate::service) struct Extents {
    db: Db,
    take: TakeId,
    index: Option<String>,
    /// Offset at which the recording begins: the length of the index.
    base: u64,
}

impl Extents {
    /// Extents of a recording as it was uploaded.
    pub(in crate::service) fn of_recording(db: &Db, take: &TakeId) -> Self {
        Self {
            db: db.clone(),
            take: take.clone(),
            index: None,
            base: 0,
        }
    }

    /// Extents of a video as it is served: `[index][recording]`.
    pub(in crate::service) fn of_video(db: &Db, take: &TakeId, seal: Option<&Seal>) -> Self {
        Self {
            index: seal.and_then(|seal| seal.index_object.clone()),
            base: seal.map_or(0, |seal| seal.index_length),
            ..Self::of_recording(db, take)
        }
    }

    /// Streams the bytes of `range` in order. The consumer must drop each piece soon: [`Blobs::stream`].
    ///
    /// Returns [`Error::Corrupt`] if the manifest doesn't name the objects that hold the first bytes. If later ones are
    /// missing, the stream ends with [`BlobError::Gap`]: to query all of them first would take time and memory in
    /// proportion to their number.
    pub(in crate::service) async fn open(
        self,
        blobs: &Blobs,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, Error> {
        let first = self.window(&range).await?;
        let mut pieces = blobs.stream(self.parts_from(first, range));
        // The first one before the answer begins: later a store that is away could only cut it off.
        let first = pieces.try_next().await?;
        Ok(stream::iter(first.map(Ok)).chain(pieces).boxed())
    }

    /// Streams the bytes of `range` in order. Any missing object ends the stream with an error.
    pub(in crate::service) fn read(
        self,
        blobs: &Blobs,
        range: Range<u64>,
    ) -> BoxStream<'static, Result<Bytes, BlobError>> {
        blobs.stream(self.parts(range))
    }

    /// The parts of objects that hold `range`.
    pub(in crate::service) fn parts(
        self,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<ObjectPart, BlobError>> + Send + 'static {
        self.parts_from(Vec::new(), range)
    }

    /// Yields the parts in `window`, which cover the beginning of `range`, and then the rest.
    fn parts_from(
        self,
        window: Vec<ObjectPart>,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<ObjectPart, BlobError>> + Send + 'static {
        let state = (self, window.into_iter(), range);
        stream::try_unfold(state, |(layout, mut window, mut range)| async move {
            if window.len() == 0 {
                window = layout.next_window(&range).await?;
            }
            Ok(window.next().map(|part| {
                range.start += part.range.end - part.range.start;
                (part, (layout, window, range))
            }))
        })
    }

    async fn next_window(
        &self,
        range: &Range<u64>,
    ) -> Result<vec::IntoIter<ObjectPart>, BlobError> {
        match self.window(range).await {
            Ok(window) => Ok(window.into_iter()),
            Err(Error::Corrupt) => Err(BlobError::Gap),
            Err(error) => Err(BlobError::Manifest(Box::new(error))),
        }
    }

    /// Queries the parts that cover the beginning of `range`, or all of it if they are few.
    async fn window(&self, range: &Range<u64>) -> Result<Vec<ObjectPart>, Error> {
        let mut parts = Vec::new();
        let (index, recording) = split(range, self.base);
        if !index.is_empty() {
            let object = self.index.as_deref().ok_or(Error::Corrupt)?;
            let checksums = self.db.seal_index_checksums(&self.take).await?;
            parts.push(ObjectPart {
                range: index,
                ..whole_object(object, self.base, checksums)
            });
        }
        if !recording.is_empty() {
            let chunks = self.db.take_chunks(&self.take, recording.clone()).await?;
            parts.extend(join(&chunks, &recording).ok_or(Error::Corrupt)?);
        }
        Ok(parts)
    }
}

/// The whole object of a chunk.
pub(in crate::service) fn object_of(chunk: &Chunk) -> ObjectPart {
    whole_object(&chunk.object, chunk.length, chunk.checksums.clone())
}

fn whole_object(object: &str, length: u64, checksums: Option<Vec<u8>>) -> ObjectPart {
    ObjectPart {
        key: ObjectKey::from_manifest(object),
        range: 0..length,
        known: checksums.map(|checksums| KnownObject {
            length,
            checksums: Checksums::from_row(checksums),
        }),
    }
}

/// Splits a range of `[index][recording]` into one of the index and one of the recording.
///
/// The latter is relative to the start of the recording.
fn split(range: &Range<u64>, base: u64) -> (Range<u64>, Range<u64>) {
    let of_index = range.start.min(base)..range.end.min(base);
    let of_recording = range.start.saturating_sub(base)..range.end.saturating_sub(base);
    (of_index, of_recording)
}

/// The parts of `chunks` that hold `range`, from its start on.
///
/// `None`: its first byte is missing, or there is a gap between two chunks.
fn join(chunks: &[Chunk], range: &Range<u64>) -> Option<Vec<ObjectPart>> {
    let mut at = range.start;
    let mut parts = Vec::new();
    for chunk in chunks {
        let start = chunk.start;
        let end = start + chunk.length;
        if !(start..end).contains(&at) {
            return None;
        }
        let to = end.min(range.end);
        parts.push(ObjectPart {
            range: at - start..to - start,
            ..object_of(chunk)
        });
        at = to;
    }
    (at > range.start).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(lengths: &[u64]) -> Vec<Chunk> {
        let take = TakeId::random();
        let mut start = 0;
        let chunk = |(index, &length): (usize, &u64)| {
            start += length;
            Chunk {
                take_id: take.clone(),
                start: start - length,
                length,
                object: format!("r/t/{index}"),
                committed_at: None,
                checksums: None,
            }
        };
        lengths.iter().enumerate().map(chunk).collect()
    }

    fn joined(chunks: &[Chunk], range: Range<u64>) -> Option<Vec<(String, Range<u64>)>> {
        let parts = join(chunks, &range)?.into_iter();
        let shown = parts.map(|it| (it.key.as_str().to_owned(), it.range));
        Some(shown.collect())
    }

    #[test]
    fn a_range_across_objects_takes_a_part_of_each() {
        let want = [("r/t/0", 7..10), ("r/t/1", 0..5), ("r/t/2", 0..1)];
        let want = want.map(|(object, range)| (object.to_owned(), range));
        assert_eq!(joined(&chunks(&[10, 5, 10]), 7..16), Some(want.into()));
    }

    #[test]
    fn a_range_within_an_object_is_one_part_of_it() {
        let want = Some(vec![("r/t/1".to_owned(), 1..3)]);
        assert_eq!(joined(&chunks(&[10, 5, 10])[1..2], 11..13), want);
    }

    #[test]
    fn a_window_may_end_before_the_range_does() {
        let want = Some(vec![("r/t/0".to_owned(), 5..10)]);
        assert_eq!(joined(&chunks(&[10, 5, 10])[..1], 5..25), want);
    }

    #[test]
    fn a_missing_object_shows() {
        let whole = chunks(&[10, 5, 10]);
        assert!(joined(&whole, 0..25).is_some());
        assert!(joined(&whole[1..], 0..25).is_none(), "the first byte");
        let gap = [whole[0].clone(), whole[2].clone()];
        assert!(joined(&gap, 0..25).is_none(), "between two");
        assert!(joined(&whole[2..], 25..26).is_none(), "behind the last");
        assert!(joined(&[], 0..1).is_none());
    }

    #[test]
    fn the_index_is_in_front_of_the_recording() {
        for (range, index, recording) in [
            (0..5, 0..5, 0..0),
            (5..15, 5..10, 0..5),
            (10..15, 10..10, 0..5),
            (12..15, 10..10, 2..5),
        ] {
            assert_eq!(split(&range, 10), (index, recording), "{range:?}");
        }
    }
}
