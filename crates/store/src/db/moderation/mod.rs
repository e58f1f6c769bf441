//! Reports of requests, and takedowns by the operator.

pub(super) mod reports;
pub(super) mod takedowns;
