//! The Vidence server. `main` parses and starts it; tests start it in the same way.
#![recursion_limit = "256"]

mod bootstrap;
pub mod cli;
pub mod config;
mod http;
mod mcp;
pub mod outbound;
pub mod receipts;
pub mod release;
pub mod service;
mod storage;

pub use bootstrap::{StartError, attach, open, run};
pub use http::{Assets, router, serve_admin};
pub use net::{ListenerConfig, Timeouts, Tls};
pub use storage::{DataDir, StorageError};
use store::disk;
pub use store::{blobs, clock, db, id, telemetry};
