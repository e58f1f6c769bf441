//! EBML elements (RFC 8794): an id, a size, a body.
//!
//! Ids and the values of leaf elements come from `mkv_element`, which generates them from the specification. Headers
//! and master elements are parsed here. For untrusted files the crate isn't suited to that: it knows one of the eight
//! forms of an unknown size, writes 16,383 bytes as another of them, recurses into nested tags without limit, refuses
//! masters that players accept, and logs every element that it doesn't know.

use mkv_element::prelude::{Element, VInt64};

/// Maximum width of an id (RFC 9559, section 4) and of a size, in bytes.
const MAX_ID_WIDTH: usize = 4;
const MAX_SIZE_WIDTH: usize = 8;

/// The header of an element: its id and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub id: VInt64,
    /// Length of the body, in bytes. `None`: unknown, it ends before an element that can't be part of it
    /// (RFC 8794, section 6.2).
    pub size: Option<u64>,
    /// Length of the header itself, in bytes.
    pub width: usize,
}

/// The result of reading a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParsedHeader {
    Complete(Header),
    /// So many bytes are needed, more than there are.
    Incomplete(usize),
    /// The bytes aren't an element.
    Invalid,
}

impl Header {
    pub(crate) fn read(bytes: &[u8]) -> ParsedHeader {
        let Some(first) = bytes.first() else {
            return ParsedHeader::Incomplete(1);
        };
        let id_width = vint_width(*first);
        if id_width > MAX_ID_WIDTH {
            return ParsedHeader::Invalid;
        }
        let Some((id, rest)) = bytes.split_at_checked(id_width) else {
            return ParsedHeader::Incomplete(id_width + 1);
        };
        let Some(second) = rest.first() else {
            return ParsedHeader::Incomplete(id_width + 1);
        };
        let size_width = vint_width(*second);
        if size_width > MAX_SIZE_WIDTH {
            return ParsedHeader::Invalid;
        }
        let Some(size) = rest.get(..size_width) else {
            return ParsedHeader::Incomplete(id_width + size_width);
        };
        let Some(id) = vint_value(id).filter(|id| VInt64::encode_size(*id) == id_width) else {
            // Longer than necessary, or all ones (RFC 8794, section 5).
            return ParsedHeader::Invalid;
        };
        ParsedHeader::Complete(Self {
            id: VInt64::new(id),
            size: vint_value(size),
            width: id_width + size_width,
        })
    }
}

/// The width of a variable-size integer in bytes, by its first byte. More than eight: it isn't one.
fn vint_width(first: u8) -> usize {
    first.leading_zeros() as usize + 1
}

/// The value of a variable-size integer (RFC 8794, section 4).
/// `None`: all ones, which means an unknown size.
fn vint_value(bytes: &[u8]) -> Option<u64> {
    let bits = 7 * bytes.len().min(MAX_SIZE_WIDTH);
    let ones = (1_u64 << bits) - 1;
    let number = bytes
        .iter()
        .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    Some(number & ones).filter(|value| *value != ones)
}

/// Reads a variable-size integer, and returns what follows.
pub(super) fn read_vint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let width = vint_width(*bytes.first()?);
    let (number, rest) = bytes.split_at_checked(width)?;
    Some((vint_value(number)?, rest))
}

/// Iterates over the elements in a master's body, up to the first that isn't completely in it.
pub(crate) fn children(mut body: &[u8]) -> impl Iterator<Item = (VInt64, &[u8])> {
    std::iter::from_fn(move || {
        let ParsedHeader::Complete(header) = Header::read(body) else {
            return None;
        };
        let (_, rest) = body.split_at_checked(header.width)?;
        let (child, rest) = rest.split_at_checked(usize::try_from(header.size?).ok()?)?;
        body = rest;
        Some((header.id, child))
    })
}

/// Finds the body of the first child of a type.
pub(super) fn find_child<T: Element>(body: &[u8]) -> Option<&[u8]> {
    let (_, child) = children(body).find(|(id, _)| *id == T::ID)?;
    Some(child)
}

/// Decodes the first child of a type, which must be a leaf.
pub(super) fn decode_child<T: Element>(body: &[u8]) -> Option<T> {
    find_child::<T>(body).and_then(decode_leaf)
}

