//! Reads a track's visual sample entry: codec, decoder configuration, size, and whether it is HDR; and its rotation.

use super::boxes::{BoxType, RawBox, boxes, boxes_of, find_box, u16_at};
use super::movie::Track;
use crate::summary::{Codec, Rotation, VideoTrack, is_hdr_transfer};

/// Length of a visual sample entry's fields, in bytes; boxes follow (ISO/IEC 14496-12, section 12.1.3).
///
/// The decoders of `shiguredo_mp4` for whole entries aren't used: they require boxes that QuickTime leaves out, and
/// only the size is needed here.
const FIELDS: usize = 78;

/// Reads the track's first sample entry.
pub(super) fn video_track(track: &Track) -> Option<VideoTrack> {
    let entry = sample_entry(track)?;
    let (codec, config) = codec(entry.box_type);
    let config = config
        .and_then(|config| find_box(entry.payload.get(FIELDS..)?, config))
        .map_or_else(Vec::new, |config| config.payload.to_vec());
    Some(VideoTrack {
        codec,
        config,
        width: u16_at(entry.payload, 24)?.into(),
        height: u16_at(entry.payload, 26)?.into(),
        rotation: rotation(&track.header.matrix),
    })
}

/// Whether the track's first sample entry says that its pictures are HDR.
pub(super) fn is_hdr(track: &Track) -> bool {
    sample_entry(track).is_some_and(|entry| has_hdr_colours(&entry))
}

fn sample_entry(track: &Track) -> Option<RawBox<'_>> {
    let descriptions = find_box(track.sample_table()?, *b"stsd")?.payload;
    boxes(descriptions.get(8..)?).next()
}

/// Reads ColourInformationBox (ISO/IEC 14496-12, section 12.1.5), of which there may be several.
/// QuickTime's is called `nclc`. What only the bitstream says isn't read.
fn has_hdr_colours(entry: &RawBox) -> bool {
    let is_hdr = |colours: RawBox| {
        let has_transfer = matches!(colours.payload.first_chunk(), Some(b"nclx" | b"nclc"));
        let transfer = u16_at(colours.payload, 6);
        has_transfer && transfer.is_some_and(|it| is_hdr_transfer(it.into()))
    };
    // Dolby Vision has colours of its own.
    matches!(&entry.box_type, b"dvh1" | b"dvhe")
        || boxes_of(entry.payload.get(FIELDS..).unwrap_or_default(), *b"colr").any(is_hdr)
}

/// The codec of a sample entry, and the box with its decoder configuration.
fn codec(entry: BoxType) -> (Codec, Option<BoxType>) {
    match &entry {
        b"vp08" => (Codec::Vp8, Some(*b"vpcC")),
        b"vp09" => (Codec::Vp9, Some(*b"vpcC")),
        b"av01" => (Codec::Av1, Some(*b"av1C")),
        b"avc1" | b"avc3" => (Codec::H264, Some(*b"avcC")),
        // `dvh1` and `dvhe` are Dolby Vision on top of HEVC.
        b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => (Codec::H265, Some(*b"hvcC")),
        _ => (Codec::Other, None),
    }
}

/// The rotation of a track header's matrix (ISO/IEC 14496-12, section 8.3.2).
///
/// The matrix takes the x axis to (a, b) and the y axis, which points down, to (c, d). Mirroring, as by a front camera, is
/// ignored: the rotation is the one before a horizontal flip.
fn rotation(matrix: &[i32; 9]) -> Rotation {
    let [a, b, _, c, d, ..] = matrix.map(i32::signum);
    match (a, b, c, d) {
        (0, 1, -1 | 1, 0) => Rotation::Quarter,
        (-1 | 1, 0, 0, -1) => Rotation::Half,
        (0, -1, -1 | 1, 0) => Rotation::ThreeQuarters,
        _ => Rotation::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mp4::tests::wrap;

    #[test]
    fn a_sample_entry_names_its_codec_and_its_configuration() {
        for (entry, want, config) in [
            (b"vp08", Codec::Vp8, Some(*b"vpcC")),
            (b"vp09", Codec::Vp9, Some(*b"vpcC")),
            (b"av01", Codec::Av1, Some(*b"av1C")),
            (b"avc1", Codec::H264, Some(*b"avcC")),
            (b"avc3", Codec::H264, Some(*b"avcC")),
            (b"hvc1", Codec::H265, Some(*b"hvcC")),
            (b"dvhe", Codec::H265, Some(*b"hvcC")),
            (b"mp4v", Codec::Other, None),
        ] {
            assert_eq!(codec(*entry), (want, config));
        }
    }

    #[test]
    fn pictures_are_hdr_by_their_transfer_characteristics() {
        let colours = |colour_type: &[u8; 4], transfer: u8| {
            let payload = [&colour_type[..], &[0, 9, 0, transfer, 0, 9, 0]].concat();
            wrap(b"colr", &payload)
        };
        let is_hdr = |entry: &[u8; 4], inner: &[u8]| {
            let entry = wrap(entry, &[&[0; FIELDS], inner].concat());
            has_hdr_colours(&boxes(&entry).next().expect("a box"))
        };
        for (transfer, want) in [(1, false), (6, false), (14, false), (16, true), (18, true)] {
            for colour_type in [b"nclx", b"nclc"] {
                let colours = colours(colour_type, transfer);
                assert_eq!(is_hdr(b"hvc1", &colours), want, "{transfer}");
            }
        }
        // Among others, as an ICC profile.
        let several = [colours(b"prof", 16), colours(b"nclx", 18)].concat();
        assert!(is_hdr(b"avc1", &several));
        assert!(!is_hdr(b"avc1", &colours(b"prof", 16)));
        let cut = wrap(b"colr", b"nclx\0\x09\0");
        assert!(!is_hdr(b"hvc1", &cut) && !is_hdr(b"hvc1", &[]));
        assert!(is_hdr(b"dvh1", &[]));
        let short = wrap(b"hvc1", &[0; FIELDS - 1]);
        assert!(!has_hdr_colours(&boxes(&short).next().expect("a box")));
    }

    #[test]
    fn only_quarter_turns_are_rotations() {
        const ONE: i32 = 0x10000;
        for ((a, b, c, d), want) in [
            ((ONE, 0, 0, ONE), Rotation::None),
            ((0, ONE, -ONE, 0), Rotation::Quarter),
            ((-ONE, 0, 0, -ONE), Rotation::Half),
            ((0, -ONE, ONE, 0), Rotation::ThreeQuarters),
            // The same, flipped horizontally.
            ((-ONE, 0, 0, ONE), Rotation::None),
            ((0, ONE, ONE, 0), Rotation::Quarter),
            ((ONE, 0, 0, -ONE), Rotation::Half),
            ((0, -ONE, -ONE, 0), Rotation::ThreeQuarters),
            ((46341, 46341, -46341, 46341), Rotation::None),
        ] {
            let matrix = [a, b, 0, c, d, 0, 0, 0, 1 << 30];
            assert_eq!(rotation(&matrix), want, "{matrix:?}");
        }
    }
}
