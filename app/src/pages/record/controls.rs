//! The camera's buttons, from its first picture to Stop.

use leptos::prelude::*;

use super::button::{Press, Tool};
use super::icon::Icon;
use super::send_status::Trouble;
use super::sources::Devices;
use super::template::sentence;
use super::visibility::While::{Down, Up};
use super::visibility::{during, during_given, given};
use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Action, Element, Flag};

/// The buttons, what to know before pressing them, and how far it is.
#[component]
pub(super) fn Controls(locale: Locale) -> impl IntoView {
    view! {
        <div class="controls" {..during("preview countdown recording paused stopping")}>
            <p class="hint" {..during("preview countdown")}>
                {locale.text(Message::CameraNotRecording)}
            </p>
            <Progress locale/>
            <div class="tools">
                <div class="tools__side">
                    <Tool
                        deed=Action::Flip
                        icon=Icon::Turn
                        label=locale.text(Message::CameraFlip)
                        {..during_given("preview", &[Up(Flag::HasTwoSides), Down(Flag::IsScreen)])}
                    />
                    <Tool
                        deed=Action::Pause
                        icon=Icon::Pause
                        label=locale.text(Message::RecordingPause)
                        {..during("recording")}
                    />
                    <Tool
                        deed=Action::Resume
                        icon=Icon::GoOn
                        label=locale.text(Message::RecordingResume)
                        {..during("paused")}
                    />
                </div>
                <Press
                    deed=Action::Record
                    class="shutter"
                    label=locale.text(Message::CameraRecord)
                    {..during("preview")}
                />
                <Press
                    deed=Action::Stop
                    class="shutter shutter--stop"
                    label=locale.text(Message::RecordingStop)
                    {..during("countdown recording paused")}
                />
                <p class="hint" {..during("stopping")}>
                    {locale.text(Message::RecordingStopping)}
                </p>
                <div class="tools__side">
                    <label class="tool" {..during("preview")}>
                        <input
                            class="tool__input"
                            r#type="checkbox"
                            data-part=Element::Sound.name()
                            autocomplete="off"
                            checked
                        />
                        {Icon::Sound.view()}
                        <span>{locale.text(Message::CameraSound)}</span>
                    </label>
                </div>
            </div>
            <div class="asides" {..during("preview")}>
                <Devices locale/>
                <Press deed=Action::Close class="link" label=locale.text(Message::CameraTurnOff)/>
            </div>
        </div>
    }
    .into_any()
}

/// How much there is, how much of it is safe, how much more there may be.
#[component]
fn Progress(locale: Locale) -> impl IntoView {
    view! {
        <div class="progress" {..during("recording paused stopping")}>
            <p>{sentence(locale, Message::UploadSent)}</p>
            <p class="warning" {..given(&[Up(Flag::LastMinute)])}>
                {sentence(locale, Message::RecordingLastMinute)}
            </p>
            <Trouble locale/>
        </div>
    }
}
