//! What the operator and load balancers are told.

pub mod gauges;
pub mod readiness;
