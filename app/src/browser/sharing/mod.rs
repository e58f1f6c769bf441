//! Handing text and files to the person and to other programs.

mod clipboard;
mod download;
#[cfg(feature = "console")]
mod share;

pub use clipboard::copy_to_clipboard;
pub use download::save_file;
#[cfg(feature = "console")]
pub use share::{can_share, share};
