//! Takes: begun, appended to, discarded, submitted.

pub mod append;
pub(super) mod buffer;
pub mod checksum;
pub(super) mod sniffer;
pub mod takes;
