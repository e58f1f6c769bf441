//! The public interface as third-party tools see it.
//!
//! - [`openapi`]: schemathesis generates calls from the OpenAPI document, and generated clients run the whole
//!   lifecycle, both on the release binary; Redocly CLI, Spectral and tdqs lint the descriptions of the interface and
//!   of the MCP tools.
//! - [`deployment`]: nginx and Caddy stand in front of the release binary, as in `server/deploy`; promtool, hadolint
//!   and systemd read their files from there.
//! - [`receipt_examples`]: PyJWT and jose verify a receipt, as the documentation says.
//!
//! `cargo xtask setup --all` installs the tools: Python packages in `target/contract`, Node packages here.

use test_support::tools::Tools;

mod deployment;
mod log;
mod log_scenario;
mod openapi;
mod receipt_examples;

const TOOLS: Tools = Tools::of("contract");
