//! Recognizes, by its first bytes, a file that can't be a video, before it is read and sent. Pure.
//!
//! Names and media types don't tell: `.mkv` and `.3gp` have no media type on many devices. The server looks closer, at
//! what this takes (`crates/media/src/sniff.rs`).

/// How many bytes [`may_be_video`] looks at.
pub const SIGNATURE_BYTES: u64 = 12;

/// The beginning of WebM and Matroska (RFC 8794, section 11.2.1).
const EBML: [u8; 4] = [0x1a, 0x45, 0xdf, 0xa3];

/// The boxes with which MP4 and QuickTime files begin. Their names follow their length.
const FIRST_BOXES: [&[u8; 4]; 6] = [b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"];

/// How the major brands of images, and of audio alone, begin, which the server refuses: `heic`, `hevc`, `M4A` and so on.
const OTHER_BRANDS: [&[u8]; 8] = [
    b"hei", b"hev", b"mif", b"msf", b"avi", b"jxl", b"crx", b"M4",
];

/// Whether the server may accept a file with these first bytes.
pub fn may_be_video(head: &[u8]) -> bool {
    let (name, brand) = (head.get(4..8), head.get(8..).unwrap_or_default());
    let is_other =
        OTHER_BRANDS.iter().any(|it| brand.starts_with(it)) && !brand.starts_with(b"M4V");
    let is_other = is_other && name == Some(b"ftyp");
    head.starts_with(&EBML) || !is_other && FIRST_BOXES.iter().any(|it| name == Some(it.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_are_recognized_by_their_signature() {
        for (head, want) in [
            (&b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81"[..], true),
            (b"\0\0\0\x1cftypisom", true),
            (b"\0\0\0\x18ftyp3gp4", true),
            (b"\0\0\0\x14ftypqt  ", true),
            (b"\0\0\0\x1cftypM4V ", true),
            (b"\0\0\0\x14ftyphvc1", true),
            (b"\0\0\0\x14ftypheic", false),
            (b"\0\0\0\x14ftypavif", false),
            (b"\0\0\0\x1cftypM4A ", false),
            (b"\0\0\0\x08wide", true),
            (b"\0\x01\0\0mdat", true),
            (b"RIFF\x24\0\0\0AVI ", false),
            (b"%PDF-1.7", false),
            (b"\x89PNG\r\n\x1a\n", false),
            (b"\xff\xd8\xff\xe0", false),
            (b"ftyp", false),
            (b"", false),
        ] {
            assert_eq!(may_be_video(head), want, "{head:?}");
        }
    }
}
