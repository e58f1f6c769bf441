//! The states while the browser asks for access, and after it gave none: how to remove the obstacle.

use leptos::prelude::*;

use super::links::{CopyLink, LinkOutside, OpenInBrowser, PhoneLink};
use super::sources::FileButtons;
use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;
use crate::pages::record::browser::Browser;
use crate::pages::record::markup::button::ActionButton;
use crate::pages::record::markup::template::step_list;
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::{shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag};

/// The obstacles after which another attempt may succeed.
const RETRYABLE: &str =
    "blocked-denied blocked-no-camera blocked-busy blocked-no-video blocked-no-screen";

/// The browser asks for access. Some browsers never answer, so there are alternatives.
#[component]
pub(in crate::pages::record) fn AccessRequest(locale: Locale, browser: Browser) -> impl IntoView {
    view! {
        <div class="card" {..shown_in("requesting-access")}>
            <h2>{locale.text(Message::PermissionHeading)}</h2>
            <p>{locale.text(Message::PermissionText)}</p>
        </div>
        <div class="sources" {..shown_in("requesting-access")}>
            <p class="hint">{locale.text(Message::SourceFileHint)}</p>
            <div class="alternatives">
                <FileButtons locale browser/>
            </div>
        </div>
        <div class="actions" {..shown_in("requesting-access")}>
            <ActionButton action=Action::Close class="button" label=locale.text(Message::ActionCancel)/>
        </div>
    }
    .into_any()
}

/// The obstacle, how to remove it, and the alternatives.
#[component]
pub(in crate::pages::record) fn Blocked(
    locale: Locale,
    browser: Browser,
    /// The URL of the link's QR code.
    code: String,
) -> impl IntoView {
    let obstacle = |state: &'static str, heading: Message, text: Message| {
        view! {
            <div class="card" {..shown_in(state)}>
                <h2>{locale.text(heading)}</h2>
                <p>{locale.text(text)}</p>
            </div>
        }
    };
    let in_app = browser.is_in_app();
    let open_in_browser =
        in_app.then(|| view! { <LinkOutside locale browser/> <OpenInBrowser locale browser/> });
    let copy = (!in_app).then(|| view! { <CopyLink locale/> });
    view! {
        <div class="card" {..shown_in("blocked-denied")}>
            <h2>{locale.text(Message::BlockedDeniedHeading)}</h2>
            {sign_in_address(browser).map(address_bar)}
            {unblocking(browser).map(|message| step_list(locale, message, browser.name()))}
            <p class="hint">{locale.text(Message::UnblockSystem)}</p>
        </div>
        {obstacle("blocked-no-camera", Message::BlockedNoCameraHeading, Message::BlockedNoCameraText)}
        {obstacle("blocked-busy", Message::BlockedBusyHeading, Message::BlockedBusyText)}
        {obstacle("blocked-insecure", Message::BlockedInsecureHeading, Message::BlockedInsecureText)}
        {obstacle("blocked-unsupported", Message::BlockedUnsupportedHeading, Message::BlockedUnsupportedText)}
        {obstacle("blocked-no-video", Message::BlockedNoPictureHeading, Message::BlockedNoPictureText)}
        {obstacle("blocked-no-screen", Message::BlockedNoScreenHeading, Message::BlockedNoScreenText)}
        <div class="sources" {..shown_in("blocked")}>
            {open_in_browser}
            <AudioToggle locale/>
            <OtherSource locale/>
            <p class="hint">{locale.text(Message::SourceFileHint)}</p>
            <div class="alternatives">
                <FileButtons locale browser/>
                {copy}
            </div>
            <PhoneLink locale code/>
        </div>
        <div class="actions" {..shown_in(RETRYABLE)}>
            <ActionButton
                action=Action::Retry
                class="button button--primary"
                label=locale.text(Message::BlockedTryAgain)
            />
        </div>
    }
    .into_any()
}

/// The camera instead of the screen, or the screen instead of the camera.
#[component]
fn OtherSource(locale: Locale) -> impl IntoView {
    view! {
        <ActionButton
            action=Action::OpenCamera
            class="button"
            label=locale.text(Message::SourceCamera)
            {..shown_in_if(RETRYABLE, &[Set(Flag::IsScreen), Set(Flag::HasCamera)])}
        />
        <ActionButton
            action=Action::ShareScreen
            class="button"
            label=locale.text(Message::SourceScreen)
            {..shown_in_if(RETRYABLE, &[Unset(Flag::IsScreen), Set(Flag::HasScreen)])}
        />
    }
}

/// The microphone can be switched off: if it is missing, in use or blocked, the camera can't be opened either.
#[component]
fn AudioToggle(locale: Locale) -> impl IntoView {
    view! {
        <label class="checkbox-field" {..shown_in("blocked-denied blocked-no-camera blocked-busy")}>
            <input r#type="checkbox" data-element=Element::AudioToggle.name() autocomplete="off" checked/>
            <span>{locale.text(Message::BlockedWithSound)}</span>
        </label>
    }
}

/// Draws the start of an address bar, with the sign that the first step is about.
fn address_bar(sign: Icon) -> impl IntoView {
    view! {
        <p class="note address-bar" aria-hidden="true">
            {sign.view()} <bdi>"https://…"</bdi>
        </p>
    }
}

/// The sign in the address bar that leads to this browser's permissions. `None`: they are elsewhere.
const fn sign_in_address(browser: Browser) -> Option<Icon> {
    Some(match browser {
        Browser::AndroidChrome | Browser::DesktopChrome => Icon::Settings,
        Browser::AndroidSamsung | Browser::AndroidFirefox | Browser::DesktopEdge => Icon::Lock,
        Browser::DesktopFirefox => Icon::CameraOff,
        Browser::IosSafari | Browser::Other => Icon::Sign,
        Browser::IosChrome
        | Browser::IosFirefox
        | Browser::DesktopSafari
        | Browser::InAppIos
        | Browser::InAppAndroid => return None,
    })
}

/// How to allow camera and microphone in this browser. `None`: only the settings of the device can.
const fn unblocking(browser: Browser) -> Option<Message> {
    Some(match browser {
        Browser::IosSafari => Message::UnblockIosSafari,
        Browser::IosChrome | Browser::IosFirefox => Message::UnblockIosApp,
        Browser::AndroidChrome | Browser::AndroidSamsung => Message::UnblockAndroid,
        Browser::AndroidFirefox => Message::UnblockAndroidFirefox,
        Browser::DesktopChrome => Message::UnblockChrome,
        Browser::DesktopEdge => Message::UnblockEdge,
        Browser::DesktopFirefox => Message::UnblockFirefox,
        Browser::DesktopSafari => Message::UnblockSafari,
        Browser::Other => Message::UnblockOther,
        Browser::InAppIos | Browser::InAppAndroid => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_bar_is_drawn_where_it_leads_to_permissions() {
        for (browser, sign) in [
            (Browser::DesktopFirefox, Some(Icon::CameraOff)),
            (Browser::DesktopEdge, Some(Icon::Lock)),
            (Browser::IosSafari, Some(Icon::Sign)),
            (Browser::IosChrome, None),
            (Browser::DesktopSafari, None),
            (Browser::InAppAndroid, None),
        ] {
            assert_eq!(sign_in_address(browser), sign, "{browser:?}");
        }
    }
}
