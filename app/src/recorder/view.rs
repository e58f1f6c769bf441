//! The island.

use leptos::prelude::*;

use super::controller::Recorder;

/// Starts the recorder of the page that the server has rendered inside the island.
#[island]
pub fn Recorder(children: Children) -> impl IntoView {
    Effect::new(|_| Recorder::start());
    children()
}
