//! A page of the operator's words: terms, privacy.

use leptos::prelude::*;

/// What the operator says.
#[component]
pub fn Words(
    /// HTML, with nothing in it that a stranger wrote.
    html: String,
) -> impl IntoView {
    view! { <main class="page words" inner_html=html></main> }
}
