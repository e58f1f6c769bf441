//! Uploads: takes are created, appended to and discarded.

pub mod append;
pub(super) mod buffer;
pub mod checksum;
pub mod creation;
pub(super) mod lookup;
mod parameters;
pub(super) mod sniffer;
pub mod takes;
mod writer;
