//! The form that creates a request.

use leptos::html::{Select, Textarea};
use leptos::prelude::*;

use super::controller::Controller;
use super::text;
use crate::api::PROMPT_CHARS;

/// Lifetimes to choose from, in hours; all within [`crate::api::LIFETIME_HOURS`].
const LIFETIMES: [i64; 5] = [1, 4, 12, 24, 48];

const DEFAULT_LIFETIME: i64 = 24;

/// The form.
#[component]
pub fn CreateForm(controller: Controller, is_hydrated: ReadSignal<bool>) -> impl IntoView {
    let prompt = NodeRef::<Textarea>::new();
    let (chars, set_chars) = signal(0);
    let lifetime = NodeRef::<Select>::new();
    let count = move |_| {
        if let Some(field) = prompt.get_untracked() {
            // Unicode characters, as the API counts them; `maxlength` would count UTF-16 units.
            set_chars.set(field.value().chars().count());
        }
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if let (Some(prompt), Some(lifetime)) = (prompt.get_untracked(), lifetime.get_untracked()) {
            // Read now and not followed: it may have been chosen before the WASM was loaded.
            let hours = lifetime.value().parse().unwrap_or(DEFAULT_LIFETIME);
            controller.create(prompt.value(), hours);
        }
    };
    // The person may have typed before the WASM was loaded.
    Effect::new(move || {
        if is_hydrated.get() {
            count(());
        }
    });
    let max = *PROMPT_CHARS.end();
    view! {
        <form class="card create-form" on:submit=submit>
            <div class="field">
                <label for="prompt">"What should the video show?"</label>
                <textarea
                    id="prompt"
                    rows="4"
                    required
                    dir="auto"
                    placeholder="Show the dent in the door, then the number plate."
                    aria-describedby="prompt-length"
                    aria-invalid=move || (chars.get() > max).to_string()
                    node_ref=prompt
                    on:input=move |_| count(())
                ></textarea>
                <p
                    class="field__counter"
                    class:field__counter--error=move || max < chars.get()
                    id="prompt-length"
                >
                    {move || text::prompt_length(chars.get(), max)}
                </p>
            </div>
            <div class="create-form__actions">
                <div class="field field--row">
                    <label for="lifetime">"Keep it for"</label>
                    <select id="lifetime" node_ref=lifetime>
                        {LIFETIMES
                            .map(|it| {
                                view! {
                                    <option value=it.to_string() selected={it == DEFAULT_LIFETIME}>
                                        {text::lifetime(it)}
                                    </option>
                                }
                            })
                            .collect_view()}
                    </select>
                </div>
                <button
                    class="button button--primary"
                    r#type="submit"
                    class:button--working=move || controller.is_pending.get()
                    disabled=move || !is_hydrated.get()
                    aria-disabled=move || controller.is_pending.get().to_string()
                >
                    "Create the link"
                </button>
            </div>
            <p class="form-error" role="alert">
                {move || controller.error.get()}
            </p>
        </form>
    }
}
