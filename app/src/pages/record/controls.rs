//! The camera's buttons, from its first picture to Stop.

use leptos::prelude::*;

use super::button::{Press, Tool};
use super::icon::Icon;
use super::sentence::sentence;
use super::shown::While::{Down, Up};
use super::shown::{during, during_given, given};
use super::sources::Devices;
use super::trouble::Trouble;
use crate::locale::{Locale, Message};
use crate::recorder::marks::{Deed, Flag, Part};

/// The buttons, what to know before pressing them, and how far it is.
#[component]
pub(super) fn Controls(locale: Locale) -> impl IntoView {
    view! {
        <div class="controls" {..during("preview countdown recording paused stopping")}>
            <p class="hint" {..during("preview countdown")}>
                {locale.says(Message::NotYet)}
            </p>
            <Progress locale/>
            <div class="tools">
                <div class="tools__side">
                    <Tool
                        deed=Deed::Flip
                        icon=Icon::Turn
                        label=locale.says(Message::Flip)
                        {..during_given("preview", &[Up(Flag::HasTwoSides), Down(Flag::IsScreen)])}
                    />
                    <Tool
                        deed=Deed::Pause
                        icon=Icon::Pause
                        label=locale.says(Message::Pause)
                        {..during("recording")}
                    />
                    <Tool
                        deed=Deed::Resume
                        icon=Icon::GoOn
                        label=locale.says(Message::GoOn)
                        {..during("paused")}
                    />
                </div>
                <Press
                    deed=Deed::Record
                    class="shutter"
                    label=locale.says(Message::Record)
                    {..during("preview")}
                />
                <Press
                    deed=Deed::Stop
                    class="shutter shutter--stop"
                    label=locale.says(Message::Stop)
                    {..during("countdown recording paused")}
                />
                <p class="hint" {..during("stopping")}>
                    {locale.says(Message::OneMoment)}
                </p>
                <div class="tools__side">
                    <label class="tool" {..during("preview")}>
                        <input
                            class="tool__input"
                            r#type="checkbox"
                            data-part=Part::Sound.name()
                            autocomplete="off"
                            checked
                        />
                        {Icon::Sound.view()}
                        <span>{locale.says(Message::Sound)}</span>
                    </label>
                </div>
            </div>
            <div class="asides" {..during("preview")}>
                <Devices locale/>
                <Press deed=Deed::Close class="link" label=locale.says(Message::TurnOff)/>
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
            <p>{sentence(locale, Message::Progress)}</p>
            <p class="warning" {..given(&[Up(Flag::LastMinute)])}>
                {sentence(locale, Message::LastMinute)}
            </p>
            <Trouble locale/>
        </div>
    }
}
