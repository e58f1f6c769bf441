//! The console, the island of the home page: ask for a video, hand the link out, watch what comes, delete it.
//!
//! Pure, and tested natively: `phase` (what can happen), `pace` (when to ask again), `words` (what to say) and
//! `snippets` (the same by program). `session` carries things out and `calls` talks to the server.
//! `view` shows the rest: `ask` before there is a request, `given` what was given out, `evidence` what came.

mod ask;
mod calls;
mod copy;
mod evidence;
mod given;
mod pace;
mod phase;
mod pictures;
mod player;
mod programs;
mod removal;
mod session;
mod snippets;
mod view;
mod words;

pub use view::Console;
