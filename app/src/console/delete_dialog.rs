//! The deletion of the request, with its confirmation.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::controller::Controller;

/// A button, and the dialog that it opens.
#[component]
pub fn DeleteDialog(controller: Controller) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let open = move |_| {
        controller.error.set(None);
        if let Some(dialog) = dialog.get_untracked() {
            // Throws only for an open dialog, which covers the button.
            let _ = dialog.show_modal();
        }
    };
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let has_video = move || controller.phase.with(|phase| phase.video().is_some());
    view! {
        <button class="button button--danger" on:click=open>
            "Delete…"
        </button>
        <dialog class="confirm-dialog" aria-labelledby="confirm-heading" node_ref=dialog>
            <h2 id="confirm-heading">
                {move || match has_video() {
                    true => "Delete request and video?",
                    false => "Delete this request?",
                }}
            </h2>
            <p>
                "The link stops working at once, and what was recorded is removed from the server. \
                 Nobody can bring it back."
            </p>
            <p class="form-error" role="alert">
                {move || controller.error.get()}
            </p>
            <div class="confirm-dialog__actions">
                <button class="button" autofocus on:click=close>
                    "Keep it"
                </button>
                <button
                    class="button button--danger"
                    class:button--working=move || controller.is_pending.get()
                    aria-disabled=move || controller.is_pending.get().to_string()
                    on:click=move |_| controller.delete()
                >
                    "Delete for good"
                </button>
            </div>
        </dialog>
    }
}
