//! Camera, screen and microphone: opened, monitored and recorded.
//!
//! `source` opens them by `options`; `monitor` watches the open source with `signal_check` and `stall`; `recording`
//! records it, for as long and as finely as `bitrate` says.

pub mod bitrate;
pub mod monitor;
pub mod options;
pub mod recording;
mod signal_check;
pub mod source;
mod stall;
