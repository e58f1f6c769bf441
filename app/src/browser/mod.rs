//! The browser's interfaces, wrapped: web-sys and js-sys live here and nowhere else. Everything here
//! is called from effects and event handlers only, so never on the server.

#[cfg(feature = "console")]
mod blob_url;
#[cfg(feature = "recorder")]
mod camera;
#[cfg(feature = "recorder")]
mod clip;
#[cfg(feature = "console")]
mod clipboard;
mod focus;
mod listener;
mod network;
#[cfg(feature = "recorder")]
mod piece;
#[cfg(feature = "console")]
mod player;
#[cfg(feature = "recorder")]
mod recording;
#[cfg(feature = "console")]
mod tab;
mod time;

pub use network::{Abort, jitter};
pub use time::{local_time, now};

#[cfg(feature = "recorder")]
mod for_recorder {
    pub use super::camera::{Camera, Denial};
    pub use super::clip::{Clip, learn_duration, pause, rewind};
    pub use super::focus::focus;
    pub use super::network::wait_or_online;
    pub use super::piece::Piece;
    pub use super::recording::Recording;
    pub use web_sys::{HtmlElement, HtmlVideoElement};
}

#[cfg(feature = "recorder")]
pub use for_recorder::*;

#[cfg(feature = "console")]
mod for_console {
    pub use super::blob_url::BlobUrl;
    pub use super::clipboard::copy;
    pub use super::focus::{focus_within, go_to};
    pub use super::network::{UNCACHED, is_hidden, is_offline, offline, wait, wait_or_back};
    pub use super::player::Player;
    pub use super::tab::{forget, remember, remembered};
    pub use web_sys::HtmlIFrameElement;
}

#[cfg(feature = "console")]
pub use for_console::*;
