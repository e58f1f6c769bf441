//! The public interface as third-party tools see it.
//!
//! [schemathesis](properties) generates calls from the OpenAPI document. [Generated clients](generated) run the whole
//! lifecycle. Both call the release binary. [nginx and Caddy](proxied) stand in front of it, as in `server/deploy`,
//! and [promtool](alerts) reads the alerts from there. [Redocly CLI, Spectral and tdqs](descriptions) lint the
//! descriptions of the interface and of the MCP tools. [hadolint](container_image) lints the Dockerfile.
//!
//! `cargo xtask setup --all` installs the tools: Python packages in `target/contract`, Node packages here.

use test_support::tools::Tools;

mod alerts;
mod caddy;
mod container_image;
mod deploy;
mod descriptions;
mod generated;
mod log;
mod log_scenario;
mod properties;
mod proxied;

const TOOLS: Tools = Tools::of("contract");
