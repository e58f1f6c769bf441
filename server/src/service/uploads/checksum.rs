//! Checksum of the bytes of one append, as the client declared it.
//!
//! The bytes are committed only if they match.

use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Digest as _, Sha256, Sha512};

/// Supported algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// SHA-1, which some clients support alone.
    ///
    /// It detects accidental damage, and doesn't protect against attackers.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
}

/// A declared digest, and the state of the one that is computed.
pub struct Checksum {
    want: Vec<u8>,
    seen: Box<dyn DynDigest + Send + Sync>,
}

impl Checksum {
    /// Creates a checksum. `None`: the digest has the wrong length for the algorithm.
    pub fn new(algorithm: Algorithm, want: Vec<u8>) -> Option<Self> {
        let seen: Box<dyn DynDigest + Send + Sync> = match algorithm {
            Algorithm::Sha1 => Box::new(Sha1::new()),
            Algorithm::Sha256 => Box::new(Sha256::new()),
            Algorithm::Sha512 => Box::new(Sha512::new()),
        };
        (want.len() == seen.output_size()).then_some(Self { want, seen })
    }

    /// Adds the next bytes.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.seen.update(bytes);
    }

    /// Whether the bytes have the declared digest.
    pub(super) fn holds(self) -> bool {
        *self.seen.finalize() == *self.want
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_holds_for_its_own_bytes_alone() {
        // SHA-1 of "abc": FIPS 180, appendix A.1.
        let want = "a9993e364706816aba3e25717850c26c9cd0d89d";
        let want: Vec<u8> = (0..want.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&want[at..at + 2], 16).expect("hex"))
            .collect();
        for (pieces, holds) in [
            (vec!["abc"], true),
            (vec!["a", "", "bc"], true),
            (vec!["abd"], false),
            (vec!["ab"], false),
        ] {
            let mut checksum = Checksum::new(Algorithm::Sha1, want.clone()).expect("20 bytes");
            pieces
                .iter()
                .for_each(|piece| checksum.update(piece.as_bytes()));
            assert_eq!(checksum.holds(), holds, "{pieces:?}");
        }
        assert!(Checksum::new(Algorithm::Sha256, want).is_none());
    }
}
