//! The Vidence server. `main` parses and starts it; tests start it in the same way.
#![recursion_limit = "256"]

mod attach;
pub mod blobs;
pub mod client_addr;
pub mod clock;
pub mod cli;
pub mod config;
pub mod db;
mod allocator;
mod http;
pub mod id;
mod logging;
mod mcp;
mod json_error;
pub mod origin;
mod precedence;
mod data_dir;
mod serve;
pub mod service;
mod shares;
mod bootstrap;
pub mod telemetry;

pub use http::{Assets, router, serve_admin};
pub use serve::{ListenerConfig, Timeouts, Tls};
pub use bootstrap::{DataDir, StartError, open, attach, run};
