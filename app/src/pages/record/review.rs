//! What was recorded or chosen: look, send, or throw away.

use leptos::prelude::*;

use super::button::Press;
use super::send_status::Trouble;
use super::template::sentence;
use super::visibility::While::{self, Down, Up};
use super::visibility::{during, given};
use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Action, Element, Flag};

/// From the end of a recording until it is sent.
#[component]
pub(super) fn Review(locale: Locale) -> impl IntoView {
    view! {
        <div class="review" {..during("review")}>
            <h2>{locale.text(Message::ReviewHeading)}</h2>
            <p class="hint">{locale.text(Message::ReviewNotSent)}</p>
            <Remarks locale/>
            <Press deed=Action::Submit class="button button--primary" label=locale.text(Message::ReviewSend)/>
            <Press deed=Action::Reconsider class="button" label=locale.text(Message::ReviewAgain)/>
            <div class="figures">
                <p>{sentence(locale, Message::ReviewFacts)}</p>
                <Upload locale/>
            </div>
            <Press
                deed=Action::Save
                class="link"
                label=locale.text(Message::ReviewSave)
                {..given(&[Up(Flag::HasClip)])}
            />
        </div>
        <div class="review" {..during("reconsidering")}>
            <h2>{locale.text(Message::DiscardHeading)}</h2>
            <p>{locale.text(Message::DiscardText)}</p>
            <Press deed=Action::Discard class="button button--danger" label=locale.text(Message::DiscardConfirm)/>
            <Press deed=Action::Keep class="button" label=locale.text(Message::DiscardKeep)/>
        </div>
        <div class="review" {..during("submitting")}>
            <h2>{sentence(locale, Message::SubmitProgress)}</h2>
            <progress
                class="sending"
                data-part=Element::Progress.name()
                max="1"
                value="0"
                aria-label=locale.text(Message::ReviewSend)
            ></progress>
            <p {..given(&[Down(Flag::Preparing)])}>{locale.text(Message::SubmitKeepOpen)}</p>
            <p {..given(&[Up(Flag::Preparing)])}>{locale.text(Message::SubmitPreparing)}</p>
            <Trouble locale/>
            <Press deed=Action::Hold class="button" label=locale.text(Message::ActionCancel)/>
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

/// What there is to know about this take.
#[component]
fn Remarks(locale: Locale) -> impl IntoView {
    let remark = |flag: Flag, message: Message| {
        view! {
            <p class="note" {..given(&[Up(flag)])}>
                {sentence(locale, message)}
            </p>
        }
    };
    let warning = |flag: Flag, message: Message| {
        view! {
            <p class="note note--warning" {..given(&[Up(flag)])}>
                {locale.text(message)}
            </p>
        }
    };
    view! {
        {remark(Flag::Resumed, Message::ReviewResumed)} {remark(Flag::Interrupted, Message::ReviewInterrupted)}
        {remark(Flag::IsFile, Message::ReviewFile)} {remark(Flag::NoPlayer, Message::ReviewNoPlayer)}
        {remark(Flag::Unkept, Message::StorageNone)}
        {warning(Flag::Located, Message::ReviewLocated)} {warning(Flag::ClosesSoon, Message::ReviewClosesSoon)}
    }
}

/// How much of it is safe.
#[component]
fn Upload(locale: Locale) -> impl IntoView {
    let line = |conditions: &[While], message: Message| {
        view! { <p {..given(conditions)}>{sentence(locale, message)}</p> }
    };
    let (complete, waiting) = (Flag::Complete, Flag::Waiting);
    view! {
        {line(&[Up(complete)], Message::UploadComplete)}
        {line(&[Down(complete), Down(waiting), Down(Flag::Offline)], Message::UploadProgress)}
        <div {..given(&[Down(complete)])}>
            <Trouble locale/>
        </div>
    }
}
