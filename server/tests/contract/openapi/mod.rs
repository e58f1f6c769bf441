//! The OpenAPI document and the descriptions of the MCP tools, as linters, property tests and generated clients see
//! them.

mod descriptions;
mod generated;
mod properties;
