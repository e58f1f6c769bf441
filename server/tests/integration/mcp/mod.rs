//! The MCP server.

mod protection;
mod protocol;
mod tools;
mod waiting;
