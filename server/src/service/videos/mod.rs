//! Submitted videos: their bytes, metadata and stills.

mod captions;
pub mod decoder_turns;
pub(super) mod extents;
pub mod metadata;
pub mod picture;
mod provenance;
pub mod receipt;
pub mod stream;
pub mod transcript;
