//! Where it ends: sent, over, or open in another tab.

use leptos::prelude::*;

use super::button::Press;
use super::icon::Icon;
use super::template::{Until, sentence_until};
use super::visibility::While::Up;
use super::visibility::{during, during_given, given};
use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Action, Element, Flag};

/// It was submitted.
#[component]
pub(super) fn Sent(locale: Locale, until: Until) -> impl IntoView {
    view! {
        <div class="card card--good" {..during("sent")}>
            {Icon::Done.view()}
            <h1>{locale.says(Message::Received)}</h1>
            <p>{locale.says(Message::ReceivedText)}</p>
            <p class="hint">{sentence_until(locale, Message::HowLongText, until)}</p>
        </div>
    }
    .into_any()
}

/// Nothing more can be done with this link, or with this take.
#[component]
pub(super) fn Over(locale: Locale) -> impl IntoView {
    let over = |state: &'static str, heading: Message, text: Message| {
        view! {
            <div class="card" {..during(state)}>
                <h1>{locale.says(heading)}</h1>
                <p>{locale.says(text)}</p>
            </div>
        }
    };
    view! {
        {over("over-expired", Message::Expired, Message::ExpiredText)}
        {over("over-submitted", Message::AlreadySent, Message::AlreadySentText)}
        {over("over-withdrawn", Message::Withdrawn, Message::WithdrawnText)}
        {over("over-taken-down", Message::TakenDown, Message::TakenDownText)}
        {over("over-too-large", Message::TooLarge, Message::TooLargeText)}
        {over("over-unreadable", Message::Unreadable, Message::UnreadableText)}
        {over("over-refused", Message::Refused, Message::RefusedText)}
        {over("over-unplayable", Message::Unplayable, Message::UnplayableText)}
        <div class="review" {..during("over")}>
            <Press
                deed=Action::Discard
                class="button button--primary"
                label=locale.says(Message::Again)
                {..during("over-too-large over-unreadable over-refused over-unplayable")}
            />
            <video
                class="clip"
                data-part=Element::Review.name()
                {..during_given("over", &[Up(Flag::HasClip)])}
                controls
                playsinline
                preload="none"
                aria-label=locale.says(Message::YourRecording)
            ></video>
            <p class="note" {..given(&[Up(Flag::HasClip)])}>
                {locale.says(Message::StillHere)}
            </p>
            <Press
                deed=Action::Save
                class="link"
                label=locale.says(Message::Save)
                {..given(&[Up(Flag::HasClip)])}
            />
        </div>
    }
    .into_any()
}

/// Another tab of this browser has it.
#[component]
pub(super) fn Elsewhere(locale: Locale) -> impl IntoView {
    view! {
        <div class="card" {..during("elsewhere")}>
            <h1>{locale.says(Message::Elsewhere)}</h1>
            <p>{locale.says(Message::ElsewhereText)}</p>
            <Press
                deed=Action::TakeOver
                class="button button--primary"
                label=locale.says(Message::GoOnHere)
            />
        </div>
    }
    .into_any()
}
