//! A page of text: documentation, or a legal text of the operator.

use leptos::prelude::*;

/// A text that was rendered from Markdown.
#[component]
pub fn TextPage(
    /// The class of the text, beside that of every page.
    class: &'static str,
    /// HTML. It contains nothing that a request's creator wrote.
    html: String,
) -> impl IntoView {
    view! { <main class=format!("page {class}") inner_html=html></main> }
}
