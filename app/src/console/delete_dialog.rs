//! Deleting, after asking.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::session::Session;

/// The button, and the question behind it.
#[component]
pub fn Removal(session: Session) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let open = move |_| {
        session.complaint.set(None);
        if let Some(dialog) = dialog.get_untracked() {
            // Throws for one that is open, which has no button outside of it.
            let _ = dialog.show_modal();
        }
    };
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let has_video = move || session.phase.with(|phase| phase.video().is_some());
    view! {
        <button class="button button--danger" on:click=open>
            "Delete…"
        </button>
        <dialog class="question" aria-labelledby="question-heading" node_ref=dialog>
            <h2 id="question-heading">
                {move || match has_video() {
                    true => "Delete request and video?",
                    false => "Delete this request?",
                }}
            </h2>
            <p>
                "The link stops working at once, and what was recorded is removed from the server. \
                 Nobody can bring it back."
            </p>
            <p class="complaint" role="alert">
                {move || session.complaint.get()}
            </p>
            <div class="question__answers">
                <button class="button" autofocus on:click=close>
                    "Keep it"
                </button>
                <button
                    class="button button--danger"
                    class:button--working=move || session.busy.get()
                    aria-disabled=move || session.busy.get().to_string()
                    on:click=move |_| session.delete()
                >
                    "Delete for good"
                </button>
            </div>
        </dialog>
    }
}
