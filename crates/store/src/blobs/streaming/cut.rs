//! Cuts the parts of objects into pieces: which bytes are read together, and which of them are wanted.

use std::ops::Range;

use futures_util::TryStreamExt;

use super::PartStream;
use super::pace::SMALL;
use crate::blobs::checksums::{BLOCK, blocks_of};
use crate::blobs::{BlobError, ObjectPart};

/// The most objects of one piece.
/// Limits the keys that a stream over very small objects holds at a time.
pub(super) const MAX_PARTS: usize = 256;

/// The remaining parts, to be cut into pieces.
pub(super) struct PartQueue {
    parts: PartStream,
    /// The rest of the current part.
    next: Option<ObjectPart>,
}

impl PartQueue {
    pub(super) fn new(parts: PartStream) -> Self {
        Self { parts, next: None }
    }

    pub(super) async fn has_more(&mut self) -> Result<bool, BlobError> {
        while self.next.as_ref().is_none_or(|it| it.range.is_empty()) {
            match self.parts.try_next().await? {
                Some(part) => self.next = Some(part),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Cuts the next piece of up to `size` bytes, which are at least [`SMALL`].
    ///
    /// A piece ends where an object ends, unless it would be smaller than [`SMALL`]: large objects are read by as few
    /// calls as possible, and small ones are combined. What isn't wanted of a block lies at an end of the piece.
    pub(super) async fn next_piece(&mut self, size: usize) -> Result<Cut, BlobError> {
        let mut cut = Cut::default();
        while cut.length < SMALL && cut.parts.len() < MAX_PARTS && self.has_more().await? {
            let Some(next) = &mut self.next else { break };
            if !cut.take(next, size) || cut.wanted.end < cut.length {
                break;
            }
        }
        Ok(cut)
    }
}

/// The parts of objects that make one piece.
#[derive(Debug, Default)]
pub(super) struct Cut {
    pub(super) parts: Vec<ObjectPart>,
    /// Their total length in bytes.
    pub(super) length: usize,
    /// The bytes of them that are wanted.
    /// The others complete a block, so that it can be compared with its checksum.
    pub(super) wanted: Range<usize>,
}

impl Cut {
    /// Takes as much of the beginning of `next` as makes a piece of up to `size` bytes.
    /// `false`: nothing, as the piece must end here.
    fn take(&mut self, next: &mut ObjectPart, size: usize) -> bool {
        let mut read = match &next.known {
            Some(known) => blocks_of(&next.range, known.length),
            None => next.range.clone(),
        };
        let room = (size - self.length) as u64;
        if read.end - read.start > room {
            let whole_blocks = room / BLOCK as u64 * BLOCK as u64;
            read.end = read.start + next.known.as_ref().map_or(room, |_| whole_blocks);
        }
        let front = next.range.start - read.start;
        if read.is_empty() || (front > 0 && self.length > 0) {
            return false;
        }
        let wanted_end = next.range.end.min(read.end);
        let start = self.length;
        self.parts.push(ObjectPart {
            range: read.clone(),
            ..next.clone()
        });
        self.length += self.parts[self.parts.len() - 1].length();
        let within = |at: u64| start + usize::try_from(at - read.start).unwrap_or(usize::MAX);
        if start == 0 {
            self.wanted.start = within(next.range.start);
        }
        self.wanted.end = within(wanted_end);
        next.range.start = wanted_end;
        true
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt, stream};
    use proptest::prelude::*;

    use super::*;
    use crate::blobs::streaming::pace::LARGE;
    use crate::blobs::{Checksums, KnownObject, ObjectKey};

    fn part(key: &str, range: Range<u64>) -> ObjectPart {
        ObjectPart {
            key: ObjectKey::from_manifest(key),
            range,
            known: None,
        }
    }

    /// A part of an object of this length whose checksums are known.
    fn known(key: &str, range: Range<u64>, length: u64) -> ObjectPart {
        let checksums = Checksums::of(&[]);
        ObjectPart {
            known: Some(KnownObject { length, checksums }),
            ..part(key, range)
        }
    }

    /// All pieces of up to `size` bytes.
    fn cut(parts: Vec<ObjectPart>, size: usize) -> Vec<Cut> {
        let mut queue = PartQueue::new(stream::iter(parts.into_iter().map(Ok)).boxed());
        let cut = async {
            let mut cuts = Vec::new();
            while queue.has_more().await.expect("parts") {
                cuts.push(queue.next_piece(size).await.expect("parts"));
            }
            cuts
        };
        cut.now_or_never().expect("parts that are there")
    }

    /// What is read for a piece, and what is wanted of it.
    type Shown<'a> = (Vec<(&'a str, Range<u64>)>, Range<usize>);

    fn shown(cuts: &[Cut]) -> Vec<Shown<'_>> {
        let mut shown = Vec::new();
        for cut in cuts {
            let parts = cut.parts.iter();
            let parts = parts.map(|it| (it.key.as_str(), it.range.clone()));
            shown.push((parts.collect(), cut.wanted.clone()));
        }
        shown
    }

