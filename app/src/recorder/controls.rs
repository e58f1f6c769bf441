//! What the person reads and presses. The elements stay; what they say follows the phase.

use leptos::prelude::*;

use super::machine::Phase;
use super::session::Session;
use super::words;

/// The buttons, and what to know before pressing them.
#[component]
pub fn Controls(session: Session, awake: ReadSignal<bool>) -> impl IntoView {
    let notice = move || words::notice(session.phase());
    let press = move |_| match session.phase() {
        Phase::Idle | Phase::Blocked(_) => session.ask_camera(),
        Phase::Preview => session.record(),
        Phase::Recording => session.stop(),
        Phase::Review => session.submit(),
        Phase::Asking | Phase::Stopping | Phase::Submitting | Phase::Sent | Phase::Over(_) => {}
    };
    // Before the WASM is here a button would do nothing, so until then it can't be pressed.
    let resting = move || {
        let waits = matches!(session.phase(), Phase::Asking | Phase::Stopping);
        waits || !awake.get()
    };
    view! {
        <div class="controls">
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
                hidden=move || words::button(session.phase()).is_empty()
                disabled=resting
                on:click=press
            >
                {move || words::button(session.phase())}
            </button>
            <button
                class="button"
                hidden=move || session.phase() != Phase::Review
                on:click=move |_| session.ask_camera()
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
