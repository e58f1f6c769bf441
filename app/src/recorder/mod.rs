//! The recording page's island. What it shows is rendered by [`crate::pages`]; [`bindings`] connects the two.
//!
//! Pure, and tested natively: `state` (the state machine and its side effects), `flags` (what is shown when), `outbox`
//! and `part_size` (what to upload next), `response` (what a response means), `bitrate`, `stopwatch`, and
//! `signal_check` (silence and darkness).
//!
//! `controller` is the recorder, and `dom` the page. The recorder's methods are with the data that they change:
//! - `capture`, `capture_options`, `inputs`, `monitor`: the source before and during the recording
//! - `recording`, `file`, `take`, `clip`: the take
//! - `spool` → `upload` → `client`: its way to the server, with `upload_status`, `retry` and `throughput`
//! - `submit`, `discarded`: its end
//! - `recovery`, `tab_handover`, `status_poll`: earlier visits, other tabs, other devices
//! - `button_guard`: presses at the wrong moment

pub mod bindings;
mod bitrate;
mod button_guard;
mod capture;
mod capture_options;
mod client;
mod clip;
mod controller;
mod discarded;
mod dom;
mod file;
mod flags;
mod inputs;
mod monitor;
mod outbox;
mod part_size;
mod recording;
mod recovery;
mod response;
mod retry;
mod signal_check;
mod spool;
mod state;
mod status_poll;
mod stopwatch;
mod submit;
mod tab_handover;
mod take;
mod throughput;
mod upload;
mod upload_status;
mod view;

pub use view::Recorder;
