//! A request: created, polled, deleted; and who may do what with it.

pub mod access;
pub mod lifecycle;
pub mod long_poll;
