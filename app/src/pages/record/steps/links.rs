//! The link of this page, for another browser or another device.

use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::pages::record::browser::Browser;
use crate::pages::record::markup::template::step_list;
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::shown_if;
use crate::recorder::bindings::{Action, Element, Flag};

/// Opens the link in the device's own browser.
/// Without the island, which knows the address, it isn't shown.
#[component]
pub(super) fn LinkOutside(locale: Locale, browser: Browser) -> impl IntoView {
    let system = match browser {
        Browser::InAppIos => "ios",
        _ => "android",
    };
    view! {
        <a class="button way-out" data-element=Element::LinkOutside.name() data-system=system hidden>
            {locale.text(Message::InAppLeave)}
        </a>
    }
}

/// How to open the link in the device's own browser.
#[component]
pub(super) fn OpenInBrowser(locale: Locale, browser: Browser) -> impl IntoView {
    let how = match browser {
        Browser::InAppIos => Message::InAppOpenSafari,
        _ => Message::InAppOpenChrome,
    };
    view! {
        {step_list(locale, how, browser.name())}
        <CopyLink locale/>
    }
}

/// A button that copies the link, and shows that in the same place.
#[component]
pub(super) fn CopyLink(locale: Locale) -> impl IntoView {
    view! {
        <button r#type="button" class="button" data-action=Action::Copy.name() disabled>
            <span {..shown_if(&[Unset(Flag::Copied)])}>{locale.text(Message::LinkCopy)}</span>
            <span {..shown_if(&[Set(Flag::Copied)])}>{locale.text(Message::LinkCopied)}</span>
        </button>
    }
}

/// The link for a phone, as a QR code and to copy.
#[component]
pub(super) fn PhoneLink(locale: Locale, code: String) -> impl IntoView {
    view! {
        <details class="disclosure" {..shown_if(&[Unset(Flag::IsHandheld)])}>
            <summary>{locale.text(Message::SourcePhone)}</summary>
            <div class="phone-link">
                <img
                    class="phone-link__code"
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
