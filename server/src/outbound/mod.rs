//! Services that the operator names and this server calls.

pub mod report_webhook;
pub mod transcriber;
