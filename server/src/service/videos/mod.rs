//! Submitted videos: their bytes, metadata and stills.

pub(super) mod extents;
pub mod metadata;
mod provenance;
pub mod receipt;
pub mod stream;
