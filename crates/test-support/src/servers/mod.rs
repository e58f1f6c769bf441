//! Servers as child processes: the release binary, proxies, a pooler, a transcriber.

pub mod listening;
pub mod nginx;
pub mod node;
pub mod pgbouncer;
pub mod release_server;
pub mod transcriber;
