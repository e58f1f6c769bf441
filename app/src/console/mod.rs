//! The home page's island: creates a request, shows its link and its token, plays the video, deletes the request.
//!
//! Pure, and tested natively: `state` (the state machine), `polling` (when to poll again), `text` (all texts) and
//! `code_tabs::snippets` (the same steps as code). `controller` carries out what the state allows, `client` talks to
//! the server, `stored` survives a reload.
//!
//! Components: `view` is the island; `create_form` is shown before there is a request, `issued` is its link and token,
//! `result` its video with player and stills; `code_tabs`, `copy` and `delete_dialog` are beside them.

mod client;
mod code_tabs;
mod controller;
mod copy;
mod create_form;
mod delete_dialog;
mod issued;
mod polling;
mod result;
mod state;
mod stored;
mod text;
mod view;

pub use view::Console;
