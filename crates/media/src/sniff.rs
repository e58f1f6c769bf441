//! Recognizes a container by the first bytes of a file.
//!
//! EBML (RFC 8794) with a DocType of WebM or Matroska (RFC 9559), or ISO-BMFF (ISO/IEC 14496-12) with a brand of a
//! video. QuickTime files may lack the brand.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::Container;
use super::webm::element::{Header, ParsedHeader, children};

/// Maximum number of bytes that [`sniff`] looks at.
/// Browsers, phones and ffmpeg name the format within 100 bytes.
pub const SNIFF_BYTES: usize = 4096;

/// What the first bytes of a file tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniffed {
    /// The file has this container.
    Known(Container),
    /// The file has none of the supported containers, whatever follows.
    Unsupported,
    /// There are too few bytes to tell.
    Incomplete,
}

/// The id of the EBML header (RFC 8794, section 11.2).
const EBML: [u8; 4] = [0x1a, 0x45, 0xdf, 0xa3];

/// Major brands of ISO-BMFF files that aren't videos: images, and audio alone.
const OTHER_BRANDS: [&[u8; 4]; 16] = [
    b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"mif2", b"msf1", b"avif",
    b"avis", b"jxl ", b"crx ", b"M4A ", b"M4B ", b"M4P ",
];

/// Prefixes of the brands of videos.
const VIDEO_BRANDS: [&[u8]; 20] = [
    b"iso", b"mp4", b"mp7", b"mmp4", b"avc", b"hvc", b"av01", b"M4V", b"3g", b"MSNV", b"NDS",
    b"dash", b"cmf", b"piff", b"f4v", b"XAVC", b"msdh", b"KDDI", b"caqv", b"nvr1",
];

/// Boxes that QuickTime files without an `ftyp` begin with.
const QUICKTIME_BOXES: [&[u8; 4]; 7] = [
    b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot", b"udta",
];

/// Recognizes a file by its first bytes: all that there are, up to [`SNIFF_BYTES`].
pub fn sniff(head: &[u8]) -> Sniffed {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    let sniffed = match head {
        _ if agrees(&EBML, head) => sniff_ebml(head),
        _ if head.len() < 8 => Sniffed::Incomplete,
        _ => sniff_box(head),
    };
    match sniffed {
        Sniffed::Incomplete if head.len() == SNIFF_BYTES => Sniffed::Unsupported,
        sniffed => sniffed,
    }
}

/// Whether `head`, which may be shorter, begins like `prefix`.
fn agrees(prefix: &[u8], head: &[u8]) -> bool {
    let common = prefix.len().min(head.len());
    prefix[..common] == head[..common]
}

/// Looks for the DocType in the EBML header.
fn sniff_ebml(head: &[u8]) -> Sniffed {
    let header = match Header::read(head) {
        ParsedHeader::Complete(header) => header,
        ParsedHeader::Incomplete(_) => return Sniffed::Incomplete,
        ParsedHeader::Invalid => return Sniffed::Unsupported,
    };
    let body = head.get(header.width..).unwrap_or_default();
    let size = header.size.and_then(|size| usize::try_from(size).ok());
    let complete = size.and_then(|size| body.get(..size));
    let doc_type = children(complete.unwrap_or(body)).find(|(id, _)| *id == mkv::DocType::ID);
    match doc_type {
        // Writers that reserve space pad the string with zeros (RFC 8794, section 13).
        Some((_, name)) => match name.split(|byte| *byte == 0).next() {
            Some(b"webm") => Sniffed::Known(Container::WebM),
            Some(b"matroska") => Sniffed::Known(Container::Matroska),
            _ => Sniffed::Unsupported,
        },
        None if complete.is_some() => Sniffed::Unsupported,
        None => Sniffed::Incomplete,
    }
}

