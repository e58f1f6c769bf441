//! A registry of values that exist while they are held, with a count of holders per key.

#[cfg(test)]
mod model;
mod registry;

/// Primitives of the registry. A test compiles it again with loom's types of the same names.
mod sync {
    pub(super) use std::sync::{Arc, Mutex, MutexGuard};
}

pub(in crate::service) use registry::{Slot, SlotRegistry};
