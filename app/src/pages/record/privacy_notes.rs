//! What somebody should know before they let a stranger look through their camera.

use leptos::prelude::*;

use super::template::{Until, sentence_until};
use super::visibility::during;
use crate::locale::{Locale, Message};

/// Who watches, what is recorded, when it is gone, and that nobody has to.
#[component]
pub(super) fn Trust(locale: Locale, until: Until) -> impl IntoView {
    let text = |message| locale.text(message);
    view! {
        <aside class="trust" aria-labelledby="trust-heading" {..during("idle asking blocked")}>
            <h2 id="trust-heading">{text(Message::PrivacyHeading)}</h2>
            <dl>
                <dt>{text(Message::PrivacyAudience)}</dt>
                <dd>{text(Message::PrivacyAudienceText)}</dd>
                <dt>{text(Message::PrivacyRecording)}</dt>
                <dd>{text(Message::PrivacyRecordingText)}</dd>
                <dt>{text(Message::PrivacyRetention)}</dt>
                <dd>{sentence_until(locale, Message::PrivacyRetentionText, until)}</dd>
                <dt>{text(Message::PrivacyChoice)}</dt>
                <dd>{text(Message::PrivacyChoiceText)}</dd>
                <dt>{text(Message::PrivacyCaution)}</dt>
                <dd>{text(Message::PrivacyCautionText)}</dd>
            </dl>
            <p class="hint">{text(Message::PrivacyNoTracking)}</p>
        </aside>
    }
    .into_any()
}
