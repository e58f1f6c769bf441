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
#[cfg(feature = "recorder")]
mod device;
pub mod dom;
#[cfg(feature = "recorder")]
mod fetch;
mod intl;
#[cfg(feature = "recorder")]
mod js;
mod listener;
mod network;
#[cfg(feature = "recorder")]
mod page;
#[cfg(feature = "console")]
mod player;
mod sharing;
pub mod storage;
#[cfg(feature = "recorder")]
mod tab_lock;
mod time;

pub use intl::format_local_time;
pub use network::{AbortGuard, is_hidden, is_offline, jitter, sleep};
pub use sharing::{copy_to_clipboard, save_file};
pub use time::{parse_time, unix_now};

#[cfg(feature = "recorder")]
pub use self::{
    device::{Hardware, WakeLock, vibrate},
    fetch::{FetchRequest, FetchResponse},
    intl::{format_factor, format_megabytes, format_percent},
    js::Json,
    network::{
        DRAWN, after, downlink_estimate, next_task, on_connection_change, on_hidden, sleep_or_wake,
        timeout,
    },
    page::{is_handheld, on_before_unload, page_locale, page_url, random_name, save_text},
    tab_lock::{LockMode, TabLock},
    time::performance_now,
};

#[cfg(feature = "console")]
pub use self::{
    network::{NO_STORE, sleep_or_return, wait_until_offline},
    player::Player,
    sharing::{can_share, share},
};
#[cfg(feature = "console")]
pub use web_sys::HtmlIFrameElement;
