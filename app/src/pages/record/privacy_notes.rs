//! What somebody should know before they let a stranger look through their camera.

use leptos::prelude::*;

use super::template::{Until, sentence_until};
use super::visibility::during;
use crate::locale::{Locale, Message};

/// Who watches, what is recorded, when it is gone, and that nobody has to.
#[component]
pub(super) fn Trust(locale: Locale, until: Until) -> impl IntoView {
    let says = |message| locale.says(message);
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
            </dl>
            <p class="hint">{says(Message::Private)}</p>
        </aside>
    }
    .into_any()
}
