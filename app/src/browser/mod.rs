//! The browser's interfaces, wrapped: web-sys and js-sys live here and nowhere else. Everything here
//! is called from effects and event handlers only, so never on the server.

mod clipboard;
mod focus;
mod listener;
mod network;
mod time;

pub use clipboard::copy;
pub use network::{Abort, is_hidden, is_offline, jitter, wait};
pub use time::{local_time, now};

#[cfg(feature = "recorder")]
mod camera;
#[cfg(feature = "recorder")]
mod clip;
#[cfg(feature = "recorder")]
mod device;
#[cfg(feature = "recorder")]
pub mod element;
#[cfg(feature = "recorder")]
mod glance;
#[cfg(feature = "recorder")]
mod meter;
#[cfg(feature = "recorder")]
mod mp4_length;
#[cfg(feature = "recorder")]
mod object;
#[cfg(feature = "recorder")]
mod only;
#[cfg(feature = "recorder")]
mod piece;
#[cfg(feature = "recorder")]
mod recording;
#[cfg(feature = "recorder")]
pub mod store;
#[cfg(feature = "recorder")]
mod wake;

#[cfg(feature = "recorder")]
pub use self::{
    camera::{Camera, Denial, Device, Devices, Wish, can_capture},
    clip::{Clip, learn_duration, pause, rewind},
    device::{address, is_handheld, keep_in_mind, language, line, random_name, recall, save},
    focus::focus,
    glance::glance,
    meter::Meter,
    network::{on_connection, on_hidden, wait_or_online, within},
    object::Json,
    only::{Claim, TabLock},
    piece::Piece,
    recording::{Recording, can_record},
    time::{moment, page_time},
    wake::Wake,
};
#[cfg(feature = "recorder")]
pub use web_sys::{HtmlElement, HtmlVideoElement};

#[cfg(feature = "console")]
mod blob_url;
#[cfg(feature = "console")]
mod player;
#[cfg(feature = "console")]
mod tab;

#[cfg(feature = "console")]
pub use self::{
    blob_url::BlobUrl,
    focus::{focus_within, go_to},
    network::{UNCACHED, offline, wait_or_back},
    player::Player,
    tab::{forget, remember, remembered},
};
#[cfg(feature = "console")]
pub use web_sys::HtmlIFrameElement;
