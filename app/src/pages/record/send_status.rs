//! Why sending doesn't go on, and what becomes of the recording meanwhile.

use leptos::prelude::*;

use super::visibility::While::{self, Down, Up};
use super::visibility::given;
use crate::locale::{Locale, Message};
use crate::recorder::bindings::Flag;

/// It is said to be kept only by a browser that keeps anything.
#[component]
pub(super) fn Trouble(locale: Locale) -> impl IntoView {
    let trouble = |conditions: &[While], message: Message| {
        view! {
            <p class="warning" {..given(conditions)}>
                {locale.text(message)} " "
                <span {..given(&[Down(Flag::Unkept)])}>{locale.text(Message::UploadKept)}</span>
            </p>
        }
    };
    view! {
        {trouble(&[Up(Flag::Offline)], Message::UploadOffline)}
        {trouble(
            &[Up(Flag::Waiting), Down(Flag::Offline), Down(Flag::ServerFull)],
            Message::UploadWaiting,
        )}
        {trouble(&[Up(Flag::ServerFull), Down(Flag::Offline)], Message::UploadServerFull)}
    }
}
