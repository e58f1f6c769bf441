//! What keeps the camera from somebody, and what to do about it with the browser at hand.

use leptos::prelude::*;

use super::browser::Browser;
use super::button::Press;
use super::sources::{ByPhone, Files};
use super::template::steps;
use super::visibility::While::{Down, Up};
use super::visibility::{during, during_given, given};
use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Action, Element, Flag};

/// Something was tried that may go better another time.
const TRIED: &str =
    "blocked-denied blocked-no-camera blocked-busy blocked-no-picture blocked-no-screen";

/// The browser asks. Some never come back with an answer: so there are ways out.
#[component]
pub(super) fn Asking(locale: Locale) -> impl IntoView {
    view! {
        <div class="card" {..during("asking")}>
            <h2>{locale.text(Message::PermissionHeading)}</h2>
            <p>{locale.text(Message::PermissionText)}</p>
            <Press deed=Action::Close class="link" label=locale.text(Message::ActionCancel)/>
        </div>
        <div class="sources" {..during("asking")}>
            <p class="hint">{locale.text(Message::SourceFileHint)}</p>
            <div class="others">
                <Files locale/>
            </div>
        </div>
    }
    .into_any()
}

/// Why there is no picture, what to do about it, and how to do without.
#[component]
pub(super) fn Blocked(
    locale: Locale,
    browser: Browser,
    /// Where the link is as a code.
    code: String,
) -> impl IntoView {
    let obstacle = |state: &'static str, heading: Message, text: Message| {
        view! {
            <div class="card" {..during(state)}>
                <h2>{locale.text(heading)}</h2>
                <p>{locale.text(text)}</p>
            </div>
        }
    };
    let in_app = browser.is_in_app();
    let outside = in_app.then(|| view! { <Outside locale browser/> });
    let copy = (!in_app).then(|| view! { <CopyLink locale/> });
    view! {
        <div class="card" {..during("blocked-denied")}>
            <h2>{locale.text(Message::BlockedDeniedHeading)}</h2>
            {unblocking(browser).map(|message| steps(locale, message, browser.name()))}
            <p class="hint">{locale.text(Message::UnblockSystem)}</p>
        </div>
        {obstacle("blocked-no-camera", Message::BlockedNoCameraHeading, Message::BlockedNoCameraText)}
        {obstacle("blocked-busy", Message::BlockedBusyHeading, Message::BlockedBusyText)}
        {obstacle("blocked-insecure", Message::BlockedInsecureHeading, Message::BlockedInsecureText)}
        {obstacle("blocked-unsupported", Message::BlockedUnsupportedHeading, Message::BlockedUnsupportedText)}
        {obstacle("blocked-no-picture", Message::BlockedNoPictureHeading, Message::BlockedNoPictureText)}
        {obstacle("blocked-no-screen", Message::BlockedNoScreenHeading, Message::BlockedNoScreenText)}
        <div class="sources" {..during("blocked")}>
            {outside}
            <WithSound locale/>
            <Press
                deed=Action::Ask
                class="button button--primary"
                label=locale.text(Message::BlockedTryAgain)
                {..during(TRIED)}
            />
            <OtherSource locale/>
            <p class="hint">{locale.text(Message::SourceFileHint)}</p>
            <div class="others">
                <Files locale/>
                {copy}
            </div>
            <ByPhone locale code/>
        </div>
    }
    .into_any()
}

/// What wasn't tried: the camera instead of the screen, or the other way round.
#[component]
fn OtherSource(locale: Locale) -> impl IntoView {
    view! {
        <Press
            deed=Action::Camera
            class="button"
            label=locale.text(Message::SourceCamera)
            {..during_given(TRIED, &[Up(Flag::IsScreen), Up(Flag::HasCamera)])}
        />
        <Press
            deed=Action::Screen
            class="button"
            label=locale.text(Message::SourceScreen)
            {..during_given(TRIED, &[Down(Flag::IsScreen), Up(Flag::HasScreen)])}
        />
    }
}

/// A microphone that is missing, taken or forbidden keeps the camera off too.
#[component]
fn WithSound(locale: Locale) -> impl IntoView {
    view! {
        <label class="tick" {..during("blocked-denied blocked-no-camera blocked-busy")}>
            <input r#type="checkbox" data-part=Element::Sound.name() autocomplete="off" checked/>
            <span>{locale.text(Message::BlockedWithSound)}</span>
        </label>
    }
}

/// Out of another app, into the device's own browser.
#[component]
pub(super) fn Outside(locale: Locale, browser: Browser) -> impl IntoView {
    let how = match browser {
        Browser::InAppIos => Message::InAppOpenSafari,
        _ => Message::InAppOpenChrome,
    };
    view! {
        {steps(locale, how, browser.name())}
        <CopyLink locale/>
    }
}

/// Copies the link, and says so in the same place.
#[component]
pub(super) fn CopyLink(locale: Locale) -> impl IntoView {
    view! {
        <button r#type="button" class="button" data-do=Action::Copy.name() disabled>
            <span {..given(&[Down(Flag::Copied)])}>{locale.text(Message::LinkCopy)}</span>
            <span {..given(&[Up(Flag::Copied)])}>{locale.text(Message::LinkCopied)}</span>
        </button>
    }
}

/// How this browser is told to allow camera and microphone. `None`: it can't be, the device can.
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
