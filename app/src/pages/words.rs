//! A page of text: the documentation, the operator's terms and privacy.

use leptos::prelude::*;

/// A text that was rendered from Markdown.
#[component]
pub fn Words(
    /// How the text is styled, beside what every page has.
    class: &'static str,
    /// HTML, with nothing in it that a stranger wrote.
    html: String,
) -> impl IntoView {
    view! { <main class=format!("page {class}") inner_html=html></main> }
}
