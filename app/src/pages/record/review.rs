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
            <h2>{locale.says(Message::HaveALook)}</h2>
            <p class="hint">{locale.says(Message::NobodyYet)}</p>
            <Remarks locale/>
            <Press deed=Action::Submit class="button button--primary" label=locale.says(Message::Send)/>
            <Press deed=Action::Reconsider class="button" label=locale.says(Message::Again)/>
            <div class="figures">
                <p>{sentence(locale, Message::Facts)}</p>
                <Upload locale/>
            </div>
            <Press
                deed=Action::Save
                class="link"
                label=locale.says(Message::Save)
                {..given(&[Up(Flag::HasClip)])}
            />
        </div>
        <div class="review" {..during("reconsidering")}>
            <h2>{locale.says(Message::ThrowAway)}</h2>
            <p>{locale.says(Message::ThrowAwayText)}</p>
            <Press deed=Action::Discard class="button button--danger" label=locale.says(Message::Discard)/>
            <Press deed=Action::Keep class="button" label=locale.says(Message::Keep)/>
        </div>
        <div class="review" {..during("submitting")}>
            <h2>{sentence(locale, Message::Sending)}</h2>
            <progress
                class="sending"
                data-part=Element::Progress.name()
                max="1"
                value="0"
                aria-label=locale.says(Message::Send)
            ></progress>
            <p {..given(&[Down(Flag::Preparing)])}>{locale.says(Message::KeepOpen)}</p>
            <p {..given(&[Up(Flag::Preparing)])}>{locale.says(Message::Preparing)}</p>
            <Trouble locale/>
            <Press deed=Action::Hold class="button" label=locale.says(Message::Cancel)/>
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
                {locale.says(message)}
            </p>
        }
    };
    view! {
        {remark(Flag::Resumed, Message::Resumed)} {remark(Flag::Interrupted, Message::Interrupted)}
        {remark(Flag::IsFile, Message::ChosenFile)} {remark(Flag::NoPlayer, Message::NoPlayer)}
        {remark(Flag::Unkept, Message::Unkept)}
        {warning(Flag::Located, Message::Located)} {warning(Flag::ClosesSoon, Message::ClosesSoon)}
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
        {line(&[Up(complete)], Message::UploadedAll)}
        {line(&[Down(complete), Down(waiting), Down(Flag::Offline)], Message::Uploaded)}
        <div {..given(&[Down(complete)])}>
            <Trouble locale/>
        </div>
    }
}
