//! Fairness between clients: what all connections of one address, or of one IPv6 site, share.

pub mod address;
pub mod overhead;
pub mod precedence;
pub mod scheduler;
