//! Before there is a request: what to ask for, and for how long.

use leptos::html::Textarea;
use leptos::prelude::*;

use super::session::Session;
use super::text;
use crate::api::PROMPT_CHARS;

/// Lifetimes to choose from, in hours, all within what the interface allows.
const LIFETIMES: [i64; 5] = [1, 4, 12, 24, 48];

const USUAL: i64 = 24;

/// The form.
#[component]
pub fn Ask(session: Session, awake: ReadSignal<bool>) -> impl IntoView {
    let prompt = NodeRef::<Textarea>::new();
    let (chars, set_chars) = signal(0);
    let (hours, set_hours) = signal(USUAL);
    let count = move |_| {
        if let Some(field) = prompt.get_untracked() {
            // As the interface counts them: not UTF-16 units, as `maxlength` would.
            set_chars.set(field.value().chars().count());
        }
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if let Some(field) = prompt.get_untracked() {
            session.create(field.value(), hours.get_untracked());
        }
    };
    // What was written before the WASM was here counts, too.
    Effect::new(move || {
        if awake.get() {
            count(());
        }
    });
    let most = *PROMPT_CHARS.end();
    view! {
        <form class="card ask-form" on:submit=submit>
            <div class="field">
                <label for="prompt">"What should the video show?"</label>
                <textarea
                    id="prompt"
                    rows="4"
                    required
                    dir="auto"
                    placeholder="Show the dent in the door, then the number plate."
                    aria-describedby="prompt-length"
                    aria-invalid=move || (chars.get() > most).to_string()
                    node_ref=prompt
                    on:input=move |_| count(())
                ></textarea>
                <p class="field__note" class:field__note--bad=move || most < chars.get() id="prompt-length">
                    {move || text::length(chars.get(), most)}
                </p>
            </div>
            <div class="ask-form__end">
                <div class="field field--row">
                    <label for="lifetime">"Keep it for"</label>
                    <select
                        id="lifetime"
                        on:change=move |event| {
                            set_hours.set(event_target_value(&event).parse().unwrap_or(USUAL));
                        }
                    >
                        {LIFETIMES
                            .map(|it| {
                                view! {
                                    <option value=it.to_string() selected={it == USUAL}>
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
                    class:button--working=move || session.busy.get()
                    disabled=move || !awake.get()
                    aria-disabled=move || session.busy.get().to_string()
                >
                    "Create the link"
                </button>
            </div>
            <p class="complaint" role="alert">
                {move || session.complaint.get()}
            </p>
        </form>
    }
}
