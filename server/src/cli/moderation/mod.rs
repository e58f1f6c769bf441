//! Commands against abuse.

pub(super) mod reports;
pub(super) mod takedown;
