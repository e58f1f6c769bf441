//! What a file is, by its first bytes: EBML (RFC 8794) with a DocType of WebM or Matroska (RFC 9559), or
//! ISO-BMFF (ISO/IEC 14496-12) with a brand of a video; QuickTime files may lack the brand.

use super::Container;

/// No more than this is looked at. Browsers, phones and ffmpeg say what they write within 100 bytes.
pub const SNIFF_BYTES: usize = 4096;

/// What first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniffed {
    /// It is this.
    Known(Container),
    /// It is none of ours, however it goes on.
    Foreign,
    /// Too few bytes to tell.
    Unsure,
}

const EBML: [u8; 4] = [0x1a, 0x45, 0xdf, 0xa3];
const DOC_TYPE: [u8; 2] = [0x42, 0x82];

/// Major brands of what shares the box structure and holds no film: pictures, and sound alone.
const NO_FILM: [&[u8; 4]; 16] = [
    b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"mif2", b"msf1", b"avif",
    b"avis", b"jxl ", b"crx ", b"M4A ", b"M4B ", b"M4P ",
];

/// How brands of films begin.
const FILM: [&[u8]; 12] = [
    b"iso", b"mp4", b"avc", b"M4V", b"3g", b"MSNV", b"dash", b"cmf", b"f4v", b"XAVC", b"msdh",
    b"hvc",
];

/// Boxes that QuickTime files without a brand begin with.
const QUICKTIME_BOXES: [&[u8; 4]; 5] = [b"moov", b"mdat", b"wide", b"free", b"skip"];

/// Looks at the first bytes of a file, all that there are up to [`SNIFF_BYTES`].
pub fn sniff(head: &[u8]) -> Sniffed {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    let verdict = match head {
        _ if begins(&EBML, head) => ebml(head.get(EBML.len()..).unwrap_or_default()),
        _ if head.len() < 8 => Sniffed::Unsure,
        _ => boxes(head),
    };
    match verdict {
        Sniffed::Unsure if head.len() == SNIFF_BYTES => Sniffed::Foreign,
        verdict => verdict,
    }
}

/// Whether `head` begins with these bytes, as far as it goes.
fn begins(with: &[u8], head: &[u8]) -> bool {
    let common = with.len().min(head.len());
    with[..common] == head[..common]
}

/// Behind the EBML id: the header's size, then its elements. The one that counts is the DocType.
fn ebml(bytes: &[u8]) -> Sniffed {
    if bytes.first() == Some(&0) {
        // No integer begins so.
        return Sniffed::Foreign;
    }
    let Some((size, mut rest)) = size(bytes) else {
        return Sniffed::Unsure;
    };
    let header = usize::try_from(size).ok().and_then(|size| rest.get(..size));
    let whole = header.is_some();
    rest = header.unwrap_or(rest);
    while let Some((id, length, value)) = element(rest) {
        let Some((value, next)) = value.split_at_checked(length) else {
            break;
        };
        if id == DOC_TYPE {
            // Padded with zeros where a writer kept room.
            let end = value.iter().position(|byte| *byte == 0);
            return match &value[..end.unwrap_or(length)] {
                b"webm" => Sniffed::Known(Container::WebM),
                b"matroska" => Sniffed::Known(Container::Matroska),
                _ => Sniffed::Foreign,
            };
        }
        rest = next;
    }
    if whole {
        Sniffed::Foreign
    } else {
        Sniffed::Unsure
    }
}

/// An element: its id, with the length marker kept (RFC 8794, section 5), its length, and what follows.
fn element(bytes: &[u8]) -> Option<(&[u8], usize, &[u8])> {
    let (id, rest) = bytes.split_at_checked(width(*bytes.first()?)?)?;
    let (length, rest) = size(rest)?;
    Some((id, usize::try_from(length).ok()?, rest))
}

/// A variable-size integer: RFC 8794, section 4.
fn size(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let first = *bytes.first()?;
    let length = width(first)?;
    let (number, rest) = bytes.split_at_checked(length)?;
    let mut value = u64::from(first) & (0xff >> length);
    for byte in &number[1..] {
        value = value << 8 | u64::from(*byte);
    }
    Some((value, rest))
}

/// How many bytes a variable-size integer has, by its first one.
fn width(first: u8) -> Option<usize> {
    let zeros = first.leading_zeros() as usize;
    (zeros < 8).then_some(zeros + 1)
}

