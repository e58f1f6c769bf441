//! What the person should know before they record.

use leptos::prelude::*;

use super::markup::template::{DisplayTime, text_with_time};
use super::markup::visibility::shown_in;
use crate::locale::{Locale, Message};

/// Who watches the video, what is recorded, when it is deleted, and that recording is voluntary.
#[component]
pub(super) fn PrivacyNotes(locale: Locale, until: DisplayTime) -> impl IntoView {
    let text = |message| locale.text(message);
    view! {
        <aside class="privacy-notes" aria-labelledby="privacy-heading" {..shown_in("idle requesting-access blocked")}>
            <h2 id="privacy-heading">{text(Message::PrivacyHeading)}</h2>
            <dl>
                <dt>{text(Message::PrivacyAudience)}</dt>
                <dd>{text(Message::PrivacyAudienceText)}</dd>
                <dt>{text(Message::PrivacyRecording)}</dt>
                <dd>{text(Message::PrivacyRecordingText)}</dd>
                <dt>{text(Message::PrivacyRetention)}</dt>
                <dd>{text_with_time(locale, Message::PrivacyRetentionText, until)}</dd>
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
