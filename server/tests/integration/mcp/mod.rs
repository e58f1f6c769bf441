//! The MCP server.

mod protocol;
mod tools;
