//! The interface as others' tools see it, which were written for any.
//!
//! [schemathesis](properties) reads the description and calls what it describes, in every way that it can
//! think of. [Generated clients](generated) are made of the description, and tell the whole story.
//! [httplint](lint) knows what the RFCs want of each answer. The first two call the shipped binary; the last
//! one a server in this process, whose clock can be moved. [nginx](proxied) stands in front of the binary, as in
//! `server/deploy`, and [Prometheus](alerts) reads the alerts from there. [Redocly CLI, Spectral and tdqs](descriptions)
//! read the descriptions themselves, of the interface and of the agents' tools. [hadolint](container_image) reads the
//! Dockerfile.
//!
//! `cargo xtask setup --all` installs the tools: Python packages in `target/contract`, Node packages here.

#[path = "../backends/mod.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod backends;
#[path = "../faults/callers.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod callers;
#[path = "../journeys/clips.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod clips;
#[path = "../journeys/creator.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod creator;
#[path = "../faults/node.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod node;
#[path = "../faults/scale.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod scale;
#[path = "../journeys/support/mod.rs"]
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "these tests need less of it"
)]
mod support;

mod shipped;
mod tools;

mod alerts;
mod caddy;
mod container_image;
mod deploy;
mod descriptions;
mod generated;
mod lint;
mod log;
mod log_story;
#[expect(dead_code, reason = "a bench needs more of it")]
mod nginx;
mod properties;
mod proxied;
