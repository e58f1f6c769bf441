//! The recording page's island.
//! What it shows is rendered by [`crate::pages`]; [`bindings`] connects the two.
//!
//! `controller` is the recorder, and what it shows is `observed`; `dispatch` passes its events to `state` and carries out
//! what that decides. The recorder's methods are with the data that they change:
//! - `page`: elements, flags and fields
//! - `capture`: the source, before and during the recording
//! - `take`: a recording or a file, from its first byte to its submission, on this device
//! - `upload`: its way to the server
//! - `tab_handover`, `status_poll`: other tabs, other devices
//!
//! Pure, and tested natively: `state` (the state machine and its effects), `page::flags` (what is shown when),
//! `upload::outbox` and `upload::part_size` (what to send next), `upload::response` (what a response means), and of
//! `capture` `bitrate`, `resolution`, `lens`, `zoom`, `focus`, `latest`, `signal_check` (silence and darkness) and
//! `stall`.

pub mod bindings;
mod capture;
mod controller;
mod dispatch;
mod observed;
mod page;
mod state;
mod status_poll;
mod tab_handover;
mod take;
mod upload;
mod view;

pub use view::Recorder;
