//! Uploads: takes are created, appended to and discarded.

pub mod append;
pub(super) mod buffer;
pub mod checksum;
pub(super) mod removal;
pub(super) mod sniffer;
pub mod takes;
mod writer;
