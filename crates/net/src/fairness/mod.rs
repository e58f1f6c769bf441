//! Fairness between clients: limits that all connections of one address or IPv6 site share.

pub mod address;
pub mod frames;
pub mod overhead;
pub mod precedence;
pub mod scheduler;
