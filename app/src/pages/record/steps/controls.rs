//! The controls of the camera, from the preview to the end of the recording.
//!
//! What begins or ends the recording is always in the same place, and at most one button on each side of it.

use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;
use crate::pages::record::markup::button::{Shutter, ToolButton};
use crate::pages::record::markup::template::text_with_slots;
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag};

/// The buttons, and the level of the microphone.
#[component]
pub(in crate::pages::record) fn Controls(locale: Locale) -> impl IntoView {
    let text = |message| locale.text(message);
    view! {
        <div class="controls">
            <div class="controls__side">
                <ToolButton
                    action=Action::FlipCamera
                    icon=Icon::Flip
                    label=text(Message::CameraFlip)
                    {..shown_in_if("preview", &[Set(Flag::HasFrontAndBack), Unset(Flag::IsScreen)])}
                />
                <ToolButton
                    action=Action::SkipCountdown
                    icon=Icon::Resume
                    label=text(Message::CameraStartNow)
                    {..shown_in("countdown")}
                />
                <ToolButton
                    action=Action::Pause
                    icon=Icon::Pause
                    label=text(Message::RecordingPause)
                    {..shown_in("recording")}
                />
            </div>
            <div class="controls__middle">
                <Shutter
                    action=Action::Record
                    class="shutter"
                    label=text(Message::CameraRecord)
                    {..shown_in("preview")}
                />
                <Shutter
                    action=Action::Stop
                    class="shutter shutter--cancel"
                    label=text(Message::ActionCancel)
                    {..shown_in("countdown")}
                />
                <Shutter
                    action=Action::Stop
                    class="shutter shutter--stop"
                    label=text(Message::RecordingStop)
                    {..shown_in("recording")}
                />
                <Shutter
                    action=Action::Resume
                    class="shutter shutter--resume"
                    label=text(Message::RecordingResume)
                    {..shown_in("paused")}
                />
                <p class="controls__wait" {..shown_in("stopping")}>
                    {text(Message::RecordingStopping)}
                </p>
            </div>
            <div class="controls__side">
                <label class="tool" {..shown_in("preview")}>
                    <input
                        class="tool__input"
                        r#type="checkbox"
                        data-element=Element::AudioToggle.name()
                        autocomplete="off"
                        checked
                    />
                    {Icon::Microphone.view()}
                    <span>{text(Message::CameraSound)}</span>
                </label>
                <p class="controls__uploaded" {..shown_in("recording stopping")}>
                    {text_with_slots(locale, Message::UploadSent)}
                </p>
                <ToolButton
                    action=Action::Stop
                    icon=Icon::Check
                    label=text(Message::RecordingFinish)
                    {..shown_in("paused")}
                />
            </div>
            <div class="audio" {..shown_if(&[Unset(Flag::NoAudio)])}>
                {Icon::Microphone.view()}
                <meter
                    class="audio__level"
                    data-element=Element::AudioLevel.name()
                    min="0"
                    max="1"
                    value="0"
                    aria-label=locale.text(Message::CameraSoundLevel)
                ></meter>
            </div>
        </div>
    }
    .into_any()
}
