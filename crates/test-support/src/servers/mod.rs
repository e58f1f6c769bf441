//! The release binary as a child process, alone or behind nginx, and a transcriber.

pub mod nginx;
pub mod node;
pub mod pgbouncer;
pub mod release_server;
pub mod transcriber;
