//! The server-rendered page: its elements, what is shown when, its fields, its way out of an app, and presses at the wrong
//! moment.

pub mod button_guard;
pub mod dom;
pub mod flags;
mod inputs;
mod outside;
