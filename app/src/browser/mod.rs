//! Wrappers around the browser's APIs; no other module uses web-sys or js-sys.
//!
//! Effects and event handlers call these, so they never run on the server.

mod clipboard;
mod focus;
mod listener;
mod network;
mod time;

pub use clipboard::copy_to_clipboard;
pub use network::{AbortGuard, is_hidden, is_offline, jitter, sleep};
pub use time::{format_local_time, unix_now};

#[cfg(feature = "recorder")]
mod audio_level;
#[cfg(feature = "recorder")]
mod blob;
#[cfg(feature = "recorder")]
mod capture_constraints;
#[cfg(feature = "recorder")]
mod capture_stream;
#[cfg(feature = "recorder")]
mod clip;
#[cfg(feature = "recorder")]
mod devices;
#[cfg(feature = "recorder")]
pub mod element;
#[cfg(feature = "recorder")]
mod frame_sample;
#[cfg(feature = "recorder")]
pub mod indexed_db;
#[cfg(feature = "recorder")]
mod js;
#[cfg(feature = "recorder")]
pub mod local_storage;
#[cfg(feature = "recorder")]
mod mp4_duration;
#[cfg(feature = "recorder")]
mod page;
#[cfg(feature = "recorder")]
mod recording;
#[cfg(feature = "recorder")]
mod tab_lock;
#[cfg(feature = "recorder")]
mod wake_lock;

#[cfg(feature = "recorder")]
pub use self::{
    audio_level::AudioLevelMeter,
    blob::Piece,
    capture_constraints::{CaptureOptions, TrackKind},
    capture_stream::{CaptureError, CaptureStream},
    clip::{Clip, pause, probe_duration, rewind},
    devices::{Device, Devices, capture_support},
    focus::focus_without_scroll,
    frame_sample::sample_frame,
    js::Json,
    network::{downlink_estimate, on_connection_change, on_hidden, sleep_or_online, timeout},
    page::{is_handheld, page_language, page_url, random_name, save_file},
    recording::{Bitrates, Recording, can_record},
    tab_lock::{LockMode, TabLock},
    time::{parse_time, performance_now},
    wake_lock::WakeLock,
};
#[cfg(feature = "recorder")]
pub use web_sys::{HtmlElement, HtmlVideoElement};

#[cfg(feature = "console")]
mod blob_url;
#[cfg(feature = "console")]
mod player;
#[cfg(feature = "console")]
pub mod session_storage;

#[cfg(feature = "console")]
pub use self::{
    blob_url::BlobUrl,
    focus::{focus, focus_within},
    network::{NO_STORE, sleep_or_return, wait_until_offline},
    player::Player,
};
#[cfg(feature = "console")]
pub use web_sys::HtmlIFrameElement;
