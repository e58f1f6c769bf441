//! What the person reads and presses. The elements stay; what they say follows the phase.

use leptos::html::{Button, Div};
use leptos::prelude::*;

use super::machine::Phase;
use super::session::Session;
use super::words;
use crate::browser;

/// The buttons, and what to know before pressing them.
#[component]
pub fn Controls(session: Session, awake: ReadSignal<bool>) -> impl IntoView {
    let notice = move || words::notice(session.phase());
    let main = NodeRef::<Button>::new();
    let whole = NodeRef::<Div>::new();
    let working = move || matches!(session.phase(), Phase::Asking | Phase::Stopping);
    // Not `disabled`, which would take the keyboard off the button.
    let resting = move || (working() || !session.settled()).to_string();
    // Where a button vanishes under somebody's finger, the keyboard goes on from the same place.
    Effect::new(move || match session.phase() {
        Phase::Asking => focus(main.get_untracked()),
        Phase::Review | Phase::Submitting | Phase::Sent | Phase::Over(_) => {
            focus(whole.get_untracked());
        }
        _ => {}
    });
    view! {
        <div class="controls" node_ref=whole tabindex="-1">
            <div
                class="notice"
                class:notice--good=move || session.phase() == Phase::Sent
                class:notice--bad=move || session.phase() != Phase::Sent
                hidden=move || notice().is_none()
            >
                <h2>{move || notice().map(|it| it.heading)}</h2>
                <p>{move || notice().map(|it| it.text)}</p>
            </div>
            <p class="hint" hidden=move || words::hint(session.phase()).is_empty()>
                {move || words::hint(session.phase())}
            </p>
            <progress
                class="progress"
                hidden=move || session.phase() != Phase::Submitting
                max=move || session.upload().recorded.max(1).to_string()
                value=move || session.upload().committed.to_string()
                aria-label="Upload"
            ></progress>
            <button
                class="button button--primary"
                class:button--record=move || session.phase() == Phase::Preview
                class:button--stop=move || {
                    matches!(session.phase(), Phase::Recording | Phase::Stopping)
                }
                node_ref=main
                hidden=move || words::button(session.phase()).is_empty()
                disabled=move || !awake.get()
                class:button--working=working
                aria-disabled=resting
                on:click=move |_| session.press()
            >
                {move || words::button(session.phase())}
            </button>
            <button
                class="button button--primary"
                hidden=move || session.phase() != Phase::Review
                aria-disabled=resting
                on:click=move |_| session.submit()
            >
                "Send this video"
            </button>
            <button
                class="button"
                hidden=move || session.phase() != Phase::Review
                aria-disabled=resting
                on:click=move |_| session.record_again()
            >
                "Record again"
            </button>
            <p
                class="sent"
                class:sent--waiting=move || session.upload().waiting
                hidden=move || !session.phase().holds_a_take()
            >
                {move || words::sent(&session.upload())}
            </p>
        </div>
    }
}

fn focus(element: Option<impl AsRef<browser::HtmlElement>>) {
    if let Some(element) = element {
        browser::focus(element.as_ref());
    }
}
