//! Middleware: what happens to requests and responses of many routes.

pub mod access_log;
pub mod client;
pub mod compression;
pub mod cors;
pub mod drain_body;
pub mod head;
pub mod pipeline;
pub mod request_id;
pub mod security_headers;
pub mod small_body;
