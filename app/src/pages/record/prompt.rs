//! The prompt, visible until the take is submitted.

use leptos::prelude::*;

use super::markup::visibility::shown_in;
use crate::locale::{Locale, Message};

/// The prompt as text. Several lines become a checklist.
#[component]
pub(super) fn Prompt(locale: Locale, prompt: String) -> impl IntoView {
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
            class="prompt"
            aria-labelledby="prompt-heading"
            {..shown_in(
                "idle requesting-access blocked preview countdown recording paused stopping review confirming-discard submitting",
            )}
        >
            <h1 id="prompt-heading">{locale.text(Message::RecordPromptHeading)}</h1>
            // Focusable, because a long prompt scrolls.
            <div class="prompt__text" role="group" aria-labelledby="prompt-heading" tabindex="0">
                {instruction}
            </div>
        </section>
    }
}
