//! Accepts, limits and serves connections: HTTP/1.1 and HTTP/2 over TCP or TLS, with hyper.
//!
//! This crate knows HTTP and nothing of the product. It replaces `axum::serve`, which has no TLS and none of the
//! following:
//!
//! - `connection_limit`: `axum::serve` has no limit on connections, neither in all nor per client address.
//! - `idle_policy`: `axum::serve` has no timeout for a request head; hyper's counts idle time, but idle connections
//!   must outlive those of a proxy.
//! - `metered_io`: `axum::serve` doesn't tell the bytes of a response that have left from those that are buffered, and
//!   a deletion must discard the latter.
//! - `http::delivery`: hyper polls a body only while its connection takes more, so a handler can't end a stalled
//!   response.
//! - `http::windows`: hyper sets receive windows per connection; large ones on every open connection would be
//!   gigabytes, so they need a budget for all.
//! - `fairness::scheduler`: tokio runs tasks in the order of their wake-ups, so a client with many connections delays
//!   all others.
//! - `fairness::overhead`: HTTP/2 flow control limits DATA frames only; pings, settings and header blocks have no limit
//!   of their own.

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
