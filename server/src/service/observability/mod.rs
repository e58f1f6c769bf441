//! Metrics for the operator, and readiness for load balancers.

mod cache;
pub mod gauges;
pub mod queried;
pub mod readiness;
