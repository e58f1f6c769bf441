//! Elements as EBML writes them (RFC 8794): an id, a size, a body.
//!
//! Ids and the values of leaves come from `mkv_element`, which has them from the specification. Heads and
//! masters are done here. The crate knows one of the eight forms of an unknown size, writes 16,383 bytes as
//! another of them, descends into nested tags without limit, refuses masters that players accept, and logs
//! every element it doesn't know: no good in front of what strangers send.

use mkv_element::prelude::{Element, VInt64};

/// An id has at most four bytes (RFC 9559, section 4), a size at most eight.
const LONGEST_ID: usize = 4;
const LONGEST_SIZE: usize = 8;

/// What stands in front of an element's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub id: VInt64,
    /// Of the body, in bytes. `None`: unknown, it ends where something begins that can't be part of it.
    pub size: Option<u64>,
    /// Of the head itself, in bytes.
    pub width: usize,
}

/// What the first bytes of an element say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// The head is whole.
    Head(Head),
    /// That many bytes are needed, more than there are.
    Short(usize),
    /// No element begins so.
    Junk,
}

impl Head {
    pub(super) fn read(bytes: &[u8]) -> Begun {
        let Some(first) = bytes.first() else {
            return Begun::Short(1);
        };
        let id_width = width(*first);
        if id_width > LONGEST_ID {
            return Begun::Junk;
        }
        let Some((id, rest)) = bytes.split_at_checked(id_width) else {
            return Begun::Short(id_width + 1);
        };
        let Some(second) = rest.first() else {
            return Begun::Short(id_width + 1);
        };
        let size_width = width(*second);
        if size_width > LONGEST_SIZE {
            return Begun::Junk;
        }
        let Some(size) = rest.get(..size_width) else {
            return Begun::Short(id_width + size_width);
        };
        let Some(id) = value(id).filter(|id| VInt64::encode_size(*id) == id_width) else {
            // Longer than it needs to be, or nothing but ones: RFC 8794, section 5.
            return Begun::Junk;
        };
        Begun::Head(Self {
            id: VInt64::new(id),
            size: value(size),
            width: id_width + size_width,
        })
    }
}

/// How many bytes a variable-size integer has, by its first one. More than eight: it is none.
fn width(first: u8) -> usize {
    first.leading_zeros() as usize + 1
}

/// A variable-size integer (RFC 8794, section 4). `None`: all ones, which is kept for the unknown size.
fn value(bytes: &[u8]) -> Option<u64> {
    let bits = 7 * bytes.len().min(LONGEST_SIZE);
    let ones = (1_u64 << bits) - 1;
    let number = bytes
        .iter()
        .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    Some(number & ones).filter(|value| *value != ones)
}

/// A variable-size integer that stands alone, and what follows it.
pub(super) fn read_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let width = width(*bytes.first()?);
    let (number, rest) = bytes.split_at_checked(width)?;
    Some((value(number)?, rest))
}

/// The elements in a master's body, in their order, up to the first that doesn't fit.
pub(super) fn children(mut body: &[u8]) -> impl Iterator<Item = (VInt64, &[u8])> {
    std::iter::from_fn(move || {
        let Begun::Head(head) = Head::read(body) else {
            return None;
        };
        let (_, rest) = body.split_at_checked(head.width)?;
        let (child, rest) = rest.split_at_checked(usize::try_from(head.size?).ok()?)?;
        body = rest;
        Some((head.id, child))
    })
}

/// The first child of one kind, if it can be read.
pub(super) fn child<T: Element>(body: &[u8]) -> Option<T> {
    let (_, value) = children(body).find(|(id, _)| *id == T::ID)?;
    leaf(value)
}

/// A leaf's value: only for leaves, see above.
pub(super) fn leaf<T: Element>(mut body: &[u8]) -> Option<T> {
    T::decode_body(&mut body).ok()
}