/// Decodes the body of a leaf. Not for masters, which are parsed in this module.
pub(super) fn decode_leaf<T: Element>(mut body: &[u8]) -> Option<T> {
    T::decode_body(&mut body).ok()
}

/// Writes a leaf whose body has fewer than 127 bytes.
pub(super) fn write_leaf<T: Element>(leaf: &T, out: &mut Vec<u8>) {
    let mut body = Vec::new();
    leaf.encode_body(&mut body)
        .expect("writing to memory never fails");
    write_element(T::ID, &body, out);
}

/// Writes an element with this body.
pub(super) fn write_element(id: VInt64, body: &[u8], out: &mut Vec<u8>) {
    write_header(id, body.len() as u64, out);
    out.extend_from_slice(body);
}

/// Writes the header of an element.
pub(super) fn write_header(id: VInt64, size: u64, out: &mut Vec<u8>) {
    write_id(id, out);
    // The width for the size plus one: a size of all ones would mean an unknown size.
    let width = VInt64::encode_size(size.saturating_add(1)).min(MAX_SIZE_WIDTH);
    let marked = size | 1 << (7 * width);
    out.extend_from_slice(&marked.to_be_bytes()[MAX_SIZE_WIDTH - width..]);
}

/// Writes the header of an element of unknown size.
pub(super) fn write_unknown_sized_header(id: VInt64, out: &mut Vec<u8>) {
    write_id(id, out);
    // Of its eight forms the one that Chromium and libwebm write.
    out.extend_from_slice(&[0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
}

/// Writes an id as it stands in a header and in SeekID.
pub(super) fn write_id(id: VInt64, out: &mut Vec<u8>) {
    let bytes = id.as_encoded().to_be_bytes();
    let width = VInt64::encode_size(id.value).min(MAX_ID_WIDTH);
    out.extend_from_slice(&bytes[MAX_SIZE_WIDTH - width..]);
}

#[cfg(test)]
mod tests {
    use mkv_element::prelude as mkv;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_forms_of_the_unknown_size_are_recognized() {
        for width in 1..=8_usize {
            let mut bytes = vec![0x1f, 0x43, 0xb6, 0x75];
            let ones = u64::MAX >> (64 - 7 * width) | 1 << (7 * width);
            bytes.extend_from_slice(&ones.to_be_bytes()[8 - width..]);
            let header = Header {
                id: mkv::Cluster::ID,
                size: None,
                width: 4 + width,
            };
            assert_eq!(
                Header::read(&bytes),
                ParsedHeader::Complete(header),
                "{width}"
            );
        }
    }

    #[test]
    fn bytes_that_are_no_header_are_invalid() {
        for bytes in [
            &[0x00][..],
            &[0x08, 1, 2, 3],
            &[0xa3, 0x00],
            &[0xff, 0x80],
            // The id of SimpleBlock in two bytes instead of one.
            &[0x40, 0x23, 0x80],
        ] {
            assert_eq!(Header::read(bytes), ParsedHeader::Invalid, "{bytes:?}");
        }
    }

    #[test]
    fn iteration_ends_at_an_incomplete_child() {
        let body = [0xd7, 0x81, 5, 0x83, 0x81, 1, 0x86, 0x85, b'V'];
        assert_eq!(children(&body).count(), 2);
        assert_eq!(decode_child(&body), Some(mkv::TrackType(1)));
        assert_eq!(decode_child::<mkv::CodecId>(&body), None);
    }

    proptest! {
        #[test]
        fn a_size_is_read_as_it_was_written(shift in 0_u32..56, noise: u64) {
            let ones = (1_u64 << shift) - 1;
            for size in [ones, 1 << shift, noise & ones] {
                let mut bytes = Vec::new();
                write_header(mkv::Void::ID, size, &mut bytes);
                let header = Header { id: mkv::Void::ID, size: Some(size), width: bytes.len() };
                prop_assert_eq!(Header::read(&bytes), ParsedHeader::Complete(header));
                for cut in 0..bytes.len() {
                    let is_incomplete = matches!(Header::read(&bytes[..cut]), ParsedHeader::Incomplete(needed) if needed > cut);
                    prop_assert!(is_incomplete, "{}", cut);
                }
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            prop_assert!(children(&bytes).count() <= bytes.len());
        }
    }
}
