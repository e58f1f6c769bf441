//! Reads a track's visual sample entry: codec, decoder configuration, size; and its rotation.

use super::boxes::{BoxType, boxes, find_box, u16_at};
use super::movie::Track;
use crate::summary::{Codec, Rotation, VideoTrack};

/// Length of a visual sample entry's fields, in bytes; boxes follow (ISO/IEC 14496-12, section 12.1.3).
///
/// The decoders of `shiguredo_mp4` for whole entries aren't used: they require boxes that QuickTime leaves out, and
/// only the size is needed here.
const FIELDS: usize = 78;

/// Reads the track's first sample entry.
pub(super) fn video_track(track: &Track) -> Option<VideoTrack> {
    let descriptions = find_box(track.sample_table()?, *b"stsd")?.payload;
    let entry = boxes(descriptions.get(8..)?).next()?;
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
