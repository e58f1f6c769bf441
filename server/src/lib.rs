//! The Vidence server. `main` parses and starts it; tests start it in the same way.
#![recursion_limit = "256"]

mod beside;
pub mod blobs;
pub mod caller;
pub mod clock;
pub mod command;
pub mod config;
pub mod db;
mod heap;
mod http;
pub mod id;
mod log;
mod mcp;
mod misfit;
pub mod origin;
mod precedence;
mod private_dir;
mod serve;
pub mod service;
mod shares;
mod start;
pub mod telemetry;

pub use http::{Assets, router, serve_admin};
pub use serve::{Entrance, Timeouts, Tls};
pub use start::{DataDir, StartError, open, open_beside, run};
