//! Metrics for the operator, and readiness for load balancers.

pub mod gauges;
pub mod readiness;
