//! The Vidence server. `main` parses and starts it; tests start it in the same way.
#![recursion_limit = "256"]

mod allocator;
pub mod blobs;
mod bootstrap;
pub mod cli;
pub mod clock;
pub mod config;
mod data_dir;
pub mod db;
mod http;
pub mod id;
mod json_error;
mod mcp;
pub mod origin;
pub mod public_url;
pub mod service;
mod storage;
pub mod telemetry;
mod tls;

pub use bootstrap::{StartError, attach, open, run};
pub use http::{Assets, router, serve_admin};
pub use net::{ListenerConfig, Timeouts, Tls};
pub use storage::{DataDir, StorageError};
