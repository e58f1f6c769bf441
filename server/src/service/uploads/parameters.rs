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
