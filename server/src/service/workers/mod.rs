//! Background jobs.

pub mod orphan_gc;
pub mod periodic;
pub mod sweeper;
