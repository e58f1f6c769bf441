//! Blocks: one frame of a track, or several laced together (RFC 9559, section 10).

use std::ops::Range;

use mkv_element::Lacer;
use mkv_element::prelude::VInt64;

use super::element::{Header, ParsedHeader, read_vint};

/// Enough for the header of any block, and the two bytes that state the duration of an Opus packet.
const HEADER_BYTES: u64 = 16;

/// Maximum size of a laced block that is buffered as a whole, in bytes: laces consist of short audio frames.
///
/// Of a larger one only the track and the timestamp are read.
const MAX_LACED_BLOCK: u64 = 64 * 1024;

/// What the beginning of a block says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub track: u64,
    /// Relative to the timestamp of the Cluster, in ticks.
    pub timestamp: i16,
    /// The keyframe flag of a SimpleBlock. In a BlockGroup it has no meaning.
    pub is_keyframe: bool,
    /// Whether it is decoded and not shown.
    pub is_invisible: bool,
    /// Where the first frame lies within the block.
    pub first_frame: Range<u64>,
    /// The beginning of the only frame, or all frames of a lace. Empty: a lace that is too large.
    pub frames: Vec<&'a [u8]>,
}

/// The header of a block.
struct BlockHeader<'a> {
    track: u64,
    timestamp: i16,
    flags: u8,
    /// What follows the header.
    data: &'a [u8],
}

/// The number of bytes that [`Block::read`] needs of a block of this size, by its first bytes.
pub(super) fn bytes_needed(bytes: &[u8], size: u64) -> u64 {
    match BlockHeader::read(bytes) {
        Some(header) if size <= MAX_LACED_BLOCK && header.lacer().is_some() => size,
        _ => size.min(HEADER_BYTES),
    }
}

/// Whether a block element with this id, size and first bytes contains a copy of its own headers instead of a frame.
///
/// WebKitGTK writes the first headers behind a pause twice. The block is longer by that than its size says, so neither
/// this parser nor a player finds what follows it.
pub(super) fn repeats_headers(bytes: &[u8], id: VInt64, size: u64) -> bool {
    let Some((block_header, data)) = bytes.split_first_chunk::<4>() else {
        return false;
    };
    let ParsedHeader::Complete(header) = Header::read(data) else {
        return false;
    };
    (header.id, header.size) == (id, Some(size)) && data[header.width..].starts_with(block_header)
}

impl<'a> Block<'a> {
    /// Reads the beginning of a block of this size. `None`: it is malformed.
    pub(super) fn read(bytes: &'a [u8], size: u64) -> Option<Self> {
        let header = BlockHeader::read(bytes)?;
        let frames = match header.lacer() {
            None => vec![header.data],
            Some(_) if size > MAX_LACED_BLOCK => Vec::new(),
            // Without a frame `mkv_element` would divide the lace into frames of no bytes, and panic.
            Some(_) if header.data.len() < 2 => return None,
            Some(lacer) => lacer.delace(header.data).ok()?,
        };
        let first_frame = match (header.lacer(), frames.first()) {
            (None, _) => (bytes.len() - header.data.len()) as u64..size,
            (Some(_), None) => size..size,
            (Some(_), Some(first)) => {
                // The frames of a lace are at its end.
                let all: usize = frames.iter().map(|frame| frame.len()).sum();
                let begin = size.saturating_sub(all as u64);
                begin..begin.saturating_add(first.len() as u64)
            }
        };
        Some(Self {
            track: header.track,
            timestamp: header.timestamp,
            is_keyframe: header.flags & 0x80 != 0,
            is_invisible: header.flags & 0x08 != 0,
            first_frame,
            frames,
        })
    }
}

