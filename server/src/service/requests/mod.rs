//! Requests: creation, status, deletion and access control.

pub mod access;
pub mod lifecycle;
pub mod long_poll;
