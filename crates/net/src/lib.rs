//! Connections: how many a server has and how long each may last, HTTP/1.1 and HTTP/2 over TCP or TLS.
//!
//! `axum::serve` lets a client hold any number of connections for any time, and does not tell the bytes of a response
//! that have left from those that are buffered. This crate knows HTTP and nothing of the product.

pub mod client_addr;
mod connection;
mod connection_limit;
mod fairness;
mod http;
mod idle_policy;
mod listener;
mod metered_io;
pub mod metric_names;
mod outbox;
mod revocation;
mod rlimit;
pub mod shares;
mod tls;

pub use fairness::precedence::Precedence;
pub use http::host_header;
pub use idle_policy::Timeouts;
pub use listener::{ListenerConfig, serve};
pub use revocation::Revocation;
pub use rlimit::allow_open_files;
pub use tls::Tls;
pub use tls::self_signed::{Lan, LanError};
