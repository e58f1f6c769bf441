//! Boxes (ISO/IEC 14496-12, section 4.2): a header, and what it holds.
//!
//! Leaves are decoded by `shiguredo_mp4`. Its containers aren't used: they give up on a box they don't
//! expect, and QuickTime files are full of those. Its header reads a `uuid` box's long size from the
//! wrong place, and takes zeros for a box without end.

use shiguredo_mp4::{Decode, Encode};

/// A box's four letters.
pub(super) type Kind = [u8; 4];

/// A header never has more: size, kind, long size.
pub(super) const LONGEST_HEADER: usize = 16;

/// What a box says before its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub kind: Kind,
    /// Of the header itself, in bytes.
    pub length: usize,
    /// Of the content, in bytes. `None`: to the end of what it is in.
    pub content: Option<u64>,
}

/// What the first bytes of a box are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// Its header.
    Header(Header),
    /// Too few to tell.
    Unsure,
    /// No box.
    Nonsense,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Begun {
        let (Some(size), Some(kind)) = (u32_at(bytes, 0), array_at(bytes, 4)) else {
            return Begun::Unsure;
        };
        // Zeros are how files are padded, not a box to the end.
        if kind.iter().any(|letter| *letter < b' ') {
            return Begun::Nonsense;
        }
        let (length, content) = match size {
            0 => (8, None),
            1 => match array_at(bytes, 8) {
                None => return Begun::Unsure,
                Some(long) => match u64::from_be_bytes(long).checked_sub(16) {
                    None => return Begun::Nonsense,
                    content => (16, content),
                },
            },
            2..8 => return Begun::Nonsense,
            size => (8, Some(u64::from(size) - 8)),
        };
        Begun::Header(Self {
            kind,
            length,
            content,
        })
    }
}

/// A box within bytes that are all there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    pub kind: Kind,
    pub content: &'a [u8],
    whole: &'a [u8],
}

impl Node<'_> {
    /// As a leaf of this type.
    pub(super) fn decode<T: Decode>(&self) -> Option<T> {
        T::decode(self.whole).ok().map(|(leaf, _)| leaf)
    }

    /// A copy whose size is written out, even where it wasn't.
    pub(super) fn copy_to(&self, out: &mut Vec<u8>) -> Option<()> {
        enclose(out, self.kind, |out| {
            out.extend_from_slice(self.content);
            Some(())
        })
    }
}

/// The boxes that lie one behind the other, up to the first that isn't whole.
pub(super) fn nodes(mut bytes: &[u8]) -> impl Iterator<Item = Node<'_>> {
    std::iter::from_fn(move || {
        let Begun::Header(header) = Header::read(bytes) else {
            return None;
        };
        let end = match header.content {
            None => bytes.len(),
            Some(content) => header.length.checked_add(usize::try_from(content).ok()?)?,
        };
        let (whole, rest) = bytes.split_at_checked(end)?;
        bytes = rest;
        Some(Node {
            kind: header.kind,
            content: whole.get(header.length..)?,
            whole,
        })
    })
}

/// The first box of this kind.
pub(super) fn node(bytes: &[u8], kind: Kind) -> Option<Node<'_>> {
    nodes(bytes).find(|node| node.kind == kind)
}

/// What is in the boxes of these kinds, each in the one before.
pub(super) fn within<'a>(bytes: &'a [u8], path: &[Kind]) -> Option<&'a [u8]> {
    path.iter()
        .try_fold(bytes, |bytes, kind| Some(node(bytes, *kind)?.content))
}

/// Writes a box around what `write` writes. `None`: that failed, or is 4 GiB or more.
pub(super) fn enclose(
    out: &mut Vec<u8>,
    kind: Kind,
    write: impl FnOnce(&mut Vec<u8>) -> Option<()>,
) -> Option<()> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&kind);
    write(out)?;
    let size = u32::try_from(out.len() - start).ok()?;
    out.get_mut(start..start + 4)?
        .copy_from_slice(&size.to_be_bytes());
    Some(())
}

/// Writes a leaf.
pub(super) fn encode(out: &mut Vec<u8>, leaf: &impl Encode) -> Option<()> {
    out.extend(leaf.encode_to_vec().ok()?);
    Some(())
}

pub(super) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_be_bytes)
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_how_far_its_box_goes() {
        let header = |length, content| {
            Begun::Header(Header {
                kind: *b"mdat",
                length,
                content,
            })
        };
        for (bytes, want) in [
            (&b"\0\0\0\x08mdat"[..], header(8, Some(0))),
            (b"\0\0\x01\0mdat", header(8, Some(248))),
            (b"\0\0\0\0mdat", header(8, None)),
            (b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x11", header(16, Some(1))),
            (b"\0\0\0\x01mdat\0\0\0\0\0\0\0\x0f", Begun::Nonsense),
            (b"\0\0\0\x01mdat\0\0\0\0\0\0\0", Begun::Unsure),
            (b"\0\0\0\x07mdat", Begun::Nonsense),
            (b"\0\0\0\0\0\0\0\0", Begun::Nonsense),
            (b"\0\0\0\x08mda", Begun::Unsure),
            (b"", Begun::Unsure),
        ] {
            assert_eq!(Header::read(bytes), want, "{bytes:?}");
        }
        let spaces = Header::read(b"\0\0\0\x08url ");
        assert!(matches!(spaces, Begun::Header(_)), "{spaces:?}");
    }

    #[test]
    fn what_follows_a_broken_box_isnt_looked_at() {
        let bytes = b"\0\0\0\x09abcd!\0\0\0\x08efgh\0\0\0\x20ijkl\0\0\0\x08";
        let kinds: Vec<_> = nodes(bytes).map(|node| node.kind).collect();
        assert_eq!(kinds, [*b"abcd", *b"efgh"]);
        assert_eq!(
            node(b"\0\0\0\0last....", *b"last").map(|node| node.content),
            Some(&b"...."[..])
        );
    }

    #[test]
    fn a_copy_has_a_size() {
        let mut out = Vec::new();
        let node = node(b"\0\0\0\0last....", *b"last").expect("there");
        assert_eq!(node.copy_to(&mut out), Some(()));
        assert_eq!(out, b"\0\0\0\x0clast....");
    }
}
