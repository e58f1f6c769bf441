//! The prompt, visible until the take is submitted: a card before the camera, and then one step at a time.

use fluent_bundle::FluentArgs;
use leptos::prelude::*;

use super::markup::report::ReportLink;
use super::markup::sheet::CloseSheet;
use super::markup::visibility::shown_in;
use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;
use crate::prompt::steps;

/// The id of the text, which opens as a sheet with all steps.
const SHEET: &str = "prompt-text";

/// The states in which a step can be ticked.
const TICKED: &str =
    "preview countdown recording paused stopping review confirming-discard submitting";

/// The prompt as text.
/// Several lines become a checklist, of which the style sheet shows the first step that isn't ticked.
#[component]
pub(super) fn Prompt(locale: Locale, prompt: String, request: String) -> impl IntoView {
    let lines = steps(&prompt).into_iter().map(str::to_owned);
    let lines: Vec<_> = lines.collect();
    let (class, instruction) = if lines.len() > 1 {
        (
            "prompt__text",
            view! { <Checklist locale lines/> }.into_any(),
        )
    } else {
        let text = view! {
            <p class="step__text" dir="auto">
                {prompt.trim().to_owned()}
            </p>
        };
        ("prompt__text prompt__text--single", text.into_any())
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
            <p class="prompt__audience" {..shown_in("idle")}>
                {locale.text(Message::RecordAudience)}
            </p>
            <p class="prompt__question" {..shown_in("review confirming-discard submitting")}>
                {locale.text(Message::ReviewQuestion)}
            </p>
            <div class=class id=SHEET popover="auto">
                <CloseSheet locale sheet=SHEET/>
                {instruction}
                <ReportLink locale request/>
            </div>
            <button
                r#type="button"
                class="prompt__open"
                popovertarget=SHEET
                aria-labelledby="prompt-heading"
                {..shown_in(
                    "requesting-access blocked preview countdown recording paused stopping review confirming-discard submitting",
                )}
            ></button>
        </section>
    }
    .into_any()
}

/// The steps, each with a box to tick.
#[component]
fn Checklist(locale: Locale, lines: Vec<String>) -> impl IntoView {
    let total = lines.len();
    let steps = (1..).zip(lines).map(|(number, line): (usize, String)| {
        let values = FluentArgs::from_iter([("number", number), ("total", total)]);
        let count = locale.format(Message::RecordStep, &values);
        let id = format!("step-{number}");
        view! {
            <li class="step">
                <p class="step__text">
                    <span class="step__count">{count} " · "</span>
                    <span id=id.clone() dir="auto">{line}</span>
                </p>
                <label class="step__tick" {..shown_in(TICKED)}>
                    <input r#type="checkbox" autocomplete="off" aria-labelledby=id/>
                    {Icon::Check.view()}
                </label>
            </li>
        }
    });
    view! { <ol class="steps-to-show">{steps.collect_view()}</ol> }
}
