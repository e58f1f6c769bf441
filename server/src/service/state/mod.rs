//! What one process holds in memory and shares between calls.

pub mod changes;
pub mod memory_budget;
pub mod poisoned;
pub mod removal_locks;
mod slots;
pub mod transfers;
pub mod upload_locks;
