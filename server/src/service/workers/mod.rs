//! Background jobs.

pub mod change_poller;
pub mod clock_sync;
pub mod job_statuses;
pub mod orphan_gc;
pub mod periodic;
pub mod refusal_reports;
pub mod sweeper;
pub mod transfer_expiry;
