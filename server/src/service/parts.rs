//! Objects in a row, read as if they were one: the chunks of a take, with its index in front or without.

use std::io::ErrorKind;
use std::ops::Range;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use tokio_util::task::AbortOnDropHandle;

use crate::blobs::{BlobError, Blobs, ObjectKey};
use crate::db::Chunk;

/// An object, and where in the whole its bytes belong.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) object: ObjectKey,
    pub(super) bytes: Range<u64>,
}

impl Part {
    /// A chunk of a recording that begins at `base` in the whole.
    pub(super) fn of(chunk: &Chunk, base: u64) -> Self {
        let start = base + super::takes::bytes(chunk.start);
        Self {
            object: ObjectKey::from_manifest(&chunk.object),
            bytes: start..start + super::takes::bytes(chunk.length),
        }
    }
}

/// Whether these parts hold every byte of `range`.
pub(super) fn cover(parts: &[Part], range: &Range<u64>) -> bool {
    let mut end = range.start;
    for part in parts {
        if part.bytes.start > end {
            return false;
        }
        end = end.max(part.bytes.end);
    }
    end >= range.end
}

/// The bytes of `range`, in order and in pieces, reading ahead as far as the store calls for.
pub(super) fn read(
    blobs: &Blobs,
    parts: &[Part],
    range: Range<u64>,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send + use<> {
    let (blobs, ahead) = (blobs.clone(), blobs.read_ahead());
    stream::iter(plan(parts, range, ahead.piece_bytes))
        .map(move |piece| {
            let blobs = blobs.clone();
            let read = async move { blobs.read(&piece.object, piece.range).await };
            // By itself: a read that is looked at only while the receiver takes something would hold on to
            // its connection to the store for as long as a player pauses.
            let read = AbortOnDropHandle::new(tokio::spawn(read));
            async move {
                read.await
                    .map_err(|_died| BlobError::Io(ErrorKind::Other))?
            }
        })
        .buffered(ahead.pieces)
}

/// A part of one object.
#[derive(Debug)]
struct Piece {
    object: ObjectKey,
    range: Range<u64>,
}

/// Which parts of which objects make up `range`, none larger than `most`.
fn plan(parts: &[Part], range: Range<u64>, most: u64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts {
        let start = part.bytes.start;
        let mut from = range.start.max(start);
        let to = range.end.min(part.bytes.end);
        while from < to {
            let until = to.min(from + most);
            pieces.push(Piece {
                object: part.object.clone(),
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

    const MOST: u64 = 100;

    fn parts(lengths: &[u64]) -> Vec<Part> {
        let mut start = 0;
        let part = |(index, length): (usize, &u64)| {
            let bytes = start..start + length;
            start = bytes.end;
            Part {
                object: ObjectKey::from_manifest(&format!("r/t/{index}")),
                bytes,
            }
        };
        lengths.iter().enumerate().map(part).collect()
    }

    fn planned(lengths: &[u64], range: Range<u64>) -> Vec<(String, Range<u64>)> {
        let pieces = plan(&parts(lengths), range, MOST).into_iter();
        pieces
            .map(|it| (it.object.as_str().to_owned(), it.range))
            .collect()
    }

    #[test]
    fn a_range_across_objects_takes_a_part_of_each() {
        let want = [("r/t/0", 7..10), ("r/t/1", 0..5), ("r/t/2", 0..1)];
        let want = want.map(|(object, range)| (object.to_owned(), range));
        assert_eq!(planned(&[10, 5, 10], 7..16), want);
    }

    #[test]
    fn a_range_within_an_object_leaves_the_others_alone() {
        assert_eq!(planned(&[10, 5, 10], 11..13), [("r/t/1".to_owned(), 1..3)]);
        assert_eq!(planned(&[10, 5, 10], 10..10), []);
    }

    #[test]
    fn a_large_object_is_read_piece_by_piece() {
        let want = [
            ("r/t/0".to_owned(), 1..MOST + 1),
            ("r/t/0".to_owned(), MOST + 1..MOST + 3),
        ];
        assert_eq!(planned(&[MOST * 4], 1..MOST + 3), want);
    }

    #[test]
    fn a_missing_object_shows() {
        let whole = parts(&[10, 5, 10]);
        let without = |index: usize| {
            let mut rest = whole.clone();
            rest.remove(index);
            rest
        };
        assert!(cover(&whole, &(0..25)));
        assert!(cover(&whole[1..2], &(11..14)));
        assert!(!cover(&whole, &(0..26)));
        for index in 0..3 {
            assert!(!cover(&without(index), &(0..25)), "{index}");
        }
    }
}