/// Looks at the first box: `ftyp` with its brands (ISO/IEC 14496-12, section 4.3), or what QuickTime has instead.
fn sniff_box(head: &[u8]) -> Sniffed {
    let Some((size, box_type)) = head.first_chunk::<4>().zip(head[4..].first_chunk::<4>()) else {
        return Sniffed::Incomplete;
    };
    let size = u32::from_be_bytes(*size) as usize;
    if QUICKTIME_BOXES.contains(&box_type) && (size >= 8 || size <= 1) {
        return Sniffed::Known(Container::QuickTime);
    }
    if box_type != b"ftyp" || size < 16 {
        return Sniffed::Unsupported;
    }
    let Some(major) = head[8..].first_chunk::<4>() else {
        return Sniffed::Incomplete;
    };
    if major == b"qt  " {
        return Sniffed::Known(Container::QuickTime);
    }
    if OTHER_BRANDS.contains(&major) {
        return Sniffed::Unsupported;
    }
    let is_video = |brand: &[u8]| VIDEO_BRANDS.iter().any(|prefix| brand.starts_with(prefix));
    // The compatible brands follow the major brand and its version.
    let compatible = head.get(16..size.min(head.len())).unwrap_or_default();
    let mut compatible = compatible.chunks_exact(4);
    if is_video(major) {
        return Sniffed::Known(Container::Mp4);
    }
    if let Some(brand) = compatible.find(|brand| is_video(brand) || brand == b"qt  ") {
        return Sniffed::Known(match brand {
            b"qt  " => Container::QuickTime,
            _ => Container::Mp4,
        });
    }
    if head.len() >= size {
        Sniffed::Unsupported
    } else {
        Sniffed::Incomplete
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WEBM: &[u8] = &[
        0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0xf7, 0x81, 1, 0x42, 0xf2, 0x81,
        4, 0x42, 0xf3, 0x81, 8, 0x42, 0x82, 0x84, b'w', b'e', b'b', b'm', 0x42, 0x87, 0x81, 4,
        0x42, 0x85, 0x81, 2,
    ];

    fn ftyp(major: &[u8; 4], compatible: &[&[u8; 4]]) -> Vec<u8> {
        let size = u32::try_from(16 + 4 * compatible.len()).expect("small");
        let mut bytes = size.to_be_bytes().to_vec();
        bytes.extend_from_slice(b"ftyp");
        bytes.extend_from_slice(major);
        bytes.extend_from_slice(&[0, 0, 2, 0]);
        bytes.extend(compatible.iter().flat_map(|brand| brand.iter()));
        bytes
    }

    fn matroska() -> Vec<u8> {
        let mut bytes = vec![0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88];
        bytes.extend_from_slice(b"matroska");
        bytes
    }

    #[test]
    fn media_types_of_browsers_and_phones_are_recognized() {
        for (head, want) in [
            (WEBM.to_vec(), Container::WebM),
            (matroska(), Container::Matroska),
            (ftyp(b"isom", &[b"isom", b"mp42"]), Container::Mp4),
            (ftyp(b"mp42", &[]), Container::Mp4),
            (ftyp(b"iso5", &[b"iso6", b"mp41"]), Container::Mp4),
            (ftyp(b"3gp4", &[b"isom", b"3gp4"]), Container::Mp4),
            (ftyp(b"XYZ ", &[b"ABC ", b"avc1"]), Container::Mp4),
            (ftyp(b"mmp4", &[]), Container::Mp4),
            (ftyp(b"CAEP", &[b"niko", b"qt  "]), Container::QuickTime),
            (ftyp(b"pana", &[b"pana", b"qt  "]), Container::QuickTime),
            (b"\0\0\0\x14pnot".to_vec(), Container::QuickTime),
            (ftyp(b"qt  ", &[b"qt  "]), Container::QuickTime),
            (ftyp(b"qt  ", &[]), Container::QuickTime),
            (
                b"\0\0\0\x08wide\0\0\x01\0mdat".to_vec(),
                Container::QuickTime,
            ),
            (b"\0\0\0\x01mdat\0\0\0\0".to_vec(), Container::QuickTime),
        ] {
            assert_eq!(sniff(&head), Sniffed::Known(want), "{head:?}");
        }
    }

    #[test]
    fn files_without_video_are_foreign() {
        let mut weird = matroska();
        weird[8..16].copy_from_slice(b"webmwebm");
        let mut nothing_before_its_doc_type = matroska();
        nothing_before_its_doc_type.splice(5..5, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 0]);
        nothing_before_its_doc_type[4] += 11;
        for head in [
            &b"<!doctype html>"[..],
            b"\x89PNG\r\n\x1a\n",
            b"RIFF\x10\0\0\0WAVE",
            b"GIF89a......",
            b"\0\0\0\0\0\0\0\0",
            b"abcdefgh",
            // Smaller than any box, and an `ftyp` without room for a brand.
            b"\0\0\0\x05mdat",
            b"\0\0\0\x0cftypisom",
            &weird,
            &ftyp(b"heic", &[b"mif1", b"iso8"]),
            &ftyp(b"M4A ", &[b"isom", b"mp42"]),
            &ftyp(b"XYZ ", &[b"ABC "]),
            // Bytes behind the first box aren't brands of it.
            &[ftyp(b"XYZ ", &[b"ABC "]), b"isomisom".to_vec()].concat(),
            // An EBML header that ends without a DocType.
            &[0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 1, 0, 0],
            &[0x1a, 0x45, 0xdf, 0xa3, 0, 0, 0, 0],
            // A DocType behind the EBML header.
            &[
                0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84, b'w', b'e',
                b'b', b'm',
            ],
            // A DocType behind bytes that aren't an element.
            &nothing_before_its_doc_type,
        ] {
            assert_eq!(sniff(head), Sniffed::Unsupported, "{head:?}");
        }
    }

    #[test]
    fn a_brand_is_recognized_from_its_first_bytes() {
        let head = ftyp(b"XYZ ", &[b"ABC ", b"avc1", b"DEF "]);
        for (length, want) in [
            (0, Sniffed::Incomplete),
            (23, Sniffed::Incomplete),
            (24, Sniffed::Known(Container::Mp4)),
            (head.len(), Sniffed::Known(Container::Mp4)),
        ] {
            assert_eq!(sniff(&head[..length]), want, "{length}");
        }
    }

    #[test]
    fn a_header_without_end_is_unsupported() {
        let mut endless = vec![
            0x1a, 0x45, 0xdf, 0xa3, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        ];
        while endless.len() < SNIFF_BYTES {
            assert_eq!(sniff(&endless), Sniffed::Incomplete, "{}", endless.len());
            endless.extend_from_slice(&[0xec, 0x81, 0]);
        }
        assert_eq!(sniff(&endless), Sniffed::Unsupported);
    }

    proptest! {
        /// The size of the first chunk of an upload makes no difference.
        #[test]
        fn sniffing_a_prefix_never_contradicts_the_whole_file(
            kind in 0_usize..4,
            tail in proptest::collection::vec(any::<u8>(), 0..64),
            cut in 0_usize..100,
        ) {
            let head = match kind {
                0 => WEBM.to_vec(),
                1 => matroska(),
                2 => ftyp(b"isom", &[b"mp42"]),
                _ => Vec::new(),
            };
            let whole = [head, tail].concat();
            let part = sniff(&whole[..cut.min(whole.len())]);
            prop_assert!(part == Sniffed::Incomplete || part == sniff(&whole));
        }
    }
}
