//! Wrappers around the browser's APIs; no other module uses web-sys or js-sys.
//!
//! Effects and event handlers call these, so they never run on the server.
//!
//! - `capture`: cameras, microphones and screens
//! - `blob`: bytes and their URLs
//! - `dom`: elements and focus
//! - `storage`: IndexedDB, `localStorage` and `sessionStorage`
//! - `js` and `listener`: what the others are made of

pub mod blob;
#[cfg(feature = "recorder")]
pub mod capture;
mod clipboard;
pub mod dom;
mod download;
#[cfg(feature = "recorder")]
mod fetch;
#[cfg(feature = "recorder")]
mod hardware;
mod intl;
#[cfg(feature = "recorder")]
mod js;
mod listener;
mod network;
#[cfg(feature = "recorder")]
mod page;
#[cfg(feature = "console")]
mod player;
#[cfg(feature = "console")]
mod share;
pub mod storage;
#[cfg(feature = "recorder")]
mod tab_lock;
mod time;
#[cfg(feature = "recorder")]
mod wake_lock;

pub use clipboard::copy_to_clipboard;
pub use download::save_file;
pub use intl::format_local_time;
pub use network::{AbortGuard, is_hidden, is_offline, jitter, sleep};
pub use time::{parse_time, unix_now};

#[cfg(feature = "recorder")]
pub use self::{
    fetch::{FetchRequest, FetchResponse},
    hardware::{Hardware, vibrate},
    intl::{format_factor, format_megabytes, format_percent},
    js::Json,
    network::{after, downlink_estimate, on_connection_change, on_hidden, sleep_or_wake, timeout},
    page::{is_handheld, on_before_unload, page_locale, page_url, random_name, save_text},
    tab_lock::{LockMode, TabLock},
    time::performance_now,
    wake_lock::WakeLock,
};

#[cfg(feature = "console")]
pub use self::{
    network::{NO_STORE, sleep_or_return, wait_until_offline},
    player::Player,
    share::{can_share, share},
};
#[cfg(feature = "console")]
pub use web_sys::HtmlIFrameElement;
