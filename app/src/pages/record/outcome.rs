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
            <h1>{locale.text(Message::SubmitSentHeading)}</h1>
            <p>{locale.text(Message::SubmitSentText)}</p>
            <p class="hint">{sentence_until(locale, Message::PrivacyRetentionText, until)}</p>
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
                <h1>{locale.text(heading)}</h1>
                <p>{locale.text(text)}</p>
            </div>
        }
    };
    view! {
        {over("over-expired", Message::EndExpiredHeading, Message::EndExpiredText)}
        {over("over-submitted", Message::EndSubmittedHeading, Message::EndSubmittedText)}
        {over("over-withdrawn", Message::EndWithdrawnHeading, Message::EndWithdrawnText)}
        {over("over-taken-down", Message::EndTakenDownHeading, Message::EndTakenDownText)}
        {over("over-too-large", Message::EndTooLargeHeading, Message::EndTooLargeText)}
        {over("over-unreadable", Message::EndUnreadableHeading, Message::EndUnreadableText)}
        {over("over-refused", Message::EndRefusedHeading, Message::EndRefusedText)}
        {over("over-unplayable", Message::EndUnplayableHeading, Message::EndUnplayableText)}
        <div class="review" {..during("over")}>
            <Press
                deed=Action::Discard
                class="button button--primary"
                label=locale.text(Message::ReviewAgain)
                {..during("over-too-large over-unreadable over-refused over-unplayable")}
            />
            <video
                class="clip"
                data-part=Element::Review.name()
                {..during_given("over", &[Up(Flag::HasClip)])}
                controls
                playsinline
                preload="none"
                aria-label=locale.text(Message::ReviewVideo)
            ></video>
            <p class="note" {..given(&[Up(Flag::HasClip)])}>
                {locale.text(Message::EndStillHere)}
            </p>
            <Press
                deed=Action::Save
                class="link"
                label=locale.text(Message::ReviewSave)
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
            <h1>{locale.text(Message::TabHeading)}</h1>
            <p>{locale.text(Message::TabText)}</p>
            <Press
                deed=Action::TakeOver
                class="button button--primary"
                label=locale.text(Message::TabContinue)
            />
        </div>
    }
    .into_any()
}
