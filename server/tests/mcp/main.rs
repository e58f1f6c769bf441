//! The MCP endpoint of the release binary as third-party programs see it.
//!
//! [Clients](clients) run the whole lifecycle, with a person who records in a real browser or sends a file. The results of the
//! official [conformance suite](conformance) are recorded here and must not change unnoticed.
//!
//! `cargo xtask setup --all` installs them: Python packages in `target/mcp`, Node packages here, with a newer Node
//! than systems have, which some of them need.

use test_support::tools::Tools;

mod clients;
mod conformance;

const TOOLS: Tools = Tools::of("mcp");
