//! Bytes in, facts out. No I/O.

mod container;
mod sniff;

pub use container::Container;
pub use sniff::{SNIFF_BYTES, Sniffed, sniff};
