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
mod audio_level;
#[cfg(feature = "recorder")]
mod blob;
#[cfg(feature = "recorder")]
mod camera;
#[cfg(feature = "recorder")]
mod clip;
#[cfg(feature = "recorder")]
mod device;
#[cfg(feature = "recorder")]
pub mod element;
#[cfg(feature = "recorder")]
mod frame_sample;
#[cfg(feature = "recorder")]
pub mod indexed_db;
#[cfg(feature = "recorder")]
mod js;
#[cfg(feature = "recorder")]
mod mp4_length;
#[cfg(feature = "recorder")]
mod recording;
#[cfg(feature = "recorder")]
mod tab_lock;
#[cfg(feature = "recorder")]
mod wake_lock;

#[cfg(feature = "recorder")]
pub use self::{
    audio_level::Meter,
    blob::Piece,
    camera::{Camera, CaptureOptions, Denial, Device, Devices, can_capture},
    clip::{Clip, learn_duration, pause, rewind},
    device::{address, get_local, is_handheld, language, line, random_name, save, set_local},
    focus::focus,
    frame_sample::glance,
    js::Json,
    network::{on_connection, on_hidden, wait_or_online, within},
    recording::{Recording, can_record},
    tab_lock::{Claim, TabLock},
    time::{moment, page_time},
    wake_lock::Wake,
};
#[cfg(feature = "recorder")]
pub use web_sys::{HtmlElement, HtmlVideoElement};

#[cfg(feature = "console")]
mod blob_url;
#[cfg(feature = "console")]
mod player;
#[cfg(feature = "console")]
mod session_storage;

#[cfg(feature = "console")]
pub use self::{
    blob_url::BlobUrl,
    focus::{focus_within, go_to},
    network::{UNCACHED, offline, wait_or_back},
    player::Player,
    session_storage::{get, remove, set},
};
#[cfg(feature = "console")]
pub use web_sys::HtmlIFrameElement;
