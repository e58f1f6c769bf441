//! The picture, of the camera or of the recording, and what is written on it.

use leptos::prelude::*;

use super::button::Press;
use super::template::{figure, filled, sentence};
use super::visibility::While::{Down, Up};
use super::visibility::{during, during_given, given};
use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Action, Element, Flag, Slot};

/// While something is seen.
const LIVE: &str = "preview countdown recording paused stopping";

/// While there is something to look at.
const REVIEW: &str = "review reconsidering submitting";

/// The picture.
#[component]
pub(super) fn Stage(locale: Locale) -> impl IntoView {
    view! {
        <div
            class="stage"
            {..during("preview countdown recording paused stopping review reconsidering submitting")}
        >
            <video
                class="stage__video"
                data-part=Element::Live.name()
                {..during(LIVE)}
                autoplay
                muted
                playsinline
                aria-label=locale.text(Message::CameraPicture)
            ></video>
            <video
                class="stage__video"
                data-part=Element::Review.name()
                {..during_given(REVIEW, &[Down(Flag::NoPreview), Down(Flag::Reading)])}
                controls
                playsinline
                aria-label=locale.text(Message::ReviewVideo)
            ></video>
            <p class="stage__note" {..during_given(REVIEW, &[Up(Flag::Reading)])}>
                {locale.text(Message::ReviewReading)}
            </p>
            <p class="stage__note" {..during_given(REVIEW, &[Up(Flag::NoPreview)])}>
                {locale.text(Message::ReviewNoPreview)}
            </p>
            <Bar locale/>
            <Remarks locale/>
            <div class="count" {..during("countdown")}>
                <span class="count__number" aria-hidden="true">
                    {figure(Slot::Count.name())}
                </span>
                <Press deed=Action::Skip class="button button--over" label=locale.text(Message::CameraStartNow)/>
            </div>
        </div>
    }
    .into_any()
}

/// The red bar: it is recorded while this shows.
#[component]
fn Bar(locale: Locale) -> impl IntoView {
    let timer = |_: &str| {
        view! {
            <bdi role="timer" aria-live="off" data-show=Slot::Recorded.name()>
                "0:00"
            </bdi>
        }
        .into_any()
    };
    view! {
        <p class="bar bar--red" {..during("recording stopping")}>
            <span class="bar__dot" aria-hidden="true"></span>
            <span>{filled(locale, Message::RecordingStatus, timer)}</span>
        </p>
        <p class="bar" {..during("paused")}>
            <span>{sentence(locale, Message::RecordingPaused)}</span>
        </p>
    }
}

/// What is wrong with what is seen and heard, and how loud it is.
#[component]
fn Remarks(locale: Locale) -> impl IntoView {
    let remark = |flag: Flag, message: Message| {
        view! {
            <p class="remark" {..given(&[Up(flag)])}>
                {locale.text(message)}
            </p>
        }
    };
    view! {
        <div class="remarks" {..during(LIVE)}>
            {remark(Flag::Unheard, Message::SignalUnheard)} {remark(Flag::Dark, Message::SignalDark)}
            {remark(Flag::Muted, Message::SignalMuted)} {remark(Flag::SoundLost, Message::SignalSoundLost)}
            {remark(Flag::LittleRoom, Message::StorageLow)} {remark(Flag::Unkept, Message::StorageNone)}
            {remark(Flag::IsSilent, Message::SignalSilent)}
            <meter
                class="level"
                data-part=Element::Level.name()
                {..given(&[Down(Flag::IsSilent)])}
                min="0"
                max="1"
                value="0"
                aria-label=locale.text(Message::CameraSoundLevel)
            ></meter>
        </div>
    }
}
