//! Converts H.264 and H.265 from length-prefixed NAL units to the byte stream format of annex B.
//!
//! MP4 and Matroska put a length in front of each NAL unit and the parameter sets into a decoder configuration
//! record (ISO/IEC 14496-15, sections 5.3 and 8.3). Decoders read NAL units with start codes (ITU-T H.264 and
//! H.265, annex B).

const START_CODE: [u8; 4] = [0, 0, 0, 1];

/// The width of a NAL unit's length, in bytes, where no record states it.
const DEFAULT_LENGTH_SIZE: usize = 4;

/// By how much coded pictures may grow, in bytes.
/// Start codes are longer than lengths of fewer than four bytes, which are rare; a million empty units would become
/// four times as large.
const MAX_GROWTH: usize = 1 << 16;

/// Converts a coded picture of H.264, with the parameter sets of its `avcC` in front if there is one.
///
/// Parameter sets in the picture itself (`avc3`) follow those and replace them. `None`: malformed.
pub(super) fn h264(avcc: &[u8], frame: &[u8]) -> Option<Vec<u8>> {
    to_byte_stream(avcc, frame, |record, units| {
        // configurationVersion, AVCProfileIndication, profile_compatibility, AVCLevelIndication.
        record.take(4)?;
        let length_size = usize::from(record.byte()? & 3) + 1;
        let sequence_sets = record.byte()? & 31;
        record.copy_units(sequence_sets.into(), units)?;
        let picture_sets = record.byte()?;
        record.copy_units(picture_sets.into(), units)?;
        Some(length_size)
    })
}

/// Converts a coded picture of H.265, with the parameter sets of its `hvcC` in front if there is one.
pub(super) fn h265(hvcc: &[u8], frame: &[u8]) -> Option<Vec<u8>> {
    to_byte_stream(hvcc, frame, |record, units| {
        record.take(21)?;
        let length_size = usize::from(record.byte()? & 3) + 1;
        for _ in 0..record.byte()? {
            let _nal_unit_type = record.byte()?;
            let count = record.u16()?;
            record.copy_units(count, units)?;
        }
        Some(length_size)
    })
}

/// Splits a byte stream into its NAL units, without their start codes.
pub(super) fn nal_units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = stream;
    std::iter::from_fn(move || {
        let begin = find_start_code(rest)? + 3;
        let unit = rest.get(begin..)?;
        let end = find_start_code(unit).unwrap_or(unit.len());
        let (unit, next) = unit.split_at_checked(end)?;
        rest = next;
        // Trailing zeros are padding or belong to the next start code: no NAL unit ends with a zero.
        let end = unit.iter().rposition(|byte| *byte != 0);
        Some(end.map_or(&[][..], |end| unit.get(..=end).unwrap_or_default()))
    })
    .filter(|unit| !unit.is_empty())
}

fn find_start_code(stream: &[u8]) -> Option<usize> {
    stream.windows(3).position(|bytes| bytes == [0, 0, 1])
}

fn begins_with_start_code(bytes: &[u8]) -> bool {
    bytes.starts_with(&START_CODE) || bytes.starts_with(&[0, 0, 1])
}

