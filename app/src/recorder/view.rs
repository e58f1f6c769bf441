//! The island.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::controller::Recorder;

/// Starts the recorder of the page that the server has rendered inside the island.
#[island]
pub fn Recorder(children: Children) -> impl IntoView {
    // After the hydration, and not on the server. An effect would do the same by more code.
    if cfg!(target_arch = "wasm32") {
        spawn_local(Recorder::start());
    }
    children()
}
