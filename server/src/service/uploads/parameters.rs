//! Parameters of an append, as the client declares them.

use crate::service::uploads::checksum::Checksum;

/// Parameters of an append, as the client declares them.
pub struct Append {
    /// Offset of the first byte in the take.
    pub offset: u64,
    /// Whether and where the take ends.
    pub end: End,
    /// Declared length of the whole take, in bytes.
    pub length: Option<u64>,
    /// Digest of the bytes. They are committed only if they are complete and match it.
    pub checksum: Option<Checksum>,
}

/// End of a take, as an append declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// More bytes follow in another append.
    Open,
    /// The take ends with these bytes.
    Here,
    /// The take ends at its declared length.
    AtLength,
}

impl End {
    /// Whether a take of `declared` length that has `length` bytes is complete, even if the body goes on.
    ///
    /// A client that has declared the length may send no further request once it is reached.
    pub(in crate::service) fn is_reached(self, declared: Option<u64>, length: u64) -> bool {
        self == Self::AtLength && declared == Some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_take_that_ends_at_its_declared_length_is_complete_there() {
        for (end, declared, length, want) in [
            (End::AtLength, Some(10), 10, true),
            (End::AtLength, Some(10), 9, false),
            (End::AtLength, None, 10, false),
            (End::Open, Some(10), 10, false),
            (End::Here, Some(10), 10, false),
        ] {
            assert_eq!(end.is_reached(declared, length), want, "{end:?}");
        }
    }
}
