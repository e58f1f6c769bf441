//! Objects in a row, read as if they were one: the chunks of a take, with its index in front or without.

use std::ops::Range;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};

use crate::blobs::{BlobError, Blobs, ObjectKey, ObjectPart};
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

/// The bytes of `range`, in order and in pieces, which are to be let go before long: [`Blobs::stream`].
pub(super) fn read(
    blobs: &Blobs,
    parts: &[Part],
    range: Range<u64>,
) -> BoxStream<'static, Result<Bytes, BlobError>> {
    blobs.stream(stream::iter(plan(parts, range).into_iter().map(Ok)))
}

/// Which parts of which objects make up `range`.
fn plan(parts: &[Part], range: Range<u64>) -> Vec<ObjectPart> {
    let parts = parts.iter().filter_map(|part| {
        let start = part.bytes.start;
        let (from, to) = (range.start.max(start), range.end.min(part.bytes.end));
        (from < to).then(|| ObjectPart {
            key: part.object.clone(),
            range: from - start..to - start,
        })
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let pieces = plan(&parts(lengths), range).into_iter();
        pieces
            .map(|it| (it.key.as_str().to_owned(), it.range))
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
