//! In-memory state of one process, shared between calls.

pub mod changes;
pub mod memory_budget;
pub mod poisoned;
pub mod removal_locks;
pub(super) mod slots;
pub mod transfers;
pub mod upload_locks;