impl<'a> BlockHeader<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (track, rest) = read_vint(bytes)?;
        let ([high, low, flags], data) = rest.split_first_chunk()?;
        Some(Self {
            track,
            timestamp: i16::from_be_bytes([*high, *low]),
            flags: *flags,
            data,
        })
    }

    fn lacer(&self) -> Option<Lacer> {
        match self.flags >> 1 & 3 {
            0 => None,
            1 => Some(Lacer::Xiph),
            2 => Some(Lacer::FixedSize),
            _ => Some(Lacer::Ebml),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8]) -> Option<Block<'_>> {
        let size = bytes.len() as u64;
        let needed = usize::try_from(bytes_needed(bytes, size)).expect("small");
        Block::read(&bytes[..needed], size)
    }

    #[test]
    fn a_frame_is_found_behind_the_header_and_within_a_lace() {
        let frames: [&[u8]; 3] = [b"one", b"three", b"four"];
        for (flags, lacer) in [(2, Lacer::Xiph), (6, Lacer::Ebml)] {
            let bytes = [&[0x81, 0xff, 0xfe, flags][..], &lacer.lace(&frames)].concat();
            let block = read(&bytes).expect("a block");
            assert_eq!(
                (block.track, block.timestamp, block.is_keyframe),
                (1, -2, false)
            );
            assert_eq!(block.frames, frames);
            let first = usize::try_from(block.first_frame.start).expect("small");
            assert_eq!(&bytes[first..first + 3], b"one");
        }
        let fixed = read(&[0x40, 0x81, 0, 5, 0x84, 1, b'a', b'b']).expect("a block");
        assert_eq!(
            (fixed.track, fixed.first_frame, fixed.is_keyframe),
            (0x81, 6..7, true)
        );
        let alone = [&[0x81, 0, 0, 0x80][..], &[7; 100]].concat();
        let alone = read(&alone).expect("a block");
        assert_eq!(
            (alone.first_frame, alone.frames),
            (4..104, vec![&[7; 12][..]])
        );
    }

    #[test]
    fn malformed_blocks_are_rejected() {
        for bytes in [
            &[][..],
            &[0x81, 0, 0],
            &[0x00, 0, 0, 0],
            &[0x81, 0, 0, 4],
            &[0x81, 0, 0, 4, 0],
            &[0x81, 0, 0, 4, 7, 1],
            &[0x81, 0, 0, 2, 3, 255, 255],
            &[0x81, 0, 0, 6, 2, 0x01, 0xff, 0xff],
        ] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn a_large_lace_has_a_track_and_no_frames() {
        let bytes = [&[0x82, 0, 9, 2][..], &[0; 70_000]].concat();
        let block = read(&bytes).expect("a block");
        assert_eq!(
            (block.track, block.timestamp, block.frames.len()),
            (2, 9, 0)
        );
        assert!(block.first_frame.is_empty());
    }

    #[test]
    fn a_lace_of_64_kib_is_the_largest_that_is_buffered() {
        // Two frames of one size.
        let lace =
            |track: &[u8], frame: usize| [track, &[0, 0, 4, 1], &vec![7; 2 * frame]].concat();
        for (bytes, frames) in [(lace(&[0x40, 0x81], 32_765), 2), (lace(&[0x81], 32_766), 0)] {
            let size = bytes.len() as u64;
            let block = read(&bytes).expect("a block");
            assert_eq!(block.frames.len(), frames, "{size}");
            assert!(block.frames.iter().all(|frame| frame.len() == 32_765));
            assert_eq!(
                bytes_needed(&bytes, size),
                if frames > 0 { size } else { HEADER_BYTES }
            );
        }
    }

    #[test]
    fn a_one_byte_lace_has_one_frame() {
        let bytes = [0x81, 0, 0, 4, 0, b'a'];
        let block = read(&bytes).expect("a block");
        assert_eq!((block.frames, block.first_frame), (vec![&b"a"[..]], 5..6));
    }

    #[test]
    fn headers_repeat_only_if_all_match() {
        let id = VInt64::new(0x23);
        let repeats = |bytes: &[u8]| repeats_headers(bytes, id, 100);
        assert!(repeats(&[
            0x81, 0, 9, 0x80, 0xa3, 0xe4, 0x81, 0, 9, 0x80, 1, 2
        ]));
        for (bytes, why) in [
            (&[0x81, 0, 9][..], "too short for a header"),
            (&[0x81, 0, 9, 0x80, 0xa3], "a header that is cut off"),
            (
                &[0x81, 0, 9, 0x80, 0xa3, 0xe4, 0x81, 0, 8, 0x80],
                "another timestamp",
            ),
            (
                &[0x81, 0, 9, 0x80, 0xa3, 0xe5, 0x81, 0, 9, 0x80],
                "another size",
            ),
            (
                &[0x81, 0, 9, 0x80, 0xa1, 0xe4, 0x81, 0, 9, 0x80],
                "another id",
            ),
        ] {
            assert!(!repeats(bytes), "{why}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            flags: u8,
            data in proptest::collection::vec(any::<u8>(), 0..300),
        ) {
            let bytes = [&[0x81, 0, 0, flags][..], &data].concat();
            if let Some(block) = read(&bytes) {
                prop_assert!(block.first_frame.start <= block.first_frame.end);
                prop_assert!(block.first_frame.end <= bytes.len() as u64);
            }
        }
    }
}