    #[test]
    fn large_objects_are_cut_and_small_ones_are_gathered() {
        let large = LARGE as u64;
        let cuts = cut(
            vec![
                part("r/t/0", 1..large + 3),
                part("r/t/1", 7..9),
                part("r/t/2", 5..5),
                part("r/t/3", 0..large),
                part("r/t/4", 0..9),
            ],
            LARGE,
        );
        let rest = large - 4;
        let gathered = vec![
            ("r/t/0", large + 1..large + 3),
            ("r/t/1", 7..9),
            ("r/t/3", 0..rest),
        ];
        let want = [
            (vec![("r/t/0", 1..large + 1)], 0..LARGE),
            (gathered, 0..LARGE),
            (vec![("r/t/3", rest..large), ("r/t/4", 0..9)], 0..13),
        ];
        assert_eq!(shown(&cuts), want);
    }

    #[test]
    fn blocks_are_read_whole_and_what_is_not_wanted_lies_at_the_ends() {
        let block = BLOCK as u64;
        let cuts = cut(
            vec![
                known("r/t/0", block + 1..block + 5, 9 * block),
                known("r/t/1", 0..3, 3),
                known("r/t/2", 0..2 * block, 2 * block + 7),
                known("r/t/3", 0..2 * block + 1, 2 * block + 7),
            ],
            SMALL,
        );
        let gathered = vec![
            ("r/t/1", 0..3),
            ("r/t/2", 0..2 * block),
            ("r/t/3", 0..block),
        ];
        let want = [
            (vec![("r/t/0", block..2 * block)], 1..5),
            (gathered, 0..3 * BLOCK + 3),
            (vec![("r/t/3", block..2 * block + 7)], 0..BLOCK + 1),
        ];
        assert_eq!(shown(&cuts), want);
    }

    /// A part of an object, with or without checksums.
    fn any_part() -> impl Strategy<Value = ObjectPart> {
        let length = prop_oneof![1..100_usize, 1..5 * BLOCK, 1..3 * LARGE];
        let ends = any::<(prop::sample::Index, prop::sample::Index)>();
        (length, ends, any::<bool>()).prop_map(|(length, (from, to), is_known)| {
            let (from, to) = (from.index(length + 1), to.index(length + 1));
            let range = from.min(to) as u64..from.max(to) as u64;
            match is_known {
                true => known("r/t/0", range, length as u64),
                false => part("r/t/0", range),
            }
        })
    }

    proptest! {
        // Each compares up to two million bytes.
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_pieces_are_the_parts_in_their_order_and_in_whole_blocks(
            parts in prop::collection::vec(any_part(), 0..6),
            size in prop_oneof![Just(SMALL), Just(LARGE)],
        ) {
            let mut wanted = parts.iter().flat_map(|it| it.range.clone());
            for cut in cut(parts.clone(), size) {
                prop_assert!(cut.length <= size && !cut.wanted.is_empty());
                let mut read = Vec::new();
                for part in &cut.parts {
                    let known = part.known.as_ref();
                    let is_end = |at: u64, length| at.is_multiple_of(BLOCK as u64) || at == length;
                    let is_whole = known.is_none_or(|it| {
                        is_end(part.range.start, it.length) && is_end(part.range.end, it.length)
                    });
                    prop_assert!(is_whole, "{part:?}");
                    read.extend(part.range.clone());
                }
                prop_assert_eq!(read.len(), cut.length);
                for at in &read[cut.wanted] {
                    prop_assert_eq!(Some(*at), wanted.next());
                }
            }
            prop_assert_eq!(wanted.next(), None);
        }
    }
}
