//! A block: one frame of a track, or several laced together (RFC 9559, section 10).

use std::ops::Range;

use mkv_element::Lacer;

use mkv_element::prelude::VInt64;

use super::element::{self, Begun, Head};

/// Enough for the head of every block, and the two bytes that tell how long Opus sounds.
const HEAD: u64 = 16;

/// Laces are taken whole up to this size, in bytes: they are made of short sounds. Of larger ones only the
/// track and the time are known.
const LARGEST_LACE: u64 = 64 * 1024;

/// What the beginning of a block says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub track: u64,
    /// After the cluster's, in ticks.
    pub time: i16,
    /// What a SimpleBlock says; in a BlockGroup the bit means nothing.
    pub keyframe: bool,
    /// Where the first frame lies within the block.
    pub first: Range<u64>,
    /// The frames as far as they are at hand: the beginning of the only one, or all of a lace.
    pub frames: Vec<&'a [u8]>,
}

/// What every block begins with.
struct Start<'a> {
    track: u64,
    time: i16,
    flags: u8,
    data: &'a [u8],
}

/// How many bytes of a block of this size [`Block::read`] needs, when its first ones are at hand.
pub(super) fn wanted(bytes: &[u8], size: u64) -> u64 {
    match Start::read(bytes) {
        Some(start) if size <= LARGEST_LACE && start.lacer().is_some() => size,
        _ => size.min(HEAD),
    }
}

/// Whether a block of this kind and size, with these first bytes, holds its own head once more instead of a frame.
///
/// WebKitGTK writes the first head behind a pause twice. The block is longer than it says by that, and what
/// follows it can't be found, by players neither.
pub(super) fn is_head_again(bytes: &[u8], id: VInt64, size: u64) -> bool {
    let Some((start, data)) = bytes.split_first_chunk::<4>() else {
        return false;
    };
    let Begun::Head(head) = Head::read(data) else {
        return false;
    };
    (head.id, head.size) == (id, Some(size)) && data[head.width..].starts_with(start)
}

impl<'a> Block<'a> {
    /// `None`: it makes no sense.
    pub(super) fn read(bytes: &'a [u8], size: u64) -> Option<Self> {
        let start = Start::read(bytes)?;
        let frames = match start.lacer() {
            None => vec![start.data],
            Some(_) if size > LARGEST_LACE => Vec::new(),
            // A lace of nothing: the crate would cut it into pieces of no bytes, and panic.
            Some(_) if start.data.len() < 2 => return None,
            Some(lacer) => lacer.delace(start.data).ok()?,
        };
        let first = match (start.lacer(), frames.first()) {
            (None, _) => (bytes.len() - start.data.len()) as u64..size,
            (Some(_), None) => size..size,
            (Some(_), Some(first)) => {
                // The frames of a lace lie at its end.
                let all: usize = frames.iter().map(|frame| frame.len()).sum();
                let begin = size.saturating_sub(all as u64);
                begin..begin.saturating_add(first.len() as u64)
            }
        };
        Some(Self {
            track: start.track,
            time: start.time,
            keyframe: start.flags & 0x80 != 0,
            first,
            frames,
        })
    }
}

impl<'a> Start<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (track, rest) = element::read_number(bytes)?;
        let ([high, low, flags], data) = rest.split_first_chunk()?;
        Some(Self {
            track,
            time: i16::from_be_bytes([*high, *low]),
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
        let wanted = usize::try_from(wanted(bytes, size)).expect("small");
        Block::read(&bytes[..wanted], size)
    }

    #[test]
    fn a_frame_is_found_behind_the_head_and_within_a_lace() {
        let frames: [&[u8]; 3] = [b"one", b"three", b"four"];
        for (flags, lacer) in [(2, Lacer::Xiph), (6, Lacer::Ebml)] {
            let bytes = [&[0x81, 0xff, 0xfe, flags][..], &lacer.lace(&frames)].concat();
            let block = read(&bytes).expect("a block");
            assert_eq!((block.track, block.time, block.keyframe), (1, -2, false));
            assert_eq!(block.frames, frames);
            let first = usize::try_from(block.first.start).expect("small");
            assert_eq!(&bytes[first..first + 3], b"one");
        }
        let fixed = read(&[0x40, 0x81, 0, 5, 0x84, 1, b'a', b'b']).expect("a block");
        assert_eq!(
            (fixed.track, fixed.first, fixed.keyframe),
            (0x81, 6..7, true)
        );
        let alone = [&[0x81, 0, 0, 0x80][..], &[7; 100]].concat();
        let alone = read(&alone).expect("a block");
        assert_eq!((alone.first, alone.frames), (4..104, vec![&[7; 12][..]]));
    }

    #[test]
    fn a_block_that_makes_no_sense_is_none() {
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
    fn of_a_large_lace_the_track_is_known_and_no_frame() {
        let bytes = [&[0x82, 0, 9, 2][..], &[0; 70_000]].concat();
        let block = read(&bytes).expect("a block");
        assert_eq!((block.track, block.time, block.frames.len()), (2, 9, 0));
        assert!(block.first.is_empty());
    }

    #[test]
    fn a_lace_of_64_kib_is_the_largest_that_is_taken_whole() {
        // Two frames of one size.
        let lace =
            |track: &[u8], frame: usize| [track, &[0, 0, 4, 1], &vec![7; 2 * frame]].concat();
        for (bytes, frames) in [(lace(&[0x40, 0x81], 32_765), 2), (lace(&[0x81], 32_766), 0)] {
            let size = bytes.len() as u64;
            let block = read(&bytes).expect("a block");
            assert_eq!(block.frames.len(), frames, "{size}");
            assert!(block.frames.iter().all(|frame| frame.len() == 32_765));
            assert_eq!(wanted(&bytes, size), if frames > 0 { size } else { HEAD });
        }
    }

    #[test]
    fn a_lace_of_one_byte_is_one_frame() {
        let bytes = [0x81, 0, 0, 4, 0, b'a'];
        let block = read(&bytes).expect("a block");
        assert_eq!((block.frames, block.first), (vec![&b"a"[..]], 5..6));
    }

    #[test]
    fn a_head_comes_again_only_if_all_of_it_does() {
        let id = VInt64::new(0x23);
        let again = |bytes: &[u8]| is_head_again(bytes, id, 100);
        assert!(again(&[
            0x81, 0, 9, 0x80, 0xa3, 0xe4, 0x81, 0, 9, 0x80, 1, 2
        ]));
        for (bytes, why) in [
            (&[0x81, 0, 9][..], "too short for a head"),
            (&[0x81, 0, 9, 0x80, 0xa3], "a head that is cut off"),
            (
                &[0x81, 0, 9, 0x80, 0xa3, 0xe4, 0x81, 0, 8, 0x80],
                "another time",
            ),
            (
                &[0x81, 0, 9, 0x80, 0xa3, 0xe5, 0x81, 0, 9, 0x80],
                "another size",
            ),
            (
                &[0x81, 0, 9, 0x80, 0xa1, 0xe4, 0x81, 0, 9, 0x80],
                "another kind",
            ),
        ] {
            assert!(!again(bytes), "{why}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_looked_at(
            flags: u8,
            data in proptest::collection::vec(any::<u8>(), 0..300),
        ) {
            let bytes = [&[0x81, 0, 0, flags][..], &data].concat();
            if let Some(block) = read(&bytes) {
                prop_assert!(block.first.start <= block.first.end);
                prop_assert!(block.first.end <= bytes.len() as u64);
            }
        }
    }
}
