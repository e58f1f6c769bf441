//! The recording page: its state, and the submission of a take.

pub mod page_state;
pub mod submit;
pub(in crate::service) mod ticks;
