//! Camera, screen and microphone: opened, monitored and recorded.
//!
//! `source` opens them by `options`, as large as `resolution` and with the lens that `lens` says; `camera_tools` adjusts
//! light, `zoom` and focus, one request at a time by `latest`; `monitor` watches the open source with `signal_check` and
//! `stall`; `recording` records it, for as long and as finely as `bitrate` says.

pub mod bitrate;
pub mod camera_tools;
mod focus;
mod latest;
mod lens;
pub mod monitor;
pub mod options;
pub mod recording;
mod resolution;
mod signal_check;
pub mod source;
mod stall;
mod zoom;
