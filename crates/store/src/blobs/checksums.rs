//! Checksums of an object, which show a read whether the disk or the bucket returns what was written.

use std::ops::Range;

use bytes::Bytes;
use crc_fast::{CrcAlgorithm, Digest};

/// The bytes that share a checksum.
/// A read begins and ends between blocks, so with larger ones a range of a mebibyte would be read with much that
/// isn't wanted.
pub(super) const BLOCK: usize = 16 << 10;

/// The bytes of one checksum.
const WIDTH: usize = size_of::<u32>();

/// The CRC-32C (RFC 9260, appendix B) of each block of an object in turn, big-endian.
/// The last block may be shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checksums(Bytes);

impl Checksums {
    /// Of an object that consists of these pieces.
    pub fn of(pieces: &[Bytes]) -> Self {
        let length: usize = pieces.iter().map(Bytes::len).sum();
        let mut checksums = Vec::with_capacity(length.div_ceil(BLOCK) * WIDTH);
        let (mut digest, mut missing) = (new_digest(), BLOCK);
        for piece in pieces {
            let mut rest = &piece[..];
            while !rest.is_empty() {
                let (taken, later) = rest.split_at(missing.min(rest.len()));
                digest.update(taken);
                missing -= taken.len();
                rest = later;
                if missing == 0 {
                    checksums.extend(finish(&digest));
                    (digest, missing) = (new_digest(), BLOCK);
                }
            }
        }
        if missing < BLOCK {
            checksums.extend(finish(&digest));
        }
        Self(checksums.into())
    }

    /// As a row holds them.
    pub fn from_row(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }

    /// For a row.
    pub fn to_row(&self) -> Vec<u8> {
        self.0.to_vec()
    }

    /// Whether the object has these `bytes` from `start` on, which begins a block.
    /// They end with a block, or the object.
    pub(super) fn agree(&self, start: u64, bytes: &[u8]) -> bool {
        let Ok(start) = usize::try_from(start) else {
            return false;
        };
        let mut checksums = self.0.chunks_exact(WIDTH).skip(start / BLOCK);
        let agree = |block: &[u8]| {
            let mut digest = new_digest();
            digest.update(block);
            checksums.next() == Some(&finish(&digest))
        };
        start.is_multiple_of(BLOCK) && bytes.chunks(BLOCK).all(agree)
    }
}

/// The blocks that hold a range of an object of this length.
pub(super) fn blocks_of(range: &Range<u64>, length: u64) -> Range<u64> {
    let block = BLOCK as u64;
    let end = range.end.checked_next_multiple_of(block).unwrap_or(length);
    range.start / block * block..end.min(length).max(range.end)
}

fn new_digest() -> Digest {
    Digest::new(CrcAlgorithm::Crc32Iscsi)
}

fn finish(digest: &Digest) -> [u8; WIDTH] {
    // The algorithm has 32 bits: the upper half is zero.
    let [_, _, _, _, checksum @ ..] = digest.finalize().to_be_bytes();
    checksum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Up to three blocks and a byte.
    fn object() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(any::<u8>(), 0..=3 * BLOCK + 1)
    }

    #[test]
    fn the_checksum_is_that_of_the_rfc() {
        // RFC 3720, appendix B.4: 32 bytes of zeroes, and 32 that count up.
        for (bytes, want) in [
            (vec![0; 32], 0x8a91_36aa_u32),
            ((0..32).collect(), 0x46dd_794e),
        ] {
            let checksums = Checksums::of(&[Bytes::from(bytes)]);
            assert_eq!(checksums.to_row(), want.to_be_bytes());
        }
    }

    proptest! {
        #[test]
        fn every_range_of_blocks_agrees_however_the_object_was_cut(
            bytes in object(),
            cut in any::<prop::sample::Index>(),
            (from, to) in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            let at = cut.index(bytes.len() + 1);
            let whole = Bytes::from(bytes.clone());
            let checksums = Checksums::of(&[whole.slice(..at), whole.slice(at..)]);
            prop_assert_eq!(&checksums, &Checksums::of(&[whole]));
            let (from, to) = (from.index(bytes.len() + 1), to.index(bytes.len() + 1));
            let wanted = from.min(to)..from.max(to);
            let read = blocks_of(&(wanted.start as u64..wanted.end as u64), bytes.len() as u64);
            let place = |at: u64| usize::try_from(at).expect("small");
            let (start, end) = (place(read.start), place(read.end));
            prop_assert!(start <= wanted.start && wanted.end <= end);
            prop_assert!(checksums.agree(read.start, &bytes[start..end]));
        }

        #[test]
        fn a_flipped_bit_shows(
            mut bytes in object().prop_filter("bytes", |it| !it.is_empty()),
            at in any::<prop::sample::Index>(),
            bit in 0..8_u8,
        ) {
            let checksums = Checksums::of(&[Bytes::from(bytes.clone())]);
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(!checksums.agree(0, &bytes));
            let block = at / BLOCK * BLOCK;
            let end = bytes.len().min(block + BLOCK);
            prop_assert!(!checksums.agree(block as u64, &bytes[block..end]));
        }
    }

    #[test]
    fn bytes_behind_the_last_checksum_and_between_blocks_do_not_agree() {
        let bytes = vec![7; BLOCK + 1];
        let checksums = Checksums::of(&[Bytes::from(bytes.clone())]);
        assert!(!checksums.agree(0, &vec![7; 2 * BLOCK + 1]), "longer");
        assert!(!checksums.agree(1, &bytes[1..]), "within a block");
        assert!(!checksums.agree(u64::MAX, &bytes), "far behind");
        assert!(
            !Checksums::from_row(Vec::new()).agree(0, &bytes),
            "no checksums"
        );
    }
}
