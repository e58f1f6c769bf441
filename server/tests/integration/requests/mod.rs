//! The lifecycle of a request: creation, status, long polls, expiry, deletion.

mod api;
mod clock_jumps;
mod expiry;
mod long_poll;
mod revocation;
