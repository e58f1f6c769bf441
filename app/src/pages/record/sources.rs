//! What can be recorded or sent, before anything is on.

use leptos::prelude::*;

use super::browser::Browser;
use super::button::Press;
use super::permissions::{CopyLink, Outside};
use super::visibility::While::{Down, Up};
use super::visibility::{during, during_given, given};
use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Action, Element, Flag};

/// Whether another device records for the same link.
#[component]
pub(super) fn Others(locale: Locale) -> impl IntoView {
    view! {
        <p class="note" {..during_given("idle preview review", &[Up(Flag::OtherRecords)])}>
            {locale.text(Message::RecordOtherDevice)}
        </p>
    }
}

/// Where a video can come from.
#[component]
pub(super) fn Sources(
    locale: Locale,
    browser: Browser,
    /// Where the link is as a code.
    code: String,
) -> impl IntoView {
    let in_app = browser.is_in_app().then(|| {
        view! {
            <details class="more">
                <summary>{locale.text(Message::InAppBrowser)}</summary>
                <Outside locale browser/>
            </details>
        }
    });
    view! {
        <div class="sources" {..during("idle")}>
            <p class="essence">
                {locale.text(Message::RecordAudience)} " " <strong>{locale.text(Message::RecordCameraHint)}</strong>
            </p>
            <Press deed=Action::Camera class="button button--primary" label=locale.text(Message::SourceCamera)/>
            {in_app}
            <div class="others">
                <Press
                    deed=Action::Screen
                    class="button"
                    label=locale.text(Message::SourceScreen)
                    {..given(&[Up(Flag::HasScreen)])}
                />
                <Files locale/>
            </div>
            <ByPhone locale code/>
        </div>
    }
    .into_any()
}

/// The same link, for a device that is better at filming.
#[component]
pub(super) fn ByPhone(locale: Locale, code: String) -> impl IntoView {
    view! {
        <details class="more" {..given(&[Down(Flag::IsHandheld)])}>
            <summary>{locale.text(Message::SourcePhone)}</summary>
            <div class="phone">
                <img
                    class="phone__code"
                    src=code
                    alt=locale.text(Message::SourcePhoneCode)
                    width="148"
                    height="148"
                    loading="lazy"
                />
                <p>{locale.text(Message::SourcePhoneHow)}</p>
                <CopyLink locale/>
            </div>
        </details>
    }
}

/// A video that is there already, or made by the device's own camera. Labels: so the whole button opens
/// what the browser has for it, by the keyboard too. Not before the island is there to take the file.
#[component]
pub(super) fn Files(locale: Locale) -> impl IntoView {
    view! {
        <label class="button file">
            <input
                class="file__input"
                r#type="file"
                accept="video/*"
                data-part=Element::File.name()
                disabled
            />
            {locale.text(Message::SourceFile)}
        </label>
        <label class="button file" {..given(&[Up(Flag::IsHandheld)])}>
            <input
                class="file__input"
                r#type="file"
                accept="video/*"
                capture="environment"
                data-part=Element::File.name()
                disabled
            />
            {locale.text(Message::SourceCameraApp)}
        </label>
    }
}

/// Which of several cameras and microphones.
#[component]
pub(super) fn Devices(locale: Locale) -> impl IntoView {
    view! {
        <details class="more" {..during_given("preview", &[Up(Flag::HasDevices), Down(Flag::IsScreen)])}>
            <summary>{locale.text(Message::CameraDevices)}</summary>
            <label class="choice">
                {locale.text(Message::CameraDevice)} <select data-part=Element::Cameras.name()></select>
            </label>
            <label class="choice">
                {locale.text(Message::CameraMicrophone)} <select data-part=Element::Microphones.name()></select>
            </label>
        </details>
    }
}
