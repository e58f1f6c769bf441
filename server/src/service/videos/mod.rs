//! A submitted video: its bytes, and what is known of it.

pub(super) mod extents;
pub mod metadata;
pub mod stream;
