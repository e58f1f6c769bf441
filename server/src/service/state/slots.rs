//! Values that exist as long as they are held: a registry that counts the holders of each key.

#[cfg(test)]
mod model;
mod registry;

/// What the registry is built on. Its test compiles it a second time, on loom's types of the same names.
mod sync {
    pub(super) use std::sync::{Arc, Mutex, MutexGuard};
}

pub(in crate::service) use registry::{Slot, SlotRegistry};
