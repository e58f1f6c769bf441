//! Boxes (ISO/IEC 14496-12, section 4.2): their headers, and the boxes within a payload.
//!
//! Leaf boxes are decoded by `shiguredo_mp4`. Its container boxes aren't used: they fail on boxes they don't expect,
//! and QuickTime files are full of those. Its header isn't used either: it reads a `uuid` box's 64-bit size from the
//! wrong place, and takes zeros for a box that extends to the end of the file.

use shiguredo_mp4::{Decode, Encode};

/// The four-character code of a box.
pub(super) type BoxType = [u8; 4];

/// Maximum length of a header in bytes: size, type, 64-bit size.
pub(super) const MAX_HEADER_SIZE: usize = 16;

/// The header of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub box_type: BoxType,
    /// Length of the header itself, in bytes.
    pub size: usize,
    /// Length of the payload, in bytes. `None`: it extends to the end of what contains the box.
    pub payload_size: Option<u64>,
}

/// The result of reading a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParsedHeader {
    Complete(Header),
    /// More bytes are needed.
    Incomplete,
    /// The bytes aren't a box.
    Invalid,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> ParsedHeader {
        let (Some(size), Some(box_type)) = (u32_at(bytes, 0), array_at(bytes, 4)) else {
            return ParsedHeader::Incomplete;
        };
        // Zeros are padding, not a box that extends to the end.
        if box_type.iter().any(|letter| *letter < b' ') {
            return ParsedHeader::Invalid;
        }
        let (header_size, payload_size) = match size {
            0 => (8, None),
            1 => match array_at(bytes, 8) {
                None => return ParsedHeader::Incomplete,
                Some(large_size) => match u64::from_be_bytes(large_size).checked_sub(16) {
                    None => return ParsedHeader::Invalid,
                    payload_size => (16, payload_size),
                },
            },
            2..8 => return ParsedHeader::Invalid,
            size => (8, Some(u64::from(size) - 8)),
        };
        ParsedHeader::Complete(Self {
            box_type,
            size: header_size,
            payload_size,
        })
    }
}

/// A complete box in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawBox<'a> {
    pub box_type: BoxType,
    pub payload: &'a [u8],
    bytes: &'a [u8],
}

impl RawBox<'_> {
    /// Decodes a leaf box.
    pub(super) fn decode<T: Decode>(&self) -> Option<T> {
        T::decode(self.bytes).ok().map(|(leaf, _)| leaf)
    }

    /// Writes a copy with an explicit size, whether or not the original has one.
    pub(super) fn copy_to(&self, out: &mut Vec<u8>) -> Option<()> {
        write_box(out, self.box_type, |out| {
            out.extend_from_slice(self.payload);
            Some(())
        })
    }
}

/// Iterates over consecutive boxes, up to the first incomplete one.
pub(super) fn boxes(mut bytes: &[u8]) -> impl Iterator<Item = RawBox<'_>> {
    std::iter::from_fn(move || {
        let ParsedHeader::Complete(header) = Header::read(bytes) else {
            return None;
        };
        let end = match header.payload_size {
            None => bytes.len(),
            Some(size) => header.size.checked_add(usize::try_from(size).ok()?)?,
        };
        let (whole, rest) = bytes.split_at_checked(end)?;
        bytes = rest;
        Some(RawBox {
            box_type: header.box_type,
            payload: whole.get(header.size..)?,
            bytes: whole,
        })
    })
}

/// Iterates over the boxes of one type.
pub(super) fn boxes_of(bytes: &[u8], box_type: BoxType) -> impl Iterator<Item = RawBox<'_>> {
    boxes(bytes).filter(move |it| it.box_type == box_type)
}

/// Finds the first box of a type.
pub(super) fn find_box(bytes: &[u8], box_type: BoxType) -> Option<RawBox<'_>> {
    boxes(bytes).find(|it| it.box_type == box_type)
}

/// Finds a payload by a path of box types, each within the one before.
pub(super) fn find_path<'a>(bytes: &'a [u8], path: &[BoxType]) -> Option<&'a [u8]> {
    path.iter().try_fold(bytes, |bytes, box_type| {
        Some(find_box(bytes, *box_type)?.payload)
    })
}

/// Writes a box around what `write_payload` writes. `None`: that failed, or the box has 4 GiB or more.
pub(super) fn write_box(
    out: &mut Vec<u8>,
    box_type: BoxType,
    write_payload: impl FnOnce(&mut Vec<u8>) -> Option<()>,
) -> Option<()> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&box_type);
    write_payload(out)?;
    let size = u32::try_from(out.len() - start).ok()?;
    out.get_mut(start..start + 4)?
        .copy_from_slice(&size.to_be_bytes());
    Some(())
}

/// Writes a leaf box.
pub(super) fn write_leaf(out: &mut Vec<u8>, leaf: &impl Encode) -> Option<()> {
    out.extend(leaf.encode_to_vec().ok()?);
    Some(())
}

pub(super) fn array_at<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk().copied()
}

pub(super) fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    array_at(bytes, offset).map(u32::from_be_bytes)
}

pub(super) fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    array_at(bytes, offset).map(u16::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_states_the_size_of_its_box() {
        let header = |size, payload_size| {
            ParsedHeader::Complete(Header {
                box_type: *b"mdat",
                size,
                payload_size,
            })
        };
        for (bytes, want) in [
            (&b"\0\0\0\x08mdat"[..], header(8, Some(0))),
            (b"\0\0\x01\0mdat", header(8, Some(248))),
            (b"\0\0\0\0mdat", header(8, None)),
            (b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x11", header(16, Some(1))),
            (b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x0f", ParsedHeader::Invalid),
            (b"\0\0\0\x01mdat\0\0\0\0\0\0\0", ParsedHeader::Incomplete),
            (b"\0\0\0\x07mdat", ParsedHeader::Invalid),
            (b"\0\0\0\0\0\0\0\0", ParsedHeader::Invalid),
            (b"\0\0\0\x08mda", ParsedHeader::Incomplete),
            (b"", ParsedHeader::Incomplete),
        ] {
            assert_eq!(Header::read(bytes), want, "{bytes:?}");
        }
        let spaces = Header::read(b"\0\0\0\x08url ");
        assert!(matches!(spaces, ParsedHeader::Complete(_)), "{spaces:?}");
    }

    #[test]
    fn iteration_ends_at_an_incomplete_box() {
        let bytes = b"\0\0\0\x09abcd!\0\0\0\x08efgh\0\0\0\x20ijkl\0\0\0\x08";
        let types: Vec<_> = boxes(bytes).map(|it| it.box_type).collect();
        assert_eq!(types, [*b"abcd", *b"efgh"]);
        assert_eq!(
            find_box(b"\0\0\0\0last....", *b"last").map(|it| it.payload),
            Some(&b"...."[..])
        );
    }

    #[test]
    fn a_copy_has_an_explicit_size() {
        let mut out = Vec::new();
        let last = find_box(b"\0\0\0\0last....", *b"last").expect("there");
        assert_eq!(last.copy_to(&mut out), Some(()));
        assert_eq!(out, b"\0\0\0\x0clast....");
    }
}