/// Puts the parameter sets of `config` in front of `frame`.
///
/// `config` is a byte stream already, empty, or a record: then `read_record` copies its parameter sets and
/// returns the width of the lengths in `frame`.
fn to_byte_stream(
    config: &[u8],
    frame: &[u8],
    read_record: impl FnOnce(&mut Cursor<'_>, &mut Vec<u8>) -> Option<usize>,
) -> Option<Vec<u8>> {
    let mut units = Vec::new();
    let length_size = if begins_with_start_code(config) {
        units.extend_from_slice(config);
        DEFAULT_LENGTH_SIZE
    } else if config.is_empty() {
        DEFAULT_LENGTH_SIZE
    } else {
        read_record(&mut Cursor(config), &mut units)?
    };
    // The length of a unit of some 300 bytes looks like a start code. So the frame is length-prefixed if its
    // lengths lead exactly to its end.
    let converted = append_prefixed(frame, length_size, units.clone());
    converted.or_else(|| {
        begins_with_start_code(frame).then(|| {
            units.extend_from_slice(frame);
            units
        })
    })
}

fn append_prefixed(frame: &[u8], length_size: usize, mut units: Vec<u8>) -> Option<Vec<u8>> {
    let max = units.len() + frame.len() + MAX_GROWTH;
    let mut frame = Cursor(frame);
    while !frame.0.is_empty() {
        let bytes = frame.take(length_size)?.iter();
        let length = bytes.fold(0_usize, |length, byte| length << 8 | usize::from(*byte));
        push(frame.take(length)?, &mut units);
        if units.len() > max {
            return None;
        }
    }
    Some(units)
}

fn push(unit: &[u8], units: &mut Vec<u8>) {
    units.extend_from_slice(&START_CODE);
    units.extend_from_slice(unit);
}

/// The bytes that have not been read yet.
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

    fn u16(&mut self) -> Option<u16> {
        self.take(2)?.first_chunk().copied().map(u16::from_be_bytes)
    }

    /// Reads `count` units, each behind its length of 16 bits, and appends them with start codes.
    fn copy_units(&mut self, count: u16, units: &mut Vec<u8>) -> Option<()> {
        for _ in 0..count {
            let length = self.u16()?;
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
        let found: Vec<&[u8]> = nal_units(&stream).collect();
        assert_eq!(found, [&[0x67, 0x42][..], &[0x68], &[0x65, 9], &[6]]);
    }

    #[test]
    fn lengths_may_have_fewer_bytes() {
        let mut avcc = AVCC.to_vec();
        avcc[4] = 0xfd;
        let stream = h264(&avcc, &[0, 2, 0x65, 9]).expect("a stream");
        assert_eq!(nal_units(&stream).last(), Some(&[0x65, 9][..]));
    }

    #[test]
    fn the_arrays_of_an_hvcc_are_read() {
        let mut hvcc = vec![1; 21];
        hvcc.extend_from_slice(&[3, 2, 0x20, 0, 1, 0, 2, 0x40, 1, 0x21, 0, 1, 0, 2, 0x42, 1]);
        let stream = h265(&hvcc, &[0, 0, 0, 2, 0x26, 1]).expect("a stream");
        let found: Vec<&[u8]> = nal_units(&stream).collect();
        assert_eq!(found, [[0x40, 1], [0x42, 1], [0x26, 1]]);
    }

    #[test]
    fn a_length_that_looks_like_a_start_code_is_a_length() {
        let frame = [&[0, 0, 1, 4, 0x65][..], &[9; 0x103]].concat();
        let stream = h264(AVCC, &frame).expect("a stream");
        assert_eq!(nal_units(&stream).last().map(<[u8]>::len), Some(0x104));
        let byte_stream = h264(&[], &[0, 0, 1, 0x67, 5, 0, 0, 1, 0x65]).expect("a stream");
        assert_eq!(nal_units(&byte_stream).count(), 2);
    }

    #[test]
    fn a_length_beyond_the_end_is_refused() {
        assert_eq!(h264(AVCC, &[0, 0, 0, 3, 0x65, 9]), None);
        assert_eq!(h264(&AVCC[..9], &[0, 0, 0, 1, 0x65]), None);
        assert_eq!(h265(&AVCC[..9], &[0, 0, 0, 1, 0x65]), None);
    }

    #[test]
    fn units_that_would_multiply_the_bytes_are_refused() {
        // Lengths of one byte, and units that have none.
        let mut avcc = AVCC.to_vec();
        avcc[4] = 0xfc;
        let empty = |count| h264(&avcc, &vec![0; count]).map(|it| it.len());
        assert_eq!(empty(20_000), Some(4 * 20_000 + 11));
        assert_eq!(empty(30_000), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            config in proptest::collection::vec(any::<u8>(), 0..64),
            frame in proptest::collection::vec(0_u8..4, 0..64),
        ) {
            for stream in [h264(&config, &frame), h265(&config, &frame)].into_iter().flatten() {
                prop_assert!(nal_units(&stream).all(|unit| !unit.is_empty()));
            }
        }
    }
}
