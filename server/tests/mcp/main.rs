//! The agents' endpoint as others' programs see it, against the shipped binary.
//!
//! [Clients](clients) of the protocol tell the whole story, with a human who records in a real browser. The
//! [conformance suite](conformance) of those who write the protocol says where we keep to it; what it says is
//! written down here, and may not change unnoticed.
//!
//! `cargo xtask setup --all` installs them: Python packages in `target/mcp`, Node packages here, and with them the
//! Node that some of these want, which is newer than what systems have.

use test_support::tools::Tools;

mod clients;
mod conformance;

/// The programs that these tests run.
const TOOLS: Tools = Tools::of("mcp");
