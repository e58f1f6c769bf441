//! What reaches an agent's model: real agent programs, connected to a scripted model server (`model.js`). Each calls
//! our tool once, and `observe.js` reports what its model then sees.
//!
//! `cargo xtask setup --all` installs the programs, in the versions of `package.json` and `requirements.txt`; the
//! Python packages in `target/agents`.

use test_support::tools::Tools;

mod programs;
mod recordings;

const TOOLS: Tools = Tools::of("agents");
