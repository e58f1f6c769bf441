//! H.264 and H.265 as a byte stream: from the length-prefixed NAL units of MP4 and Matroska
//! (ISO/IEC 14496-15, sections 5.3 and 8.3) to start codes (ITU-T H.264 and H.265, annex B), which is
//! what decoders read.

const START_CODE: [u8; 4] = [0, 0, 0, 1];

/// One coded picture of H.264 with the parameter sets of its `avcC`, if there is one, in front. Sets in
/// the picture itself (`avc3`) follow and win. `None`: it isn't what it says.
pub(super) fn h264(avcc: &[u8], frame: &[u8]) -> Option<Vec<u8>> {
    let mut units = Vec::new();
    let width = if begins_with_start_code(avcc) {
        units.extend_from_slice(avcc);
        4
    } else if avcc.is_empty() {
        4
    } else {
        let mut record = Cursor(avcc);
        // Version, profile, compatibility, level.
        record.take(4)?;
        let width = usize::from(record.byte()? & 3) + 1;
        let sequence_sets = record.byte()? & 31;
        record.sets(sequence_sets.into(), &mut units)?;
        let picture_sets = record.byte()?;
        record.sets(picture_sets.into(), &mut units)?;
        width
    };
    append(frame, width, units)
}

/// Likewise of H.265, with its `hvcC`.
pub(super) fn h265(hvcc: &[u8], frame: &[u8]) -> Option<Vec<u8>> {
    let mut units = Vec::new();
    let width = if begins_with_start_code(hvcc) {
        units.extend_from_slice(hvcc);
        4
    } else if hvcc.is_empty() {
        4
    } else {
        let mut record = Cursor(hvcc);
        record.take(21)?;
        let width = usize::from(record.byte()? & 3) + 1;
        for _ in 0..record.byte()? {
            let _kind = record.byte()?;
            let sets = record.short()?;
            record.sets(sets, &mut units)?;
        }
        width
    };
    append(frame, width, units)
}

/// The NAL units of a byte stream, without their start codes.
#[cfg(any(feature = "openh264", test))]
pub(super) fn units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = stream;
    std::iter::from_fn(move || {
        let begin = start(rest)? + 3;
        let unit = rest.get(begin..)?;
        let end = start(unit).unwrap_or(unit.len());
        let (unit, next) = unit.split_at_checked(end)?;
        rest = next;
        // Of the next start code, or padding: no NAL unit ends with a zero.
        let end = unit.iter().rposition(|byte| *byte != 0);
        Some(end.map_or(&[][..], |end| unit.get(..=end).unwrap_or_default()))
    })
    .filter(|unit| !unit.is_empty())
}

#[cfg(any(feature = "openh264", test))]
fn start(stream: &[u8]) -> Option<usize> {
    stream.windows(3).position(|bytes| bytes == [0, 0, 1])
}

fn begins_with_start_code(bytes: &[u8]) -> bool {
    bytes.starts_with(&START_CODE) || bytes.starts_with(&[0, 0, 1])
}

fn append(frame: &[u8], width: usize, units: Vec<u8>) -> Option<Vec<u8>> {
    // A unit of some 300 bytes has a length that looks like a start code: lengths that lead exactly to the
    // end decide.
    let lengths = append_prefixed(frame, width, units.clone());
    lengths.or_else(|| begins_with_start_code(frame).then(|| [units, frame.to_vec()].concat()))
}

fn append_prefixed(frame: &[u8], width: usize, mut units: Vec<u8>) -> Option<Vec<u8>> {
    let mut frame = Cursor(frame);
    while !frame.0.is_empty() {
        let bytes = frame.take(width)?.iter();
        let length = bytes.fold(0_usize, |length, byte| length << 8 | usize::from(*byte));
        push(frame.take(length)?, &mut units);
    }
    Some(units)
}

fn push(unit: &[u8], units: &mut Vec<u8>) {
    units.extend_from_slice(&START_CODE);
    units.extend_from_slice(unit);
}

/// What is not read yet.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn short(&mut self) -> Option<u16> {
        self.take(2)?.first_chunk().copied().map(u16::from_be_bytes)
    }

    fn sets(&mut self, count: u16, units: &mut Vec<u8>) -> Option<()> {
        for _ in 0..count {
            let length = self.short()?;
            push(self.take(length.into())?, units);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AVCC: &[u8] = &[
        1, 0x42, 0xc0, 0x1e, 0xff, 0xe1, 0, 2, 0x67, 0x42, 1, 0, 1, 0x68,
    ];

    #[test]
    fn parameter_sets_come_first_and_every_unit_gets_a_start_code() {
        let frame = [0, 0, 0, 2, 0x65, 9, 0, 0, 0, 1, 6];
        let stream = h264(AVCC, &frame).expect("a stream");
        let found: Vec<&[u8]> = units(&stream).collect();
        assert_eq!(found, [&[0x67, 0x42][..], &[0x68], &[0x65, 9], &[6]]);
    }

    #[test]
    fn lengths_may_have_fewer_bytes() {
        let mut avcc = AVCC.to_vec();
        avcc[4] = 0xfd;
        let stream = h264(&avcc, &[0, 2, 0x65, 9]).expect("a stream");
        assert_eq!(units(&stream).last(), Some(&[0x65, 9][..]));
    }

    #[test]
    fn the_arrays_of_an_hvcc_are_read() {
        let mut hvcc = vec![1; 21];
        hvcc.extend_from_slice(&[3, 2, 0x20, 0, 1, 0, 2, 0x40, 1, 0x21, 0, 1, 0, 2, 0x42, 1]);
        let stream = h265(&hvcc, &[0, 0, 0, 2, 0x26, 1]).expect("a stream");
        let found: Vec<&[u8]> = units(&stream).collect();
        assert_eq!(found, [[0x40, 1], [0x42, 1], [0x26, 1]]);
    }

    #[test]
    fn a_length_that_looks_like_a_start_code_is_a_length() {
        let frame = [&[0, 0, 1, 4, 0x65][..], &[9; 0x103]].concat();
        let stream = h264(AVCC, &frame).expect("a stream");
        assert_eq!(units(&stream).last().map(<[u8]>::len), Some(0x104));
        let already = h264(&[], &[0, 0, 1, 0x67, 5, 0, 0, 1, 0x65]).expect("a stream");
        assert_eq!(units(&already).count(), 2);
    }

    #[test]
    fn a_length_beyond_the_end_is_refused() {
        assert_eq!(h264(AVCC, &[0, 0, 0, 3, 0x65, 9]), None);
        assert_eq!(h264(&AVCC[..9], &[0, 0, 0, 1, 0x65]), None);
        assert_eq!(h265(&AVCC[..9], &[0, 0, 0, 1, 0x65]), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            config in proptest::collection::vec(any::<u8>(), 0..64),
            frame in proptest::collection::vec(0_u8..4, 0..64),
        ) {
            for stream in [h264(&config, &frame), h265(&config, &frame)].into_iter().flatten() {
                prop_assert!(units(&stream).all(|unit| !unit.is_empty()));
            }
        }
    }
}
