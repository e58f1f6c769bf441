//! The release binary as a child process, alone or behind nginx.

pub mod nginx;
pub mod node;
pub mod release_server;
