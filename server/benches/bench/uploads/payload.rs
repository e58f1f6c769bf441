//! The uploaded bytes.

use bytes::Bytes;

/// An EBML header with the DocType "webm", for servers that detect the media type.
const HEAD: &[u8] = b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webm";

/// Bytes without repetition: no disk can compress them, and no server can mistake one for another.
pub struct Payload(Bytes);

impl Payload {
    pub fn new(length: usize) -> Self {
        Self(noise(length).into())
    }

    /// Pieces of `piece` bytes of the `upload`-th of several uploads, each a part of its own.
    /// Copies only the first piece, to put the header on.
    pub fn pieces(&self, upload: usize, length: usize, piece: usize) -> Vec<Bytes> {
        let part = self.0.slice(upload * length..(upload + 1) * length);
        let cut = |start: usize| part.slice(start..(start + piece).min(length));
        let mut pieces: Vec<Bytes> = (0..length).step_by(piece).map(cut).collect();
        if let Some(first) = pieces.first_mut() {
            *first = [HEAD, &first[HEAD.len()..]].concat().into();
        }
        pieces
    }
}

/// Pseudo-random bytes without repetition.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let words = length.div_ceil(size_of::<u64>());
    let mut bytes: Vec<u8> = (0..words).flat_map(|_| next()).collect();
    bytes.truncate(length);
    bytes
}
