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
                {locale.says(message)} " "
                <span {..given(&[Down(Flag::Unkept)])}>{locale.says(Message::KeptHere)}</span>
            </p>
        }
    };
    view! {
        {trouble(&[Up(Flag::Offline)], Message::Offline)}
        {trouble(
            &[Up(Flag::Waiting), Down(Flag::Offline), Down(Flag::ServerFull)],
            Message::Waiting,
        )}
        {trouble(&[Up(Flag::ServerFull), Down(Flag::Offline)], Message::ServerFull)}
    }
}
