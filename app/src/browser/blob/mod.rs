//! Bytes that the browser holds, and the URLs by which it plays them.

#[cfg(feature = "recorder")]
mod chosen_file;
#[cfg(feature = "recorder")]
mod clip;
#[cfg(feature = "recorder")]
mod mp4_duration;
#[cfg(feature = "recorder")]
mod piece;
#[cfg(feature = "console")]
mod url;

#[cfg(feature = "recorder")]
pub use self::{
    chosen_file::ChosenFile,
    clip::{Clip, has_frames, pause, probe_duration, show_first_frame},
    piece::Piece,
};
#[cfg(feature = "console")]
pub use url::BlobUrl;
