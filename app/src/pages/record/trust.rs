//! What somebody should know before they let a stranger look through their camera.

use leptos::prelude::*;

use super::sentence::{Until, sentence_until};
use super::shown::during;
use crate::locale::{Locale, Message};

/// Who watches, what is recorded, when it is gone, and that nobody has to.
#[component]
pub(super) fn Trust(
    locale: Locale,
    until: Until,
    contact: Option<String>,
    request: String,
) -> impl IntoView {
    let says = |message| locale.says(message);
    let report = contact.map(|contact| {
        view! {
            <dd>
                <a href=address(&contact, &request) rel="noreferrer">
                    {says(Message::Report)}
                </a>
            </dd>
        }
    });
    view! {
        <aside class="trust" aria-labelledby="trust-heading" {..during("idle asking blocked")}>
            <h2 id="trust-heading">{says(Message::GoodToKnow)}</h2>
            <dl>
                <dt>{says(Message::WhoWatches)}</dt>
                <dd>{says(Message::WhoWatchesText)}</dd>
                <dt>{says(Message::WhatIsRecorded)}</dt>
                <dd>{says(Message::WhatIsRecordedText)}</dd>
                <dt>{says(Message::HowLong)}</dt>
                <dd>{sentence_until(locale, Message::HowLongText, until)}</dd>
                <dt>{says(Message::YourChoice)}</dt>
                <dd>{says(Message::YourChoiceText)}</dd>
                <dt>{says(Message::TakeCare)}</dt>
                <dd>{says(Message::TakeCareText)}</dd>
                {report}
            </dl>
            <p class="hint">{says(Message::Private)}</p>
        </aside>
    }
    .into_any()
}

/// A letter says which request it is about, unless the operator has written its subject already.
fn address(contact: &str, request: &str) -> String {
    if contact.starts_with("mailto:") && !contact.contains('?') {
        format!("{contact}?subject=Vidence%20{request}")
    } else {
        contact.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_says_which_request_it_is_about() {
        for (contact, want) in [
            (
                "mailto:a@example.org",
                "mailto:a@example.org?subject=Vidence%20abc",
            ),
            (
                "mailto:a@example.org?subject=x",
                "mailto:a@example.org?subject=x",
            ),
            ("https://example.org/report", "https://example.org/report"),
        ] {
            assert_eq!(address(contact, "abc"), want);
        }
    }
}