/// Writes a leaf: its value has fewer than 127 bytes.
pub(super) fn put_leaf<T: Element>(leaf: &T, out: &mut Vec<u8>) {
    let mut body = Vec::new();
    leaf.encode_body(&mut body)
        .expect("memory takes every byte");
    put_master(T::ID, &body, out);
}

/// Writes an element around a body.
pub(super) fn put_master(id: VInt64, body: &[u8], out: &mut Vec<u8>) {
    put_head(id, body.len() as u64, out);
    out.extend_from_slice(body);
}

/// Writes the head of an element whose body follows, or is elsewhere.
pub(super) fn put_head(id: VInt64, size: u64, out: &mut Vec<u8>) {
    put_id(id, out);
    // One more than fits, so that no size looks like the unknown one.
    let width = VInt64::encode_size(size.saturating_add(1)).min(LONGEST_SIZE);
    let marked = size | 1 << (7 * width);
    out.extend_from_slice(&marked.to_be_bytes()[LONGEST_SIZE - width..]);
}

/// Writes the head of an element that ends where the file ends.
pub(super) fn put_endless_head(id: VInt64, out: &mut Vec<u8>) {
    put_id(id, out);
    // Of the eight forms the one that Chromium and libwebm write.
    out.extend_from_slice(&[0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
}

/// An id as SeekHead and the head of an element have it.
pub(super) fn put_id(id: VInt64, out: &mut Vec<u8>) {
    let bytes = id.as_encoded().to_be_bytes();
    let width = VInt64::encode_size(id.value).min(LONGEST_ID);
    out.extend_from_slice(&bytes[LONGEST_SIZE - width..]);
}

#[cfg(test)]
mod tests {
    use mkv_element::prelude as mkv;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_forms_of_the_unknown_size_are_known() {
        for width in 1..=8_usize {
            let mut bytes = vec![0x1f, 0x43, 0xb6, 0x75];
            let ones = u64::MAX >> (64 - 7 * width) | 1 << (7 * width);
            bytes.extend_from_slice(&ones.to_be_bytes()[8 - width..]);
            let head = Head {
                id: mkv::Cluster::ID,
                size: None,
                width: 4 + width,
            };
            assert_eq!(Head::read(&bytes), Begun::Head(head), "{width}");
        }
    }

    #[test]
    fn what_is_no_head_is_junk() {
        for bytes in [
            &[0x00][..],
            &[0x08, 1, 2, 3],
            &[0xa3, 0x00],
            &[0xff, 0x80],
            // The id of a block in two bytes.
            &[0x40, 0x23, 0x80],
        ] {
            assert_eq!(Head::read(bytes), Begun::Junk, "{bytes:?}");
        }
    }

    #[test]
    fn children_end_where_one_does_not_fit() {
        let body = [0xd7, 0x81, 5, 0x83, 0x81, 1, 0x86, 0x85, b'V'];
        assert_eq!(children(&body).count(), 2);
        assert_eq!(child(&body), Some(mkv::TrackType(1)));
        assert_eq!(child::<mkv::CodecId>(&body), None);
    }

    proptest! {
        #[test]
        fn a_size_is_read_as_it_was_written(shift in 0_u32..56, noise: u64) {
            let ones = (1_u64 << shift) - 1;
            for size in [ones, 1 << shift, noise & ones] {
                let mut bytes = Vec::new();
                put_head(mkv::Void::ID, size, &mut bytes);
                let head = Head { id: mkv::Void::ID, size: Some(size), width: bytes.len() };
                prop_assert_eq!(Head::read(&bytes), Begun::Head(head));
                for cut in 0..bytes.len() {
                    let short = matches!(Head::read(&bytes[..cut]), Begun::Short(want) if want > cut);
                    prop_assert!(short, "{}", cut);
                }
            }
        }

        #[test]
        fn any_bytes_can_be_looked_at(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            prop_assert!(children(&bytes).count() <= bytes.len());
        }
    }
}
