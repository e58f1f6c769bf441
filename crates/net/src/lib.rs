//! Accepts, limits and serves connections: HTTP/1.1 and HTTP/2 over TCP or TLS, with hyper.
//!
//! This crate knows HTTP and nothing of the product. It replaces `axum::serve`, which has no TLS, no limits and no
//! timeouts. What hyper, hyper-util and tower-http can do is theirs; the header of each module says what its hand-made
//! part buys.

pub mod client_addr;
mod connection;
mod connection_limit;
mod fairness;
mod http;
mod idle_policy;
mod listener;
mod metered_io;
pub mod metric_names;
mod progress;
mod revocation;
mod rlimit;
pub mod shares;
mod tls;

pub use fairness::precedence::Precedence;
pub use http::host_header;
pub use idle_policy::Timeouts;
pub use listener::{ListenerConfig, serve};
pub use revocation::Revocation;
pub use rlimit::{allow_open_files, forbid_core_dumps};
pub use tls::Tls;
pub use tls::self_signed::{Lan, LanError};
