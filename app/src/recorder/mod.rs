//! The recording island: from "turn on the camera" to "video received".
//!
//! Pure, and tested natively: `machine` (what can happen), `outbox` (what is safe), `retry` (when to try
//! again), `words` (what to say). `session` carries things out, `upload` sends, `view` shows `stage` and
//! `controls`.

mod controls;
mod link;
mod machine;
pub mod marks;
mod outbox;
mod retry;
mod session;
mod stage;
mod upload;
mod view;
mod words;

pub use view::Recorder;
