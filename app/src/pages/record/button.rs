//! Buttons whose actions the island performs. They are disabled until it runs.

use leptos::prelude::*;

use super::icon::Icon;
use crate::recorder::bindings::Action;

/// A button with a label.
#[component]
pub(super) fn ActionButton(
    action: Action,
    class: &'static str,
    label: &'static str,
) -> impl IntoView {
    view! {
        <button r#type="button" class=class data-action=action.name() disabled>
            {label}
        </button>
    }
}

/// A round button of the camera, with its label below.
#[component]
pub(super) fn ToolButton(action: Action, icon: Icon, label: &'static str) -> impl IntoView {
    view! {
        <button r#type="button" class="tool" data-action=action.name() disabled>
            {icon.view()}
            <span>{label}</span>
        </button>
    }
}
