//! Buttons that the island hears.

use leptos::prelude::*;

use super::icon::Icon;
use crate::recorder::bindings::Action;

/// A button with a word on it. It can't be pressed before the island is there.
#[component]
pub(super) fn Press(deed: Action, class: &'static str, label: &'static str) -> impl IntoView {
    view! {
        <button r#type="button" class=class data-do=deed.name() disabled>
            {label}
        </button>
    }
}

/// A round one, as on a camera, with its word below.
#[component]
pub(super) fn Tool(deed: Action, icon: Icon, label: &'static str) -> impl IntoView {
    view! {
        <button r#type="button" class="tool" data-do=deed.name() disabled>
            {icon.view()}
            <span>{label}</span>
        </button>
    }
}
