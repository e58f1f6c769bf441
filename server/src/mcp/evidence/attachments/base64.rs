//! Base64 of a stream, piece by piece: RFC 4648, section 4.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};

/// The length of the base64 of so many bytes.
pub const fn encoded_length(bytes: u64) -> u64 {
    bytes.div_ceil(3) * 4
}

/// Encodes bytes that arrive in pieces of any size.
///
/// Between pieces it keeps only the bytes that don't fill a group of three.
#[derive(Debug, Default)]
pub struct Encoder {
    rest: BytesMut,
}

impl Encoder {
    /// Encodes a piece as far as complete groups of three bytes allow.
    pub fn encode(&mut self, piece: &[u8]) -> Bytes {
        let missing = (3 - self.rest.len()) % 3;
        let (first, piece) = piece.split_at(missing.min(piece.len()));
        self.rest.extend_from_slice(first);
        let (whole, last) = piece.split_at(piece.len() - piece.len() % 3);
        let mut out = String::with_capacity(4 + whole.len() / 3 * 4);
        if self.rest.len() == 3 {
            STANDARD.encode_string(self.rest.split(), &mut out);
        }
        STANDARD.encode_string(whole, &mut out);
        self.rest.extend_from_slice(last);
        out.into()
    }

    /// Encodes the remaining bytes, with padding.
    pub fn finish(self) -> Bytes {
        STANDARD.encode(self.rest).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn streaming_in_pieces_equals_encoding_the_whole(pieces: Vec<Vec<u8>>) {
            let mut encoder = Encoder::default();
            let mut encoded = Vec::new();
            for piece in &pieces {
                encoded.extend_from_slice(&encoder.encode(piece));
            }
            encoded.extend_from_slice(&encoder.finish());
            let whole = pieces.concat();
            prop_assert_eq!(encoded.len() as u64, encoded_length(whole.len() as u64));
            prop_assert_eq!(encoded, STANDARD.encode(&whole).into_bytes());
        }
    }
}
