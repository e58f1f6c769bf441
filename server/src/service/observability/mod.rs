//! Values of metrics for the operator, and readiness for load balancers.

mod cache;
pub mod queried;
pub mod readiness;
pub mod snapshot;
