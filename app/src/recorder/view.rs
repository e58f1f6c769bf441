//! The island.

use leptos::prelude::*;

use super::controller::Recorder;

/// Brings the page to life that the server has rendered inside it.
#[island]
pub fn Recorder(children: Children) -> impl IntoView {
    Effect::new(|_| Recorder::begin());
    children()
}
