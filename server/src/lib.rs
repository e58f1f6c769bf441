//! The Vidence server. `main` parses and starts it; tests start it in the same way.
#![recursion_limit = "256"]

pub mod blobs;
mod bootstrap;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
mod disk;
mod http;
pub mod id;
mod mcp;
pub mod outbound;
pub mod receipts;
pub mod service;
mod storage;
pub mod telemetry;

pub use bootstrap::{StartError, attach, open, run};
pub use http::{Assets, router, serve_admin};
pub use net::{ListenerConfig, Timeouts, Tls};
pub use storage::{DataDir, StorageError};
