//! Buttons whose actions the island performs. They are disabled until it runs.

use leptos::prelude::*;

use super::visibility::FlagIs::{self, Set};
use super::visibility::shown_if;
use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;
use crate::recorder::bindings::{Action, Flag};

/// A button with a label.
#[component]
pub(in crate::pages::record) fn ActionButton(
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

/// The large round button in the middle of the camera's controls.
/// Its label is below, and doesn't move it.
#[component]
pub(in crate::pages::record) fn Shutter(
    action: Action,
    class: &'static str,
    label: &'static str,
) -> impl IntoView {
    view! {
        <button r#type="button" class=class data-action=action.name() disabled>
            <span class="shutter__label">{label}</span>
        </button>
    }
}

/// A round button beside the shutter, with its label below.
#[component]
pub(in crate::pages::record) fn ToolButton(
    action: Action,
    icon: Icon,
    label: &'static str,
) -> impl IntoView {
    view! {
        <button r#type="button" class="tool" data-action=action.name() disabled>
            {icon.view()}
            <span>{label}</span>
        </button>
    }
}

/// A button that saves the take, while there is a clip of it and these flags are as named.
#[component]
pub(in crate::pages::record) fn SaveButton(
    locale: Locale,
    #[prop(optional)] and: Option<FlagIs>,
) -> impl IntoView {
    let flags: Vec<_> = [Set(Flag::HasClip)].into_iter().chain(and).collect();
    view! {
        <ActionButton
            action=Action::Save
            class="button"
            label=locale.text(Message::ReviewSave)
            {..shown_if(&flags)}
        />
    }
}
