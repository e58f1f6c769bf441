//! The console, the island of the home page: ask for a video, hand the link out, watch what comes, delete it.
//!
//! Pure, and tested natively: `state` (what can happen), `polling` (when to ask again), `text` (what to say) and
//! `snippets` (the same by program). `session` carries things out and `client` talks to the server.
//! `view` shows the rest: `ask` before there is a request, `given` what was given out, `evidence` what came.

mod client;
mod code_tabs;
mod copy;
mod create_form;
mod delete_dialog;
mod issued;
mod player;
mod polling;
mod result;
mod session;
mod snippets;
mod state;
mod stills;
mod text;
mod view;

pub use view::Console;
