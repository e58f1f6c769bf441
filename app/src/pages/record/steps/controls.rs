//! The controls of the camera, from the preview to the end of the recording.

use leptos::prelude::*;

use super::send_status::SendStatus;
use super::sources::DeviceSelects;
use crate::locale::{Locale, Message};
use crate::pages::record::markup::button::{ActionButton, ToolButton};
use crate::pages::record::markup::icon::Icon;
use crate::pages::record::markup::template::text_with_slots;
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag};

/// Buttons, a hint, and the progress of the recording.
#[component]
pub(in crate::pages::record) fn Controls(locale: Locale) -> impl IntoView {
    view! {
        <div class="controls" {..shown_in("preview countdown recording paused stopping")}>
            <p class="hint" {..shown_in("preview countdown")}>
                {locale.text(Message::CameraNotRecording)}
            </p>
            <RecordingProgress locale/>
            <div class="tools">
                <div class="tools__side">
                    <ToolButton
                        action=Action::FlipCamera
                        icon=Icon::Flip
                        label=locale.text(Message::CameraFlip)
                        {..shown_in_if("preview", &[Set(Flag::HasFrontAndBack), Unset(Flag::IsScreen)])}
                    />
                    <ToolButton
                        action=Action::Pause
                        icon=Icon::Pause
                        label=locale.text(Message::RecordingPause)
                        {..shown_in("recording")}
                    />
                    <ToolButton
                        action=Action::Resume
                        icon=Icon::Resume
                        label=locale.text(Message::RecordingResume)
                        {..shown_in("paused")}
                    />
                </div>
                <ActionButton
                    action=Action::Record
                    class="shutter"
                    label=locale.text(Message::CameraRecord)
                    {..shown_in("preview")}
                />
                <ActionButton
                    action=Action::Stop
                    class="shutter shutter--stop"
                    label=locale.text(Message::RecordingStop)
                    {..shown_in("countdown recording paused")}
                />
                <p class="hint" {..shown_in("stopping")}>
                    {locale.text(Message::RecordingStopping)}
                </p>
                <div class="tools__side">
                    <label class="tool" {..shown_in("preview")}>
                        <input
                            class="tool__input"
                            r#type="checkbox"
                            data-element=Element::AudioToggle.name()
                            autocomplete="off"
                            checked
                        />
                        {Icon::Microphone.view()}
                        <span>{locale.text(Message::CameraSound)}</span>
                    </label>
                </div>
            </div>
            <div class="controls__more" {..shown_in("preview")}>
                <DeviceSelects locale/>
                <ActionButton action=Action::Close class="text-button" label=locale.text(Message::CameraTurnOff)/>
            </div>
        </div>
    }
    .into_any()
}

/// How long the recording is, how much of it is committed, and how much longer it may be.
#[component]
fn RecordingProgress(locale: Locale) -> impl IntoView {
    view! {
        <div class="recording-progress" {..shown_in("recording paused stopping")}>
            <p>{text_with_slots(locale, Message::UploadSent)}</p>
            <p class="warning" {..shown_if(&[Set(Flag::LastMinute)])}>
                {text_with_slots(locale, Message::RecordingLastMinute)}
            </p>
            <SendStatus locale/>
        </div>
    }
}
