//! The island.

use leptos::prelude::*;

use super::session::Session;

/// Brings the page to life that the server has rendered inside it.
#[island]
pub fn Recorder(children: Children) -> impl IntoView {
    Effect::new(|_| Session::begin());
    children()
}
