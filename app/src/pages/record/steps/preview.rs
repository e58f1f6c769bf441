//! The camera: one frame that covers the page, from the preview to the end of the recording.
//!
//! What it shows lies over the picture, which never moves: the state at the top, notices and the controls at the bottom.

use leptos::prelude::*;

use super::camera_tools::{CameraToolbar, FocusRing};
use super::controls::Controls;
use super::send_status::SendStatus;
use super::sources::DeviceSelects;
use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;
use crate::pages::record::markup::template::{slot, text_with_elements, text_with_slots};
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag, Slot};

/// The states with a live preview.
const LIVE: &str = "preview countdown recording paused stopping";

/// The id of the sheet with cameras and microphones.
const DEVICES: &str = "devices";

/// The frame.
#[component]
pub(in crate::pages::record) fn Preview(locale: Locale) -> impl IntoView {
    view! {
        <div class="preview" {..shown_in(LIVE)}>
            <video
                class="preview__video"
                data-element=Element::Live.name()
                {..shown_in(LIVE)}
                autoplay
                muted
                playsinline
                aria-label=locale.text(Message::CameraPicture)
            ></video>
            // For who can't see it. The style sheet hides the wrong one by the class of the video.
            <p
                class="visually-hidden"
                role="status"
                {..shown_in_if("preview", &[Set(Flag::HasFrontAndBack), Unset(Flag::IsScreen)])}
            >
                <span>{locale.text(Message::CameraFront)}</span>
                <span>{locale.text(Message::CameraBack)}</span>
            </p>
            <div class="preview__top">
                <button
                    r#type="button"
                    class="corner"
                    popovertarget=DEVICES
                    aria-label=locale.text(Message::CameraDevices)
                    {..shown_in_if("preview", &[Set(Flag::HasDeviceChoice), Unset(Flag::IsScreen)])}
                >
                    {Icon::Settings.view()}
                </button>
                <Status locale/>
                <button
                    r#type="button"
                    class="corner corner--end"
                    data-action=Action::Close.name()
                    aria-label=locale.text(Message::ActionCancel)
                    disabled
                    {..shown_in("preview")}
                >
                    {Icon::Close.view()}
                </button>
            </div>
            <div class="preview__notices">
                <Notices locale/>
                <CameraToolbar locale/>
            </div>
            <FocusRing/>
            <Controls locale/>
            <span class="countdown" aria-hidden="true" {..shown_in("countdown")}>
                {slot(Slot::Count.name())}
            </span>
        </div>
        <DeviceSelects locale id=DEVICES/>
    }
    .into_any()
}

/// Whether it is recorded: the bar is red while it is.
#[component]
fn Status(locale: Locale) -> impl IntoView {
    let timer = |_: &str| {
        view! {
            <bdi role="timer" aria-live="off" data-slot=Slot::Recorded.name()>
                "0:00"
            </bdi>
        }
        .into_any()
    };
    view! {
        <p class="status" {..shown_in("preview countdown")}>
            {locale.text(Message::CameraNotRecording)}
        </p>
        <p class="status status--recording" {..shown_in("recording stopping")}>
            <span class="status__dot" aria-hidden="true"></span>
            <span>{text_with_elements(locale, Message::RecordingStatus, timer)}</span>
        </p>
        <p class="status" {..shown_in("paused")}>
            <span>{text_with_slots(locale, Message::RecordingPaused)}</span>
        </p>
    }
}

/// Notices about video, audio and upload.
#[component]
fn Notices(locale: Locale) -> impl IntoView {
    let notice = |flag: Flag, message: Message| {
        view! {
            <p class="notice-chip" {..shown_if(&[Set(flag)])}>
                {locale.text(message)}
            </p>
        }
    };
    view! {
        <p class="notice-chip" {..shown_in_if("preview", &[Set(Flag::RecordedElsewhere)])}>
            {locale.text(Message::RecordOtherDevice)}
        </p>
        {notice(Flag::Silent, Message::SignalUnheard)} {notice(Flag::Dark, Message::SignalDark)}
        {notice(Flag::Muted, Message::SignalMuted)} {notice(Flag::AudioLost, Message::SignalSoundLost)}
        {notice(Flag::LowStorage, Message::StorageLow)} {notice(Flag::MemoryOnly, Message::StorageNone)}
        <div class="preview__sending" {..shown_in("recording paused stopping")}>
            <p class="warning" {..shown_if(&[Set(Flag::LastMinute)])}>
                {text_with_slots(locale, Message::RecordingLastMinute)}
            </p>
            <SendStatus locale/>
        </div>
        {notice(Flag::NoAudio, Message::SignalSilent)}
        {notice(Flag::NoMicrophone, Message::SignalNoMicrophone)}
    }
}
