//! Reads a track's audio sample entry: its codec, and what a decoder must know.

use super::boxes::{boxes, find_box};
use super::movie::Track;
use crate::audio::{AacConfig, AudioCodec, OpusHead};

/// Lengths of an audio sample entry's fields in bytes; boxes follow (ISO/IEC 14496-12, section 12.2.3).
///
/// The second and third ones are those of QuickTime's versions 1 and 2. The version doesn't tell: in ISO files version 1
/// is as long as version 0.
const FIELDS: [usize; 3] = [28, 44, 64];

/// Tags of descriptors (ISO/IEC 14496-1, section 7.2.6.1).
const ES_DESCRIPTOR: u8 = 3;
const DECODER_CONFIG: u8 = 4;
const DECODER_SPECIFIC_INFO: u8 = 5;

/// The object type of AAC (ISO/IEC 14496-1, table 5).
const MPEG4_AUDIO: u8 = 0x40;

/// Reads the codec of the track's only sample entry.
/// `None`: it isn't supported, or there are several entries.
pub(super) fn audio_codec(track: &Track) -> Option<AudioCodec> {
    let descriptions = find_box(track.sample_table()?, *b"stsd")?.payload;
    let mut entries = boxes(descriptions.get(8..)?);
    let (entry, None) = (entries.next()?, entries.next()) else {
        return None;
    };
    let children = FIELDS
        .iter()
        .filter_map(|fields| entry.payload.get(*fields..));
    match &entry.box_type {
        b"mp4a" => children
            .filter_map(decoder_config)
            .find_map(AacConfig::read)
            .map(AudioCodec::Aac),
        b"Opus" => children
            .filter_map(|it| find_box(it, *b"dOps"))
            .find_map(|dops| OpusHead::from_dops(dops.payload))
            .map(AudioCodec::Opus),
        _ => None,
    }
}

/// The AudioSpecificConfig in the boxes of an entry. QuickTime wraps them into a `wave` box.
fn decoder_config(children: &[u8]) -> Option<&[u8]> {
    let wrapped = || find_box(find_box(children, *b"wave")?.payload, *b"esds");
    let esds = find_box(children, *b"esds").or_else(wrapped)?;
    let es = descriptor(esds.payload.get(4..)?, ES_DESCRIPTOR)?;
    let [_, _, flags, rest @ ..] = es else {
        return None;
    };
    let has_none_of_the_rare_fields = flags & 0xe0 == 0;
    let config = descriptor(rest, DECODER_CONFIG).filter(|_| has_none_of_the_rare_fields)?;
    let is_aac = config.first() == Some(&MPEG4_AUDIO);
    let info = config.get(13..).filter(|_| is_aac)?;
    descriptor(info, DECODER_SPECIFIC_INFO)
}

/// The body of a descriptor with this tag. Its size has up to four bytes of seven bits.
fn descriptor(bytes: &[u8], tag: u8) -> Option<&[u8]> {
    let (_, mut rest) = bytes.split_first().filter(|(first, _)| **first == tag)?;
    let mut size = 0;
    for _ in 0..4 {
        let (byte, next) = rest.split_first()?;
        rest = next;
        size = size << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    rest.get(..size)
}

#[cfg(test)]
mod tests {
    use super::super::tests::wrap;
    use super::*;

    /// An `esds` box as QuickTime writes it: the sizes of its descriptors have four bytes.
    fn esds(object_type: u8) -> Vec<u8> {
        let info = [5, 0x80, 0x80, 0x80, 2, 0x12, 0x10];
        let config = [&[4, 0x80, 0x80, 0x80, 20, object_type][..], &[0; 12], &info].concat();
        let es = [&[3, 0x80, 0x80, 0x80, 28, 0, 1, 0][..], &config].concat();
        wrap(b"esds", &[&[0; 4], &es[..]].concat())
    }

    #[test]
    fn the_config_of_aac_is_in_the_entry_or_in_a_wave_box() {
        let direct = esds(0x40);
        let wrapped = wrap(b"wave", &[wrap(b"frma", b"mp4a"), esds(0x40)].concat());
        for children in [direct, wrapped] {
            assert_eq!(decoder_config(&children), Some(&[0x12, 0x10][..]));
        }
        assert_eq!(decoder_config(&esds(0x6b)), None, "MP3");
        let whole = esds(0x40);
        for length in 0..whole.len() {
            assert_eq!(decoder_config(&whole[..length]), None, "{length}");
        }
    }
}
