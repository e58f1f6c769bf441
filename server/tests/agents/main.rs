//! What reaches the model of an agent: through the programs that agents run in, which are real, to a model that follows
//! a script (`model.js`). Each of them calls our tool once, and `story.js` says what its model then saw.
//!
//! `cargo xtask setup --all` installs the programs, in the versions that `package.json` and `requirements.txt` name: the
//! Python packages in `target/agents`.

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
mod tools;

mod films;
mod programs;
