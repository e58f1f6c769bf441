//! The island, from its props down.

use leptos::ev;
use leptos::prelude::*;

use super::controls::Controls;
use super::machine::Phase;
use super::session::Session;
use super::stage::Stage;
use super::words;
use crate::browser;

/// Records a video and submits it.
#[island]
pub fn Recorder(
    /// The request's id.
    request: String,
    /// RFC 3339, UTC: when the link closes.
    expires_at: String,
    /// The same for people, in UTC: shown until the device's own time zone is known.
    expires_text: String,
) -> impl IntoView {
    let session = Session::new(&request);
    session.submit_when_complete();
    // Buttons do nothing before the WASM is here, so until then they say so.
    let (awake, set_awake) = signal(false);
    Effect::new(move || set_awake.set(true));
    let asked_before_leaving = window_event_listener(ev::beforeunload, move |event| {
        if session.holds_a_take() {
            event.prevent_default();
        }
    });
    on_cleanup(move || asked_before_leaving.remove());
    view! {
        <section class="recorder" aria-label="Recorder">
            <Stage session/>
            <Controls session awake/>
            <p class="visually-hidden" role="status">
                {move || words::announcement(session.phase())}
            </p>
            <Until session expires_at expires_text/>
        </section>
    }
}

/// When the link closes.
#[component]
fn Until(session: Session, expires_at: String, expires_text: String) -> impl IntoView {
    let (text, set_text) = signal(expires_text);
    let moment = expires_at.clone();
    Effect::new(move || {
        if let Some(local) = browser::local_time(&moment) {
            set_text.set(local);
        }
    });
    view! {
        <p class="until" hidden=move || matches!(session.phase(), Phase::Over(_))>
            "The video goes only to whoever sent you this link. Link and video are deleted here on "
            <time datetime=expires_at>{text}</time> "."
        </p>
    }
}
