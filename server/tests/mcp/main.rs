//! The agents' endpoint as others' programs see it, against the shipped binary.
//!
//! [Clients](clients) of the protocol tell the whole story, with a human who records in a real browser. The
//! [conformance suite](conformance) of those who write the protocol says where we keep to it; what it says is
//! written down here, and may not change unnoticed.
//!
//! `cargo xtask setup --all` installs them: Python packages in `target/mcp`, Node packages here, and with them the
//! Node that some of these want, which is newer than what systems have.

#[path = "../backends/mod.rs"]
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "these tests need less of it"
)]
mod backends;
#[path = "../faults/callers.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod callers;
#[path = "../journeys/clips.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod clips;
#[path = "../faults/node.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod node;
#[path = "../faults/scale.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod scale;
#[path = "../contract/shipped.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod shipped;
#[path = "../contract/tools.rs"]
#[expect(dead_code, reason = "these tests need less of it")]
mod tools;

mod clients;
mod conformance;
