//! What reaches the model of an agent: through the programs that agents run in, which are real, to a model that follows
//! a script (`model.js`). Each of them calls our tool once, and `story.js` says what its model then saw.
//!
//! `cargo xtask setup --all` installs the programs, in the versions that `package.json` and `requirements.txt` name: the
//! Python packages in `target/agents`.

use test_support::tools::Tools;

mod films;
mod programs;

/// The programs that these tests run.
const TOOLS: Tools = Tools::of("agents");
