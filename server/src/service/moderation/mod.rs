//! Reports and takedowns.

pub mod reports;
pub mod takedown;
