//! The MCP server.

mod pictures;
mod protection;
mod protocol;
mod tools;
mod waiting;
