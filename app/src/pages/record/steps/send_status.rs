//! Notices while the upload fails.

use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::pages::record::markup::visibility::FlagIs::{self, Set, Unset};
use crate::pages::record::markup::visibility::shown_if;
use crate::recorder::bindings::Flag;

/// Why the upload fails; with the note that the take is stored here, unless this browser stores nothing.
#[component]
pub(super) fn SendStatus(locale: Locale) -> impl IntoView {
    let notice = |conditions: &[FlagIs], message: Message| {
        view! {
            <p class="warning" {..shown_if(conditions)}>
                {locale.text(message)} " "
                <span {..shown_if(&[Unset(Flag::MemoryOnly)])}>{locale.text(Message::UploadKept)}</span>
            </p>
        }
    };
    view! {
        {notice(&[Set(Flag::Offline)], Message::UploadOffline)}
        {notice(
            &[Set(Flag::Retrying), Unset(Flag::Offline), Unset(Flag::ServerFull)],
            Message::UploadWaiting,
        )}
        {notice(&[Set(Flag::ServerFull), Unset(Flag::Offline)], Message::UploadServerFull)}
    }
}
