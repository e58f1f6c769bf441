//! The lifecycle of a request: creation, status, long polls, expiry, deletion.

mod access;
mod api;
mod clock_jumps;
mod expiry;
mod long_poll;
mod removal;
mod revocation;
mod revocation_http2;
