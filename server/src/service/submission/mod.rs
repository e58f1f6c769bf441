//! What the recording page asks for.

pub mod page_state;
