//! Reports, takedowns, and who runs the server.

pub mod operator;
pub mod reports;
pub mod takedown;
