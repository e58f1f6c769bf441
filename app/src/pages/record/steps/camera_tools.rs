//! Light, zoom and lens of the camera, over its picture. The island shows what the open camera has.

use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;
use crate::pages::record::markup::visibility::FlagIs::Set;
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag, ZOOM_PRESETS};

/// The states in which the camera can be adjusted.
const ADJUSTABLE: &str = "preview countdown recording paused";

/// The tools, in one row.
#[component]
pub(super) fn CameraToolbar(locale: Locale) -> impl IntoView {
    view! {
        <div class="camera-tools" {..shown_in(ADJUSTABLE)}>
            <button
                r#type="button"
                class="camera-tool"
                data-action=Action::SwitchTorch.name()
                data-element=Element::Torch.name()
                aria-label=locale.text(Message::CameraTorch)
                aria-pressed="false"
                disabled
                {..shown_if(&[Set(Flag::HasTorch)])}
            >
                {Icon::Torch.view()}
            </button>
            <Zoom locale/>
            <select
                class="camera-tool"
                data-element=Element::Lenses.name()
                data-wide=locale.text(Message::CameraLensWide)
                data-main=locale.text(Message::CameraLensMain)
                data-tele=locale.text(Message::CameraLensTele)
                data-numbered=locale.text(Message::CameraDevice)
                aria-label=locale.text(Message::CameraLens)
                disabled
                {..shown_in_if("preview", &[Set(Flag::HasLenses)])}
            ></select>
        </div>
    }
}

/// Where the camera was told to focus.
#[component]
pub(super) fn FocusRing() -> impl IntoView {
    view! {
        <span class="focus-ring" data-element=Element::FocusRing.name() aria-hidden="true" hidden></span>
    }
}

/// A button for each preset; for other values a slider, which a pointer or the keyboard makes visible.
#[component]
fn Zoom(locale: Locale) -> impl IntoView {
    let presets = ZOOM_PRESETS.map(|preset| {
        view! {
            <button
                r#type="button"
                class="camera-tool"
                data-element=Element::ZoomPreset.name()
                data-zoom=preset.to_string()
                aria-pressed="false"
                disabled
            ></button>
        }
    });
    view! {
        <div
            class="zoom"
            role="group"
            aria-label=locale.text(Message::CameraZoom)
            {..shown_if(&[Set(Flag::HasZoom)])}
        >
            <input
                class="zoom__slider"
                r#type="range"
                data-element=Element::ZoomSlider.name()
                aria-label=locale.text(Message::CameraZoom)
                autocomplete="off"
                disabled
            />
            {presets.collect_view()}
        </div>
    }
}
