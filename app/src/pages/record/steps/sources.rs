//! The choice of a source: camera, screen, file, or another device.

use leptos::prelude::*;

use super::links::{LinkOutside, OpenInBrowser, PhoneLink};
use crate::locale::{Locale, Message};
use crate::pages::record::browser::Browser;
use crate::pages::record::markup::button::ActionButton;
use crate::pages::record::markup::sheet::Sheet;
use crate::pages::record::markup::template::text_with_elements;
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag};

/// The notice that another device is recording for the same link.
#[component]
pub(in crate::pages::record) fn RecordedElsewhere(locale: Locale) -> impl IntoView {
    view! {
        <p class="note" {..shown_in_if("idle review", &[Set(Flag::RecordedElsewhere)])}>
            {locale.text(Message::RecordOtherDevice)}
        </p>
    }
}

/// The id of the sheet with the sources beside the camera.
const OTHER_SOURCES: &str = "other-sources";

/// The camera, and a sheet with the other sources.
#[component]
pub(in crate::pages::record) fn Sources(
    locale: Locale,
    browser: Browser,
    /// The URL of the link's QR code.
    code: String,
) -> impl IntoView {
    let in_app = browser.is_in_app().then(|| {
        view! {
            <LinkOutside locale browser/>
            <details class="note in-app" {..shown_in("idle")}>
                <summary>{locale.text(Message::InAppBrowser)}</summary>
                <OpenInBrowser locale browser/>
            </details>
        }
    });
    view! {
        {in_app}
        <div class="actions" {..shown_in("idle")}>
            <ActionButton action=Action::OpenCamera class="button button--primary" label=locale.text(Message::SourceCamera)/>
            <button r#type="button" class="text-button" popovertarget=OTHER_SOURCES>
                {locale.text(Message::SourceOther)}
            </button>
        </div>
        <div {..shown_in("idle")}>
            <Sheet locale id=OTHER_SOURCES heading=Message::SourceOther>
                <button
                    r#type="button"
                    class="button"
                    data-action=Action::ShareScreen.name()
                    popovertarget=OTHER_SOURCES
                    popovertargetaction="hide"
                    disabled
                    {..shown_if(&[Set(Flag::HasScreen)])}
                >
                    {locale.text(Message::SourceScreen)}
                </button>
                <FileButtons locale browser/>
                <p class="hint" {..shown_if(&[Unset(Flag::IsHandheld)])}>
                    {locale.text(Message::SourceDropHint)}
                </p>
                <PhoneLink locale code/>
            </Sheet>
        </div>
    }
    .into_any()
}

/// File inputs for an existing video and for the device's camera app.
///
/// Each lies over its label, so that the whole button opens it, by the keyboard, too.
#[component]
pub(super) fn FileButtons(locale: Locale, browser: Browser) -> impl IntoView {
    view! {
        <label class="button file-button">
            <input
                class="file-button__input"
                r#type="file"
                accept=browser.accepted_files()
                data-element=Element::FileInput.name()
                disabled
            />
            {locale.text(Message::SourceFile)}
        </label>
        <label class="button file-button" {..shown_if(&[Set(Flag::IsHandheld)])}>
            <input
                class="file-button__input"
                r#type="file"
                accept="video/*"
                capture="environment"
                data-element=Element::FileInput.name()
                disabled
            />
            {locale.text(Message::SourceCameraApp)}
        </label>
    }
}

/// What became of a file that was chosen, dropped or pasted, until it is the take. Hidden without one.
#[component]
pub(in crate::pages::record) fn FileNotices(locale: Locale) -> impl IntoView {
    let notice = |flag: Flag, message: Message| {
        let text = text_with_elements(locale, message, |_| ().into_any());
        view! {
            <p class="note" {..shown_in_if("idle requesting-access blocked", &[Set(flag)])}>
                {text}
            </p>
        }
    };
    view! {
        {notice(Flag::Loading, Message::ReviewReading)}
        {notice(Flag::SeveralFiles, Message::SourceSeveralFiles)}
        {notice(Flag::NoVideoFile, Message::SourceNoVideo)}
    }
}

/// Where a file that is dragged over the page can be dropped.
#[component]
pub(in crate::pages::record) fn DropArea(locale: Locale) -> impl IntoView {
    view! {
        <p class="drop-area" {..shown_if(&[Set(Flag::Dropping)])}>
            <span>{locale.text(Message::SourceDrop)}</span>
        </p>
    }
}

/// The choice among several cameras and microphones.
#[component]
pub(super) fn DeviceSelects(locale: Locale, id: &'static str) -> impl IntoView {
    view! {
        <div {..shown_in_if("preview", &[Set(Flag::HasDeviceChoice), Unset(Flag::IsScreen)])}>
            <Sheet locale id heading=Message::CameraDevices>
                <label class="device-select">
                    {locale.text(Message::CameraDevice)} <select data-element=Element::Cameras.name()></select>
                </label>
                <label class="device-select">
                    {locale.text(Message::CameraMicrophone)} <select data-element=Element::Microphones.name()></select>
                </label>
            </Sheet>
        </div>
    }
}
