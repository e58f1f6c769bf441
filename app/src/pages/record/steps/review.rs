//! The review of the take: watch it, and submit or discard it.

use leptos::prelude::*;

use super::send_status::SendStatus;
use crate::locale::{Locale, Message};
use crate::pages::record::markup::button::{ActionButton, SaveButton};
use crate::pages::record::markup::template::{slot, text_with_elements, text_with_slots};
use crate::pages::record::markup::visibility::FlagIs::{self, Set, Unset};
use crate::pages::record::markup::visibility::{shown_if, shown_in, shown_in_if};
use crate::recorder::bindings::{Action, Element, Flag};

/// The states in which the take is shown.
const REVIEW: &str = "review confirming-discard submitting";

/// The take, as large as possible.
#[component]
pub(in crate::pages::record) fn Playback(locale: Locale) -> impl IntoView {
    // How much an earlier visit has stored isn't known before it is read.
    let percent = |name: &str| {
        view! { <span {..shown_if(&[Unset(Flag::Recovered)])}>{slot(name)}</span> }.into_any()
    };
    view! {
        <div class="playback" {..shown_in(REVIEW)}>
            <video
                class="playback__video"
                data-element=Element::Review.name()
                {..shown_in_if(
                    REVIEW,
                    &[Unset(Flag::NoPreview), Unset(Flag::NotPlayable), Unset(Flag::Loading)],
                )}
                controls
                playsinline
                aria-label=locale.text(Message::ReviewVideo)
            ></video>
            <p class="playback__note" {..shown_in_if(REVIEW, &[Set(Flag::Loading)])}>
                <span>{text_with_elements(locale, Message::ReviewReading, percent)}</span>
            </p>
            <p class="playback__note" {..shown_in_if(REVIEW, &[Set(Flag::NotPlayable), Unset(Flag::Loading)])}>
                {locale.text(Message::ReviewNoPlayer)}
            </p>
            <p class="playback__note" {..shown_in_if(REVIEW, &[Set(Flag::NoPreview)])}>
                {locale.text(Message::ReviewNoPreview)}
            </p>
        </div>
    }
    .into_any()
}

/// The states from the end of the recording to the submission.
/// What sends the take is in the same place in all of them. Notices are above it and scroll: however many there are,
/// they cover neither the video nor its controls.
#[component]
pub(in crate::pages::record) fn Review(locale: Locale) -> impl IntoView {
    view! {
        <TakeNotices locale/>
        <div class="review" {..shown_in("review")}>
            <h2>{locale.text(Message::ReviewHeading)}</h2>
            <div class="upload-status">
                <p>{text_with_slots(locale, Message::ReviewFacts)}</p>
                <UploadStatus locale/>
            </div>
        </div>
        <div class="actions" {..shown_in("review")}>
            <p class="hint">{locale.text(Message::ReviewNotSent)}</p>
            <ActionButton action=Action::Submit class="button button--primary" label=locale.text(Message::ReviewSend)/>
            <div class="actions__row">
                <ActionButton action=Action::AskDiscard class="button" label=locale.text(Message::ReviewAgain)/>
                <SaveButton locale and=Unset(Flag::NoPreview)/>
            </div>
        </div>
        <div class="actions" {..shown_in("confirming-discard")}>
            <h2>{locale.text(Message::DiscardHeading)}</h2>
            <p class="hint">{locale.text(Message::DiscardText)}</p>
            <ActionButton action=Action::Discard class="button button--danger" label=locale.text(Message::DiscardConfirm)/>
            <ActionButton action=Action::Keep class="button" label=locale.text(Message::DiscardKeep)/>
        </div>
        <div class="actions" {..shown_in("submitting")}>
            <SendStatus locale/>
            <p class="hint" {..shown_if(&[Unset(Flag::Sealing)])}>
                {locale.text(Message::SubmitKeepOpen)}
            </p>
            <p class="hint" {..shown_if(&[Set(Flag::Sealing)])}>
                {locale.text(Message::SubmitPreparing)}
            </p>
            <div class="sending">
                <progress
                    class="sending__progress"
                    data-element=Element::Progress.name()
                    max="1"
                    value="0"
                    aria-label=locale.text(Message::ReviewSend)
                ></progress>
                <h2>{text_with_slots(locale, Message::SubmitProgress)}</h2>
            </div>
            <div class="actions__row">
                <ActionButton action=Action::CancelSubmit class="button" label=locale.text(Message::ActionCancel)/>
                <SaveButton locale and=Unset(Flag::NoPreview)/>
            </div>
        </div>
    }
    .into_any()
}

/// Notices about the take.
#[component]
fn TakeNotices(locale: Locale) -> impl IntoView {
    let notice = |flag: Flag, message: Message| {
        view! {
            <p class="note" {..shown_in_if("review", &[Set(flag)])}>
                {text_with_slots(locale, message)}
            </p>
        }
    };
    let warning = |flag: Flag, message: Message| {
        view! {
            <p class="note note--warning" {..shown_in_if("review", &[Set(flag)])}>
                {locale.text(message)}
            </p>
        }
    };
    view! {
        {notice(Flag::Recovered, Message::ReviewResumed)} {notice(Flag::Interrupted, Message::ReviewInterrupted)}
        {notice(Flag::IsFile, Message::ReviewFile)}
        {notice(Flag::MemoryOnly, Message::StorageNone)}
        {warning(Flag::HasLocation, Message::ReviewLocated)} {warning(Flag::ClosesSoon, Message::ReviewClosesSoon)}
    }
}

/// How much of the take is committed.
#[component]
fn UploadStatus(locale: Locale) -> impl IntoView {
    let line = |conditions: &[FlagIs], message: Message| {
        view! { <p {..shown_if(conditions)}>{text_with_slots(locale, message)}</p> }
    };
    let complete = Flag::Complete;
    view! {
        {line(&[Set(complete)], Message::UploadComplete)}
        {line(&[Unset(complete), Unset(Flag::Retrying), Unset(Flag::Offline)], Message::UploadProgress)}
        <div {..shown_if(&[Unset(complete)])}>
            <SendStatus locale/>
        </div>
    }
}
