//! The recording island: from "turn on the camera" to "sent". What there is to read and to press stands in
//! [`crate::pages`]; the two know each other by [`marks`].
//!
//! Pure, and tested natively: `machine` (what can happen), `outbox` (what is safe), `retry` (when to try
//! again), `flags` (what is shown when), `measure` (how much a recording may be), `signs` (whether there is
//! anything to see and hear). `session` is the visit, `page` the elements; what the session does stands in
//! `capture`, `pulse`, `take`, `clip`, `keeping`, `submit`, `rejected`, `elsewhere`, `resume` and `visits`;
//! `upload` sends through `link`.

mod capture;
mod clip;
mod elsewhere;
mod flags;
mod keeping;
mod link;
mod machine;
pub mod marks;
mod measure;
mod outbox;
mod page;
mod pulse;
mod rejected;
mod resume;
mod retry;
mod session;
mod signs;
mod status_poll;
mod submit;
mod take;
mod upload;
mod view;

pub use view::Recorder;
