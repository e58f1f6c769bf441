//! What is asked for: in sight until it is done.

use leptos::prelude::*;

use super::visibility::during;
use crate::locale::{Locale, Message};

/// The instruction, as inert text. Of several lines it is a list to tick off.
#[component]
pub(super) fn Ask(locale: Locale, prompt: String) -> impl IntoView {
    let lines: Vec<_> = prompt
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    let instruction = if lines.len() > 1 {
        let lines = lines.into_iter().map(|line| {
            view! {
                <li>
                    <label>
                        <input r#type="checkbox" autocomplete="off"/>
                        <span dir="auto">{line}</span>
                    </label>
                </li>
            }
        });
        view! { <ul class="checklist">{lines.collect_view()}</ul> }.into_any()
    } else {
        view! { <p dir="auto">{prompt}</p> }.into_any()
    };
    view! {
        <section
            class="ask"
            aria-labelledby="ask-heading"
            {..during(
                "idle asking blocked preview countdown recording paused stopping review reconsidering submitting",
            )}
        >
            <h1 id="ask-heading">{locale.text(Message::RecordPromptHeading)}</h1>
            // It scrolls when it is long, so the keyboard has to reach it.
            <div class="prompt" role="group" aria-labelledby="ask-heading" tabindex="0">
                {instruction}
            </div>
        </section>
    }
}
