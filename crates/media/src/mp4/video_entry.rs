//! What a track says about its pictures: how they are coded, how large they are, how they are turned.

use super::boxes::{Kind, Node, node, nodes, u16_at};
use super::movie::Track;
use crate::facts::{Codec, Rotation, VideoTrack};

/// What stands before the boxes in a visual sample entry (ISO/IEC 14496-12, section 12.1.3), in bytes.
/// The decoders for whole entries aren't used: they insist on boxes that QuickTime leaves out, and
/// nothing but the size is wanted here.
const FIELDS: usize = 78;

/// By the track's first sample entry.
pub(super) fn video(track: &Track) -> Option<VideoTrack> {
    let descriptions = node(track.table()?, *b"stsd")?.content;
    let entry: Node = nodes(descriptions.get(8..)?).next()?;
    let (codec, config) = codec(entry.kind);
    let config = config
        .and_then(|kind| node(entry.content.get(FIELDS..)?, kind))
        .map_or_else(Vec::new, |config| config.content.to_vec());
    Some(VideoTrack {
        codec,
        config,
        width: u16_at(entry.content, 24)?.into(),
        height: u16_at(entry.content, 26)?.into(),
        rotation: rotation(&track.header.matrix),
    })
}

/// The codec that a sample entry names, and the box with what its decoder must know.
fn codec(entry: Kind) -> (Codec, Option<Kind>) {
    match &entry {
        b"vp08" => (Codec::Vp8, Some(*b"vpcC")),
        b"vp09" => (Codec::Vp9, Some(*b"vpcC")),
        b"av01" => (Codec::Av1, Some(*b"av1C")),
        b"avc1" | b"avc3" => (Codec::H264, Some(*b"avcC")),
        // The last two are Dolby Vision on top of HEVC.
        b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => (Codec::H265, Some(*b"hvcC")),
        _ => (Codec::Other, None),
    }
}

/// By where the matrix takes the picture's axes: x to (a, b), y to (c, d), with y pointing down. A mirrored
/// picture is left as it is.
fn rotation(matrix: &[i32; 9]) -> Rotation {
    let [a, b, _, c, d, ..] = matrix.map(i32::signum);
    match (a, b, c, d) {
        (0, 1, -1, 0) => Rotation::Quarter,
        (-1, 0, 0, -1) => Rotation::Half,
        (0, -1, 1, 0) => Rotation::ThreeQuarters,
        _ => Rotation::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_entry_names_its_codec_and_what_its_decoder_must_know() {
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
    fn only_whole_turns_count() {
        const ONE: i32 = 0x10000;
        for ((a, b, c, d), want) in [
            ((ONE, 0, 0, ONE), Rotation::None),
            ((0, ONE, -ONE, 0), Rotation::Quarter),
            ((-ONE, 0, 0, -ONE), Rotation::Half),
            ((0, -ONE, ONE, 0), Rotation::ThreeQuarters),
            ((-ONE, 0, 0, ONE), Rotation::None),
            ((46341, 46341, -46341, 46341), Rotation::None),
        ] {
            let matrix = [a, b, 0, c, d, 0, 0, 0, 1 << 30];
            assert_eq!(rotation(&matrix), want, "{matrix:?}");
        }
    }
}
