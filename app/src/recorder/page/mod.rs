//! The server-rendered page: its elements, what is shown when, its fields, and presses at the wrong moment.

pub mod button_guard;
pub mod dom;
pub mod flags;
mod inputs;
