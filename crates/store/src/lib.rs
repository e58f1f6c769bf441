//! What the server keeps, and what that stands on: rows, objects, ids, the clock, logs and metrics.
//!
//! Below the server and beside the pages, so that a change of those compiles none of this again.
#![recursion_limit = "256"]

pub mod blobs;
pub mod clock;
pub mod db;
pub mod disk;
pub mod id;
pub mod telemetry;
