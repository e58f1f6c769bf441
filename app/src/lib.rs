//! What server and browser share: wire types, pages, and the islands, each behind a feature.

pub mod api;
pub mod backoff;
mod browser;
#[cfg(feature = "console")]
pub mod console;
pub mod format;
#[cfg(feature = "ssr")]
pub mod locale;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
pub mod prompt;
#[cfg(feature = "console")]
pub mod qr;
#[cfg(feature = "recorder")]
pub mod recorder;
pub mod video_metadata;
