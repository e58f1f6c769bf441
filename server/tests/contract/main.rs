//! The interface as others' tools see it, which were written for any.
//!
//! [schemathesis](properties) reads the description and calls what it describes, in every way that it can
//! think of. [Generated clients](generated) are made of the description, and tell the whole story.
//! Both call the shipped binary. [nginx](proxied) stands in front of the binary, as in
//! `server/deploy`, and [Prometheus](alerts) reads the alerts from there. [Redocly CLI, Spectral and tdqs](descriptions)
//! read the descriptions themselves, of the interface and of the agents' tools. [hadolint](container_image) reads the
//! Dockerfile.
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
mod log_story;
mod properties;
mod proxied;

/// The programs that these tests run.
const TOOLS: Tools = Tools::of("contract");
