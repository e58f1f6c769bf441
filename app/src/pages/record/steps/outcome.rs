//! The final states, and the page that is open in another tab.

use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;
use crate::pages::record::markup::button::{ActionButton, SaveButton};
use crate::pages::record::markup::receipt::Receipt;
use crate::pages::record::markup::template::{DisplayTime, text_with_time};
use crate::pages::record::markup::visibility::FlagIs::{Set, Unset};
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag};

/// The take was submitted.
#[component]
pub(in crate::pages::record) fn Submitted(locale: Locale, until: DisplayTime) -> impl IntoView {
    let retention = |until| text_with_time(locale, Message::PrivacyRetentionText, until).into_any();
    view! {
        <div class="outcome outcome--good" {..shown_in("submitted")}>
            {Icon::Check.view()}
            <h1>{locale.text(Message::SubmitSentHeading)}</h1>
            <p>{locale.text(Message::SubmitSentText)}</p>
            <Receipt
                locale
                retention=retention(until.clone())
                {..shown_if(&[Set(Flag::HasReceipt)])}
            />
            <p class="hint" {..shown_if(&[Unset(Flag::HasReceipt)])}>
                {retention(until)}
            </p>
        </div>
    }
    .into_any()
}

/// The link accepts no video any more, or it doesn't accept this take.
#[component]
pub(in crate::pages::record) fn Ended(locale: Locale) -> impl IntoView {
    let ending = |state: &'static str, heading: Message, text: Message| {
        view! {
            <div class="outcome" {..shown_in(state)}>
                {Icon::Notice.view()}
                <h1>{locale.text(heading)}</h1>
                <p>{locale.text(text)}</p>
            </div>
        }
    };
    view! {
        {ending("ended-expired", Message::EndExpiredHeading, Message::EndExpiredText)}
        {ending("ended-submitted", Message::EndSubmittedHeading, Message::EndSubmittedText)}
        {ending("ended-withdrawn", Message::EndWithdrawnHeading, Message::EndWithdrawnText)}
        {ending("ended-taken-down", Message::EndTakenDownHeading, Message::EndTakenDownText)}
        {ending("ended-too-large", Message::EndTooLargeHeading, Message::EndTooLargeText)}
        {ending("ended-unreadable", Message::EndUnreadableHeading, Message::EndUnreadableText)}
        {ending("ended-refused", Message::EndRefusedHeading, Message::EndRefusedText)}
        {ending("ended-unplayable", Message::EndUnplayableHeading, Message::EndUnplayableText)}
        <div class="outcome outcome--rest" {..shown_in("ended")}>
            <ActionButton
                action=Action::Discard
                class="button button--primary"
                label=locale.text(Message::ReviewAgain)
                {..shown_in("ended-too-large ended-unreadable ended-refused ended-unplayable")}
            />
            <video
                class="clip"
                data-element=Element::Review.name()
                {..shown_in_if("ended", &[Set(Flag::HasClip)])}
                controls
                playsinline
                preload="none"
                aria-label=locale.text(Message::ReviewVideo)
            ></video>
            // In sight on the smallest phone, too: what was recorded is nowhere else.
            <SaveButton locale/>
            <p class="note" {..shown_if(&[Set(Flag::HasClip)])}>
                {locale.text(Message::EndStillHere)}
            </p>
        </div>
    }
    .into_any()
}

/// Another tab of this browser owns the recording.
#[component]
pub(in crate::pages::record) fn OpenElsewhere(locale: Locale) -> impl IntoView {
    view! {
        <div class="outcome" {..shown_in("elsewhere")}>
            {Icon::Notice.view()}
            <h1>{locale.text(Message::TabHeading)}</h1>
            <p>{locale.text(Message::TabText)}</p>
            <ActionButton
                action=Action::TakeOver
                class="button button--primary"
                label=locale.text(Message::TabContinue)
            />
        </div>
    }
    .into_any()
}
