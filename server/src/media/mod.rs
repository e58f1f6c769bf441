//! Bytes in, facts out. No I/O.

mod container;

pub use container::Container;