/// The first box: `ftyp` with its brands, or what QuickTime has instead.
fn boxes(head: &[u8]) -> Sniffed {
    let Some((size, kind)) = head.first_chunk::<4>().zip(head[4..].first_chunk::<4>()) else {
        return Sniffed::Unsure;
    };
    let size = u32::from_be_bytes(*size) as usize;
    if QUICKTIME_BOXES.contains(&kind) && (size >= 8 || size <= 1) {
        return Sniffed::Known(Container::QuickTime);
    }
    if kind != b"ftyp" || size < 16 {
        return Sniffed::Foreign;
    }
    let Some(major) = head[8..].first_chunk::<4>() else {
        return Sniffed::Unsure;
    };
    if major == b"qt  " {
        return Sniffed::Known(Container::QuickTime);
    }
    if NO_FILM.contains(&major) {
        return Sniffed::Foreign;
    }
    let is_film = |brand: &[u8]| FILM.iter().any(|film| brand.starts_with(film));
    // Behind the major brand comes its version, then what else the file is compatible with.
    let compatible = head.get(16..size.min(head.len())).unwrap_or_default();
    let mut compatible = compatible.chunks_exact(4);
    if is_film(major) {
        return Sniffed::Known(Container::Mp4);
    }
    if let Some(film) = compatible.find(|brand| is_film(brand) || brand == b"qt  ") {
        return Sniffed::Known(match film {
            b"qt  " => Container::QuickTime,
            _ => Container::Mp4,
        });
    }
    if head.len() >= size {
        Sniffed::Foreign
    } else {
        Sniffed::Unsure
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
    fn what_browsers_and_phones_write_is_known() {
        for (head, want) in [
            (WEBM.to_vec(), Container::WebM),
            (matroska(), Container::Matroska),
            (ftyp(b"isom", &[b"isom", b"mp42"]), Container::Mp4),
            (ftyp(b"mp42", &[]), Container::Mp4),
            (ftyp(b"iso5", &[b"iso6", b"mp41"]), Container::Mp4),
            (ftyp(b"3gp4", &[b"isom", b"3gp4"]), Container::Mp4),
            (ftyp(b"XYZ ", &[b"ABC ", b"avc1"]), Container::Mp4),
            (ftyp(b"pana", &[b"pana", b"qt  "]), Container::QuickTime),
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
    fn what_holds_no_film_is_foreign() {
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
            // No box is so short, and no brand fits into the other.
            b"\0\0\0\x05mdat",
            b"\0\0\0\x0cftypisom",
            &weird,
            &ftyp(b"heic", &[b"mif1", b"iso8"]),
            &ftyp(b"M4A ", &[b"isom", b"mp42"]),
            &ftyp(b"XYZ ", &[b"ABC "]),
            // What follows the first box is none of its brands.
            &[ftyp(b"XYZ ", &[b"ABC "]), b"isomisom".to_vec()].concat(),
            // An EBML header that ends without a DocType.
            &[0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 1, 0, 0],
            &[0x1a, 0x45, 0xdf, 0xa3, 0, 0, 0, 0],
            // Nor does what follows it have one.
            &[
                0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84, b'w', b'e',
                b'b', b'm',
            ],
            // Behind what is no element there is none.
            &nothing_before_its_doc_type,
        ] {
            assert_eq!(sniff(head), Sniffed::Foreign, "{head:?}");
        }
    }

    #[test]
    fn a_brand_is_known_as_soon_as_it_is_there() {
        let head = ftyp(b"XYZ ", &[b"ABC ", b"avc1", b"DEF "]);
        for (length, want) in [
            (0, Sniffed::Unsure),
            (23, Sniffed::Unsure),
            (24, Sniffed::Known(Container::Mp4)),
            (head.len(), Sniffed::Known(Container::Mp4)),
        ] {
            assert_eq!(sniff(&head[..length]), want, "{length}");
        }
    }

    #[test]
    fn a_header_without_end_is_foreign() {
        let mut endless = vec![
            0x1a, 0x45, 0xdf, 0xa3, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        ];
        while endless.len() < SNIFF_BYTES {
            assert_eq!(sniff(&endless), Sniffed::Unsure, "{}", endless.len());
            endless.extend_from_slice(&[0xec, 0x81, 0]);
        }
        assert_eq!(sniff(&endless), Sniffed::Foreign);
    }

    proptest! {
        /// Who sends a file in small pieces is told the same as who sends it at once.
        #[test]
        fn a_prefix_never_contradicts_the_whole(
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
            prop_assert!(part == Sniffed::Unsure || part == sniff(&whole));
        }
    }
}
