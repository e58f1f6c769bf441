//! The recording island: from "turn on the camera" to "sent". What there is to read and to press stands in
//! [`crate::pages`]; the two know each other by [`bindings`].
//!
//! Pure, and tested natively: `state` (what can happen), `outbox` (what is safe), `retry` (when to try
//! again), `flags` (what is shown when), `bitrate` (how much a recording may be), `signal_check` (whether there is
//! anything to see and hear). `controller` is the recorder, `dom` the elements; what it does stands in
//! `capture`, `monitor`, `take`, `clip`, `spool`, `submit`, `rejected`, `elsewhere`, `recovery` and `status_poll`;
//! `upload` sends through `link`.

pub mod bindings;
mod bitrate;
mod capture;
mod client;
mod clip;
mod controller;
mod dom;
mod elsewhere;
mod flags;
mod monitor;
mod outbox;
mod recovery;
mod rejected;
mod retry;
mod signal_check;
mod spool;
mod state;
mod status_poll;
mod submit;
mod take;
mod upload;
mod view;

pub use view::Recorder;
