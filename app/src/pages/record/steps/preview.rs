//! The preview of the source, or the take in the review, with the notices over it.

use leptos::prelude::*;

use super::camera_tools::CameraToolbar;
use crate::locale::{Locale, Message};
use crate::pages::record::markup::button::ActionButton;
use crate::pages::record::markup::template::{slot, text_with_elements, text_with_slots};
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag, Slot};

/// The states with a live preview.
const LIVE: &str = "preview countdown recording paused stopping";

/// The states in which the take is shown.
const REVIEW: &str = "review confirming-discard submitting";

/// The preview.
#[component]
pub(in crate::pages::record) fn Preview(locale: Locale) -> impl IntoView {
    view! {
        <div
            class="preview"
            {..shown_in("preview countdown recording paused stopping review confirming-discard submitting")}
        >
            <video
                class="preview__video"
                data-element=Element::Live.name()
                {..shown_in(LIVE)}
                autoplay
                muted
                playsinline
                aria-label=locale.text(Message::CameraPicture)
            ></video>
            <video
                class="preview__video"
                data-element=Element::Review.name()
                {..shown_in_if(REVIEW, &[Unset(Flag::NoPreview), Unset(Flag::Loading)])}
                controls
                playsinline
                aria-label=locale.text(Message::ReviewVideo)
            ></video>
            <p class="preview__note" {..shown_in_if(REVIEW, &[Set(Flag::Loading)])}>
                {locale.text(Message::ReviewReading)}
            </p>
            <p class="preview__note" {..shown_in_if(REVIEW, &[Set(Flag::NoPreview)])}>
                {locale.text(Message::ReviewNoPreview)}
            </p>
            <RecordingBar locale/>
            <SignalNotices locale/>
            <CameraToolbar locale/>
            <div class="countdown" {..shown_in("countdown")}>
                <span class="countdown__number" aria-hidden="true">
                    {slot(Slot::Count.name())}
                </span>
                <ActionButton action=Action::SkipCountdown class="button button--overlay" label=locale.text(Message::CameraStartNow)/>
            </div>
        </div>
    }
    .into_any()
}

/// The bar over the preview: red while it is recorded.
#[component]
fn RecordingBar(locale: Locale) -> impl IntoView {
    let timer = |_: &str| {
        view! {
            <bdi role="timer" aria-live="off" data-slot=Slot::Recorded.name()>
                "0:00"
            </bdi>
        }
        .into_any()
    };
    view! {
        <p class="recording-bar recording-bar--active" {..shown_in("recording stopping")}>
            <span class="recording-bar__dot" aria-hidden="true"></span>
            <span>{text_with_elements(locale, Message::RecordingStatus, timer)}</span>
        </p>
        <p class="recording-bar" {..shown_in("paused")}>
            <span>{text_with_slots(locale, Message::RecordingPaused)}</span>
        </p>
    }
}

/// Notices about video and audio, and the level of the microphone.
#[component]
fn SignalNotices(locale: Locale) -> impl IntoView {
    let notice = |flag: Flag, message: Message| {
        view! {
            <p class="signal-notice" {..shown_if(&[Set(flag)])}>
                {locale.text(message)}
            </p>
        }
    };
    view! {
        <div class="signal-notices" {..shown_in(LIVE)}>
            {notice(Flag::Silent, Message::SignalUnheard)} {notice(Flag::Dark, Message::SignalDark)}
            {notice(Flag::Muted, Message::SignalMuted)} {notice(Flag::AudioLost, Message::SignalSoundLost)}
            {notice(Flag::LowStorage, Message::StorageLow)} {notice(Flag::MemoryOnly, Message::StorageNone)}
            {notice(Flag::NoAudio, Message::SignalSilent)}
            <meter
                class="audio-level"
                data-element=Element::AudioLevel.name()
                {..shown_if(&[Unset(Flag::NoAudio)])}
                min="0"
                max="1"
                value="0"
                aria-label=locale.text(Message::CameraSoundLevel)
            ></meter>
        </div>
    }
}
